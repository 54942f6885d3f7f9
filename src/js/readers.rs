//! The readers of an array: its own, or one for each of the stored arrays that it is made of.
//!
//! Invariant: whatever is done with a task is done by the reader of its own array, so with that one's source, codecs,
//! workers and cache.

use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use futures_util::future::LocalBoxFuture;
use js_sys::{Map, Object};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::JsResult;
use super::open::Reading;
use super::reader::Reader;
use super::value::{field, message, number, set};
use crate::error::Result;
use crate::read::{Admission, Array, Plan, Task};

/// How many arrays are opened again at once.
const AT_ONCE: usize = 16;

/// The names of errors that say of an array that it cannot be read.
const OURS: [&str; 5] =
    ["CodecError", "InvalidMetadataError", "NotFoundError", "StoreError", "UnsupportedError"];

/// What reads an array.
pub(super) struct Readers {
    /// The array that plans are made of.
    pub(super) array: Rc<Array>,
    /// At least one, by the numbers that tasks have.
    readers: Vec<Rc<Reader>>,
}

impl Readers {
    /// The reader of an array by itself.
    pub(super) fn of_one(reader: Rc<Reader>) -> Rc<Self> {
        Rc::new(Self { array: Rc::clone(&reader.array), readers: vec![reader] })
    }

    /// The readers of arrays laid end to end.
    ///
    /// # Errors
    /// As [`Array::end_to_end`].
    pub(super) fn end_to_end(arrays: &[Rc<Self>], axis: usize) -> Result<Rc<Self>> {
        let (mut all, mut readers) = (Vec::with_capacity(arrays.len()), Vec::new());
        for array in arrays {
            all.push(Rc::clone(&array.array));
            readers.extend_from_slice(&array.readers);
        }
        Ok(Rc::new(Self { array: Array::end_to_end(&all, axis)?, readers }))
    }

    /// The reader of a task's array.
    pub(super) fn of(&self, task: &Task) -> &Rc<Reader> {
        &self.readers[task.array]
    }

    /// An error that one of several arrays met, as a new one that tells which: the error itself may be that of others too.
    pub(super) fn blame(&self, nth: usize, error: JsValue) -> JsValue {
        let (name, reader) = (field(&error, "name").as_string().unwrap_or_default(), &self.readers[nth]);
        if self.readers.len() == 1 || !OURS.contains(&name.as_str()) {
            return error;
        }
        let place = reader.engine.store().describe(reader.array.keys.path());
        let told = js_sys::Error::new(&format!("array {nth} of concat, at {place}: {}", message(&error)));
        Object::assign(&told, error.unchecked_ref());
        set(&told, "array", &number(nth as u64).into());
        told.into()
    }

    /// Whether decoded chunks are kept, of every array.
    pub(super) fn keep_chunks(&self) -> bool {
        self.readers.iter().all(|reader| reader.keeps_chunks())
    }

    /// Whether workers may decode chunks of the plan.
    pub(super) fn hand_out(&self, plan: &Plan<'_>) -> bool {
        self.readers.iter().any(|reader| reader.hands_out(plan))
    }

    /// The cache admission of a read of the plan.
    pub(super) fn admission(&self, plan: &Plan<'_>) -> Admission {
        let limits = self.readers.iter().map(|reader| reader.cache.limit());
        Admission::of_read(plan, limits.max().unwrap_or(0))
    }

    /// The one reader, and the map that it reads from, where that is best done at once.
    pub(super) fn at_hand(&self, plan: &Plan<'_>) -> Option<(&Rc<Reader>, &Map)> {
        let [reader] = &self.readers[..] else { return None };
        let map = reader.engine.store().map().filter(|_| !reader.hands_out(plan))?;
        Some((reader, map))
    }

    /// The same, read anew from every source, and whether anything changed.
    pub(super) async fn again(&self, signal: &AbortSignal) -> JsResult<(Rc<Self>, bool)> {
        let (mut sources, mut again): (Vec<Opening<'_>>, Vec<Opening<'_>>) = (Vec::new(), Vec::new());
        let mut last = None;
        for reader in &self.readers {
            // Arrays of one source mostly lie side by side; to have it forget twice does no harm.
            if !last.replace(&reader.engine).is_some_and(|last| Rc::ptr_eq(last, &reader.engine)) {
                let refresh =
                    async { reader.engine.store().refresh(signal).await.map(|()| Rc::clone(reader)) };
                sources.push(Box::pin(refresh));
            }
            let nth = again.len();
            let opening =
                async move { Reading::again(reader, signal).await.map_err(|error| self.blame(nth, error)) };
            again.push(Box::pin(opening));
        }
        all(sources).await?;
        let readers = all(again).await?;
        let mut pairs = self.readers.iter().zip(&readers);
        let is_changed = pairs.any(|(old, new)| old.array.metadata != new.array.metadata);
        let arrays: Vec<_> = readers.iter().map(|reader| Rc::clone(&reader.array)).collect();
        let array = self.array.remade(&mut arrays.iter())?;
        Ok((Rc::new(Self { array, readers }), is_changed))
    }
}

/// An array on its way.
type Opening<'a> = LocalBoxFuture<'a, JsResult<Rc<Reader>>>;

/// What comes of all, in their order, or the first failure.
async fn all(mut openings: Vec<Opening<'_>>) -> JsResult<Vec<Rc<Reader>>> {
    let mut done: Vec<Option<Rc<Reader>>> = vec![None; openings.len()];
    for (done, openings) in done.chunks_mut(AT_ONCE).zip(openings.chunks_mut(AT_ONCE)) {
        poll_fn(|context| {
            let mut is_done = true;
            for (done, opening) in done.iter_mut().zip(openings.iter_mut()).filter(|(done, _)| done.is_none())
            {
                match opening.as_mut().poll(context) {
                    Poll::Ready(opened) => *done = Some(opened?),
                    Poll::Pending => is_done = false,
                }
            }
            if is_done { Poll::Ready(Ok::<(), JsValue>(())) } else { Poll::Pending }
        })
        .await?;
    }
    Ok(done.into_iter().flatten().collect())
}
