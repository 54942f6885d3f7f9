//! Opening shards: a task whose chunk is a shard becomes the tasks of the inner chunks that the selection meets.

use std::rc::Rc;

use super::JsResult;
use super::reader::{Caller, Job, Reader};

impl Reader {
    /// The jobs that a job comes to: itself, where its chunk is no shard.
    pub(super) async fn open(self: &Rc<Self>, job: Job, caller: &Caller) -> JsResult<Vec<Job>> {
        let mut opened = Vec::new();
        let mut shards = vec![job];
        // Inner chunks may be shards themselves.
        while let Some(mut job) = shards.pop() {
            let Some(request) = self.array.index_request(&job.task) else {
                opened.push(job);
                continue;
            };
            let (index, whole) = self.index(&job, request.clone(), caller).await?;
            job.whole = whole;
            match index.as_ref() {
                Some(index) => {
                    let inner = self.array.inner_tasks(&job.task, index)?;
                    if job.whole.is_none() && self.wants_whole(&inner) {
                        let most = self.array.most_stored(&job.task);
                        job.whole = self.whole((&request, most), caller).await?;
                    }
                    shards.extend(inner.into_iter().rev().map(|task| Job { task, whole: job.whole.clone() }));
                }
                None => opened.push(Job::new(job.task.missing())),
            }
        }
        Ok(opened)
    }

    /// The jobs that read a job's chunk: of an uncompressed one, the pieces that are wanted of it.
    pub(super) fn pieces(&self, job: Job) -> Vec<Job> {
        if job.whole.is_some() || self.engine.store().ignores_ranges() || self.has(&job.task) {
            return vec![job];
        }
        match self.array.pieces(&job.task, self.engine.joining().gap) {
            Some(pieces) => pieces.into_iter().map(Job::new).collect(),
            None => vec![job],
        }
    }
}
