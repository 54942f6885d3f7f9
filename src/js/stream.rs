//! A read as a stream: each chunk's part of the result as it is decoded, no faster than it is taken.
//!
//! Invariant: so many parts wait to be taken and no more; whoever stops taking them, by an abort, an error or the
//! end of a loop, stops the work.

use std::cell::RefCell;
use std::future::Future;
use std::rc::Rc;

use futures_channel::mpsc::{self, Receiver, Sender};
use futures_util::future::{AbortHandle, abortable};
use futures_util::{SinkExt, StreamExt};
use js_sys::{Object, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::spawn_local;

use super::JsResult;
use super::arrivals::each;
use super::content::Content;
use super::options::GetOptions;
use super::promise::promise;
use super::read::Progress;
use super::reader::Caller;
use super::readers::Readers;
use super::region::{data, region};
use super::value::{numbers, set};
use crate::read::{Plan, Urgency};

/// Parts that are decoded before anyone asks for them.
const AHEAD: usize = 2;

/// The parts of a read.
#[wasm_bindgen(skip_typescript)]
pub struct ChunkStream {
    parts: Rc<RefCell<Receiver<JsResult<Object>>>>,
    work: AbortHandle,
}

impl ChunkStream {
    /// The parts that work sends; its failure is the last one.
    pub(super) fn new<W: Future<Output = JsResult<()>> + 'static>(
        work: impl FnOnce(Sender<JsResult<Object>>) -> W,
    ) -> Self {
        let (sender, receiver) = mpsc::channel(AHEAD);
        let mut last = sender.clone();
        let work = work(sender);
        let (work, handle) = abortable(async move {
            if let Err(error) = work.await {
                // Nobody listens any more where this fails.
                let _ = last.send(Err(error)).await;
            }
        });
        spawn_local(async move {
            let _ = work.await;
        });
        Self { parts: Rc::new(RefCell::new(receiver)), work: handle }
    }
}

#[wasm_bindgen]
impl ChunkStream {
    /// The next part, or undefined after the last.
    pub fn next(&self) -> Promise {
        let parts = Rc::clone(&self.parts);
        promise(async move {
            let next = std::future::poll_fn(|context| parts.borrow_mut().poll_next_unpin(context));
            next.await.unwrap_or(Ok(Object::from(JsValue::UNDEFINED))).map(JsValue::from)
        })
    }
}

impl Drop for ChunkStream {
    fn drop(&mut self) {
        self.work.abort();
    }
}

/// Sends the parts of a plan's result as they come.
pub(super) async fn stream(
    readers: &Readers,
    plan: &Plan<'_>,
    options: &GetOptions,
    mut sender: Sender<JsResult<Object>>,
) -> JsResult<()> {
    let mut progress = Progress::new(plan, options.on_progress.as_ref());
    let caller = Caller::new(Urgency::Now, readers.admission(plan));
    each(readers, plan, &caller, options.order, &mut progress, async |arrival| {
        let chunk = arrival.chunk.as_ref().as_ref().map(Content::here);
        for part in plan.parts(&arrival.task, chunk.as_deref())? {
            let shape: Vec<u64> = part.bounds.iter().map(|(start, stop)| stop - start).collect();
            let columns = part.columns.iter().zip(plan.columns()).zip(&part.ranges);
            let columns = columns.map(|((items, column), range)| Ok((data(items, column)?, *range)));
            let found = region(columns.collect::<JsResult<_>>()?, &shape, &options.form);
            let coords = readers.array.read_coords(&arrival.task);
            set(&found, "coords", &numbers(coords).into());
            set(&found, "start", &numbers(part.bounds.iter().map(|(start, _)| *start)).into());
            set(&found, "stop", &numbers(part.bounds.iter().map(|(_, stop)| *stop)).into());
            // Where nobody takes any more, the work is dropped with the receiver.
            let _ = sender.send(Ok(found)).await;
        }
        Ok(())
    })
    .await
}
