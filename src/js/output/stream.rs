//! A streamed read: each chunk's part of the result as it is decoded, no faster than the caller takes parts.
//!
//! Invariant: the number of waiting parts is bounded. When the caller stops taking parts, by an abort, an error or the
//! end of a loop, the work stops.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::rc::Rc;
use std::task::{Poll, Waker};

use js_sys::{Object, Promise};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::js::JsResult;
use crate::js::support::work::{Background, promise};

/// The most parts that are decoded ahead of the caller.
const AHEAD: usize = 3;

/// Parts that wait for the caller, and the side that waits.
#[derive(Default)]
struct StreamState {
    parts: VecDeque<JsResult<Object>>,
    is_ended: bool,
    waker: Option<Waker>,
}

/// The sending side of a stream.
#[derive(Clone)]
pub(crate) struct PartSender(Rc<RefCell<StreamState>>);

impl PartSender {
    /// Sends a part once there is room for it.
    pub(crate) async fn send(&self, part: JsResult<Object>) {
        let mut part = Some(part);
        poll_fn(|context| {
            let mut state = self.0.borrow_mut();
            if state.parts.len() >= AHEAD {
                state.waker = Some(context.waker().clone());
                return Poll::Pending;
            }
            state.parts.extend(part.take());
            Poll::Ready(state.woken())
        })
        .await
        .into_iter()
        .for_each(Waker::wake);
    }

    fn end(&self) {
        let waker = {
            let mut state = self.0.borrow_mut();
            state.is_ended = true;
            state.woken()
        };
        waker.into_iter().for_each(Waker::wake);
    }
}

impl StreamState {
    /// Takes the waker of the other side, if that side waits.
    fn woken(&mut self) -> Option<Waker> {
        self.waker.take()
    }
}

/// The receiving side of a stream.
#[wasm_bindgen(skip_typescript)]
pub struct ChunkStream {
    parts: Rc<RefCell<StreamState>>,
    /// The read, which stops when the stream is dropped.
    _work: Background,
}

impl ChunkStream {
    /// Starts work that sends parts; an error of the work is the stream's last part.
    pub(crate) fn new<W: Future<Output = JsResult<()>> + 'static>(
        work: impl FnOnce(PartSender) -> W,
    ) -> Self {
        let parts: Rc<RefCell<StreamState>> = Rc::default();
        let sender = PartSender(Rc::clone(&parts));
        let work = work(sender.clone());
        let work = Background::start(async move {
            if let Err(error) = work.await {
                sender.send(Err(error)).await;
            }
            sender.end();
        });
        Self { parts, _work: work }
    }
}

#[wasm_bindgen]
impl ChunkStream {
    /// The next part, or undefined after the last.
    pub fn next(&self) -> Promise {
        let parts = Rc::clone(&self.parts);
        promise(async move {
            let (part, waker) = poll_fn(|context| {
                let mut state = parts.borrow_mut();
                let part = state.parts.pop_front();
                if part.is_none() && !state.is_ended {
                    state.waker = Some(context.waker().clone());
                    return Poll::Pending;
                }
                Poll::Ready((part, state.woken()))
            })
            .await;
            waker.into_iter().for_each(Waker::wake);
            part.unwrap_or(Ok(Object::from(JsValue::UNDEFINED))).map(JsValue::from)
        })
    }
}
