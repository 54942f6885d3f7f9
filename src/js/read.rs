//! Runs a plan: its tasks' bytes are asked for, so many at a time, and handed back as they come.

use futures_util::stream::{self, StreamExt};
use js_sys::{Function, Object};
use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

use super::JsResult;
use super::region::region;
use super::store::Store;
use super::value::{number, object};
use crate::read::{Output, Plan};

/// What running a plan needs beside the plan.
pub(super) struct Executor<'a> {
    pub(super) store: &'a Store,
    pub(super) concurrency: usize,
    pub(super) signal: AbortSignal,
    pub(super) on_progress: Option<Function>,
}

impl Executor<'_> {
    /// The region that the plan describes. The first failure ends it; what is in flight is dropped with it.
    pub(super) async fn run(&self, plan: &Plan<'_>) -> JsResult<Object> {
        let mut output = Output::new(plan)?;
        let mut progress = Progress { chunks: 0, total: plan.chunks(), bytes: 0 };
        let fetched = stream::iter(plan.tasks()).map(async |task| -> JsResult<_> {
            let task = task?;
            let bytes = self.store.get(&task.request.key, &self.signal).await?;
            Ok((task, bytes))
        });
        let mut fetched = std::pin::pin!(fetched.buffer_unordered(self.concurrency));
        while let Some(done) = fetched.next().await {
            let (task, bytes) = done?;
            let bytes = bytes.map(|bytes| bytes.to_vec());
            output.put(plan, &task, bytes.as_deref())?;
            progress.chunks += 1;
            progress.bytes += bytes.map_or(0, |bytes| bytes.len() as u64);
            self.report(&progress)?;
        }
        Ok(region(&output.into_bytes(), &plan.shape(), plan.array().metadata.data_type))
    }

    /// Tells the caller's listener how far it is; what the listener throws ends the read.
    fn report(&self, progress: &Progress) -> JsResult<()> {
        let Some(on_progress) = &self.on_progress else { return Ok(()) };
        let info = object([
            ("chunks", number(progress.chunks).into()),
            ("totalChunks", number(progress.total).into()),
            ("bytes", number(progress.bytes).into()),
        ]);
        on_progress.call1(&JsValue::UNDEFINED, &info).map(|_| ())
    }
}

struct Progress {
    chunks: u64,
    total: u64,
    bytes: u64,
}
