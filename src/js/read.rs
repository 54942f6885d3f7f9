//! Runs a plan: its tasks' bytes are asked for, so many at a time, decoded and put in place as they come.

use std::borrow::Cow;
use std::cell::RefCell;
use std::rc::Rc;

use futures_util::stream::{self, StreamExt};
use js_sys::{Function, Object, Uint8Array};
use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

use super::JsResult;
use super::region::region;
use super::store::Store;
use super::value::{number, object};
use crate::codec::Decoded;
use crate::read::{Chunk, ChunkCache, Output, Plan, Task};

/// What the reads of one array share.
pub(super) struct Reader {
    store: Store,
    concurrency: usize,
    cache: RefCell<ChunkCache>,
}

/// What a task's chunk comes from.
enum Answer {
    Kept(Chunk),
    Fetched(Option<Uint8Array>),
}

impl Reader {
    pub(super) fn new(store: Store, concurrency: usize, cache_bytes: usize) -> Self {
        Self { store, concurrency, cache: RefCell::new(ChunkCache::new(cache_bytes)) }
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
        let answers = stream::iter(plan.tasks()).map(async |task| -> JsResult<_> {
            let task = task?;
            let answer = self.ask(&task, signal).await?;
            Ok((task, answer))
        });
        let mut answers = std::pin::pin!(answers.buffer_unordered(self.concurrency));
        while let Some(answered) = answers.next().await {
            let (task, answer) = answered?;
            progress.chunks += 1;
            match answer {
                Answer::Kept(chunk) => output.put(plan, &task, chunk.as_ref().as_ref()),
                Answer::Fetched(bytes) => {
                    progress.bytes += bytes.as_ref().map_or(0, |bytes| u64::from(bytes.length()));
                    let chunk = plan.decode(&task, bytes.map(|bytes| Cow::Owned(bytes.to_vec())))?;
                    output.put(plan, &task, chunk.as_ref());
                    self.keep(&task, chunk);
                }
            }
            if let Some(on_progress) = on_progress {
                progress.report(on_progress)?;
            }
        }
        Ok(region(&output.into_bytes(), &plan.shape(), plan.array().metadata.data_type))
    }

    async fn ask(&self, task: &Task, signal: &AbortSignal) -> JsResult<Answer> {
        let kept = self.cache.borrow_mut().get(&task.coords);
        match kept {
            Some(chunk) => Ok(Answer::Kept(chunk)),
            None => self.store.get(&task.request.key, signal).await.map(Answer::Fetched),
        }
    }

    fn keep(&self, task: &Task, chunk: Option<Decoded<'_>>) {
        let mut cache = self.cache.borrow_mut();
        if cache.is_on() {
            let owned = chunk.map(Decoded::into_owned);
            cache.put(&task.coords, &Rc::new(owned));
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
