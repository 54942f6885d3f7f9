//! Opening shards: a task whose chunk is a shard becomes the tasks of the inner chunks that the selection meets.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Uint8Array;
use web_sys::AbortSignal;

use super::JsResult;
use super::read::Reader;
use crate::codec::ShardIndex;
use crate::read::{Plan, Recent, Task};

/// Bytes of shard indexes that one array keeps: an index is 16 bytes a chunk, so this is a million inner chunks.
const INDEX_BYTES: usize = 16 << 20;

/// A task on its way, with its shard's bytes if the store gave all of them at once.
pub(super) struct Job {
    pub(super) task: Task,
    pub(super) whole: Option<Uint8Array>,
}

impl Job {
    pub(super) fn new(task: Task) -> Self {
        Self { task, whole: None }
    }
}

/// The indexes read lately, by the identity of their shards.
pub(super) struct ShardIndexes(RefCell<Recent<Option<ShardIndex>>>);

impl Default for ShardIndexes {
    fn default() -> Self {
        Self(RefCell::new(Recent::new(INDEX_BYTES)))
    }
}

impl Reader {
    /// The jobs that a job comes to: itself, where its chunk is no shard.
    pub(super) async fn open(&self, plan: &Plan<'_>, job: Job, signal: &AbortSignal) -> JsResult<Vec<Job>> {
        let mut opened = Vec::new();
        let mut shards = vec![job];
        // Inner chunks may be shards themselves.
        while let Some(mut job) = shards.pop() {
            let Some(request) = plan.array().index_request(&job.task) else {
                opened.push(job);
                continue;
            };
            let kept = self.indexes.0.borrow_mut().get(&job.task.identity());
            let index = match kept {
                Some(index) => index,
                None => {
                    let fetched = self.fetch(&request, job.whole.as_ref(), signal).await?;
                    let decoded = match fetched {
                        None => None,
                        Some((bytes, whole)) => {
                            job.whole = whole;
                            Some(plan.array().decode_index(&job.task, &bytes.to_vec())?)
                        }
                    };
                    let index = Rc::new(decoded);
                    // A shard that is missing may be written any time, so that is asked for anew.
                    if let Some(size) = index.as_ref().as_ref().map(ShardIndex::size) {
                        self.indexes.0.borrow_mut().put(&job.task.identity(), &index, size);
                    }
                    index
                }
            };
            match index.as_ref() {
                Some(index) => {
                    let inner = plan.array().inner_tasks(&job.task, index)?;
                    if job.whole.is_none() && self.wants_whole(&inner) {
                        job.whole = self.fetch(&request, None, signal).await?.and_then(|(_, whole)| whole);
                    }
                    shards.extend(inner.into_iter().rev().map(|task| Job { task, whole: job.whole.clone() }));
                }
                None => opened.push(Job::new(job.task.missing())),
            }
        }
        Ok(opened)
    }
}
