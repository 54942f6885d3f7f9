//! Runs a plan: its tasks' bytes are asked for, so many at a time, decoded and put in place as they come.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures_util::stream::{self, StreamExt};
use js_sys::{Function, Object, Uint8Array};
use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

use super::JsResult;
use super::region::region;
use super::shards::{Job, ShardIndexes};
use super::store::{Bytes, Store};
use super::value::{number, object};
use crate::codec::Decoded;
use crate::read::{Chunk, Output, Plan, Recent, Task, chunk_bytes};
use crate::source::{ByteRange, Location, Request};

/// What the reads of one array share.
pub(super) struct Reader {
    pub(super) store: Rc<Store>,
    pub(super) indexes: ShardIndexes,
    concurrency: usize,
    /// Whether the store, asked for a part, lately gave the whole.
    ignores_ranges: Cell<bool>,
    chunks: RefCell<Recent<Option<Decoded<'static>>>>,
}

/// What a task's chunk comes from.
enum Answer {
    Kept(Chunk),
    Fetched(Option<Uint8Array>),
}

impl Reader {
    pub(super) fn new(store: Rc<Store>, concurrency: usize, cache_bytes: usize) -> Self {
        let chunks = RefCell::new(Recent::new(cache_bytes));
        Self {
            store,
            indexes: ShardIndexes::default(),
            concurrency,
            ignores_ranges: Cell::new(false),
            chunks,
        }
    }

    /// The region that the plan describes. The first failure ends it; what is in flight is dropped with it.
    pub(super) async fn run(
        &self,
        plan: &Plan<'_>,
        signal: &AbortSignal,
        on_progress: Option<&Function>,
    ) -> JsResult<Object> {
        let mut output = Output::new(plan)?;
        let mut progress = Progress { chunks: 0, total: plan.chunks(), bytes: 0 };
        let opened =
            stream::iter(plan.tasks()).map(async |task| self.open(plan, Job::new(task?), signal).await);
        let jobs = opened.buffer_unordered(self.concurrency).flat_map(|jobs| match jobs {
            Ok(jobs) => stream::iter(jobs.into_iter().map(Ok).collect::<Vec<_>>()),
            Err(error) => stream::iter(vec![Err(error)]),
        });
        let answers = jobs.map(async |job| -> JsResult<_> {
            let job = job?;
            let answer = self.ask(&job, signal).await?;
            Ok((job.task, answer))
        });
        let mut answers = std::pin::pin!(answers.buffer_unordered(self.concurrency));
        while let Some(answered) = answers.next().await {
            let (task, answer) = answered?;
            progress.chunks += 1;
            match answer {
                Answer::Kept(chunk) => output.put(&task, chunk.as_ref().as_ref())?,
                Answer::Fetched(bytes) => {
                    progress.bytes += bytes.as_ref().map_or(0, |bytes| u64::from(bytes.length()));
                    if let Some(bytes) = &bytes {
                        plan.array().check_answer(&task, bytes.length() as usize)?;
                    }
                    let chunk = plan.array().decode(&task, bytes.map(|bytes| Cow::Owned(bytes.to_vec())))?;
                    output.put(&task, chunk.as_ref())?;
                    self.keep(&task, chunk);
                }
            }
            if let Some(on_progress) = on_progress {
                progress.report(on_progress)?;
            }
            if signal.aborted() {
                return Err(signal.reason());
            }
        }
        Ok(region(&output.finish(), &plan.shape(), &plan.array().metadata.data_type))
    }

    async fn ask(&self, job: &Job, signal: &AbortSignal) -> JsResult<Answer> {
        let kept = self.chunks.borrow_mut().get(&job.task.identity());
        if let Some(chunk) = kept {
            return Ok(Answer::Kept(chunk));
        }
        match &job.task.location {
            Location::Missing => Ok(Answer::Fetched(None)),
            Location::Stored(request) => {
                let fetched = self.fetch(request, job.whole.as_ref(), signal).await?;
                Ok(Answer::Fetched(fetched.map(|(bytes, _)| bytes)))
            }
        }
    }

    /// The bytes that a request asks for, and the whole value if it is at hand then.
    pub(super) async fn fetch(
        &self,
        request: &Request,
        whole: Option<&Uint8Array>,
        signal: &AbortSignal,
    ) -> JsResult<Option<(Uint8Array, Option<Uint8Array>)>> {
        let whole = match whole {
            Some(whole) => whole.clone(),
            None => match self.store.get(request, signal).await? {
                None => return Ok(None),
                Some(Bytes::Asked(bytes)) => {
                    if request.range != ByteRange::All {
                        self.ignores_ranges.set(false);
                    }
                    return Ok(Some((bytes, None)));
                }
                Some(Bytes::Whole(whole)) => {
                    self.ignores_ranges.set(true);
                    whole
                }
            },
        };
        let length = u64::from(whole.length());
        // A part that the value does not have is what decoding complains of, so all of it is given.
        let part = request.range.of_length(length).unwrap_or(0..length);
        let bound = |at: u64| u32::try_from(at).unwrap_or(u32::MAX);
        Ok(Some((whole.subarray(bound(part.start), bound(part.end)), Some(whole))))
    }

    /// Whether the parts of a shard are best cut out of one answer: each would bring the whole shard.
    pub(super) fn wants_whole(&self, tasks: &[Task]) -> bool {
        let mut chunks = self.chunks.borrow_mut();
        let mut is_asked_for =
            |task: &Task| task.location != Location::Missing && chunks.get(&task.identity()).is_none();
        self.ignores_ranges.get() && tasks.iter().any(&mut is_asked_for)
    }

    fn keep(&self, task: &Task, chunk: Option<Decoded<'_>>) {
        let mut chunks = self.chunks.borrow_mut();
        if chunks.is_on() {
            let owned: Chunk = Rc::new(chunk.map(Decoded::into_owned));
            chunks.put(&task.identity(), &owned, chunk_bytes(&owned));
        }
    }
}

struct Progress {
    chunks: u64,
    total: u64,
    bytes: u64,
}

impl Progress {
    /// Tells the caller's listener; what the listener throws ends the read.
    fn report(&self, on_progress: &Function) -> JsResult<()> {
        let info = object([
            ("chunks", number(self.chunks).into()),
            ("totalChunks", number(self.total).into()),
            ("bytes", number(self.bytes).into()),
        ]);
        on_progress.call1(&JsValue::UNDEFINED, &info).map(|_| ())
    }
}
