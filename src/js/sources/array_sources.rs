//! The readers of an array: its own, or one for each of the stored arrays that it is made of.
//!
//! Invariant: whatever is done with a task is done by the reader of its own array, so with that one's source, codecs,
//! workers and cache.

use std::rc::Rc;

use js_sys::Object;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::array_source::Reader;
use super::open_settings::OpenSettings;
use super::probe::Probe;
use crate::error::Result;
use crate::js::JsResult;
use crate::js::convert::value::{field, message, number, set};
use crate::js::fetch::source_driver::Engine;
use crate::js::stores::readable::ReadableStore;
use crate::js::support::waiting::{Work, all};
use crate::metadata::ArrayMetadata;
use crate::read::{Admission, Array, Plan, Task};

/// How many arrays are opened again at once.
const AT_ONCE: usize = 16;

/// The names of errors that say of an array that it cannot be read.
const OURS: [&str; 5] =
    ["CodecError", "InvalidMetadataError", "NotFoundError", "StoreError", "UnsupportedError"];

/// What reads an array.
pub(crate) struct Readers {
    /// The array that plans are made of.
    pub(crate) array: Rc<Array>,
    /// At least one, by the numbers that tasks have.
    readers: Vec<Rc<Reader>>,
}

impl Readers {
    /// The reader of an array by itself.
    fn of_one(reader: Rc<Reader>) -> Rc<Self> {
        Rc::new(Self { array: Rc::clone(&reader.array), readers: vec![reader] })
    }

    /// The reader of the array that metadata describe, which were read in the document `key`.
    pub(crate) async fn open(
        engine: &Rc<Engine>,
        settings: OpenSettings,
        metadata: ArrayMetadata,
        (path, key): (&str, &str),
    ) -> JsResult<Rc<Self>> {
        let (array, rare) = settings.array(metadata, path, key).await?;
        Ok(Self::of_one(Reader::new(Rc::clone(engine), array, settings, rare)))
    }

    /// The readers of arrays laid end to end.
    ///
    /// # Errors
    /// As [`Array::end_to_end`].
    pub(crate) fn end_to_end(arrays: &[Rc<Self>], axis: usize) -> Result<Rc<Self>> {
        let (mut all, mut readers) = (Vec::with_capacity(arrays.len()), Vec::new());
        for array in arrays {
            all.push(Rc::clone(&array.array));
            readers.extend_from_slice(&array.readers);
        }
        Ok(Rc::new(Self { array: Array::end_to_end(&all, axis)?, readers }))
    }

    /// The reader of a task's array.
    pub(crate) fn of(&self, task: &Task) -> &Rc<Reader> {
        &self.readers[task.array]
    }

    /// An error that one of several arrays met, as a new one that tells which: the error itself may be that of others too.
    pub(crate) fn blame(&self, nth: usize, error: JsValue) -> JsValue {
        let (name, reader) = (field(&error, "name").as_string().unwrap_or_default(), &self.readers[nth]);
        if self.readers.len() == 1 || !OURS.contains(&name.as_str()) || !field(&error, "array").is_undefined()
        {
            return error;
        }
        let place = reader.engine.store().describe(reader.array.keys.path());
        let told = js_sys::Error::new(&format!("array {nth} of concat, at {place}: {}", message(&error)));
        Object::assign(&told, error.unchecked_ref());
        set(&told, "array", &number(nth as u64).into());
        told.into()
    }

    /// Whether decoded chunks are kept, of every array.
    pub(crate) fn keep_chunks(&self) -> bool {
        self.readers.iter().all(|reader| reader.keeps_chunks())
    }

    /// Whether workers may decode chunks of the plan.
    pub(crate) fn hand_out(&self, plan: &Plan<'_>) -> bool {
        self.readers.iter().any(|reader| reader.hands_out(plan))
    }

    /// The cache admission of a read of the plan.
    pub(crate) fn admission(&self, plan: &Plan<'_>) -> Admission {
        let limits = self.readers.iter().map(|reader| reader.cache.limit());
        let answers_at_once = |reader: &Rc<Reader>| {
            reader.engine.store().readable().is_some_and(ReadableStore::answers_at_once)
        };
        Admission::of_read(plan, limits.max().unwrap_or(0), self.readers.iter().all(answers_at_once))
    }

    /// All of them, by the numbers that tasks have.
    pub(crate) fn all(&self) -> &[Rc<Reader>] {
        &self.readers
    }

    /// Whether chunks may as well be asked for again and again: one store answers at once, with parts, what nobody else
    /// decodes, and nobody hears of it.
    pub(crate) fn reads_again(&self, plan: &Plan<'_>) -> bool {
        let [reader] = &self.readers[..] else { return false };
        let store = reader.engine.store();
        let is_proven = store.readable().is_some_and(ReadableStore::has_answered_at_once);
        is_proven && !store.ranges().is_ignored && !store.is_listened_to() && !reader.hands_out(plan)
    }

    /// The same, read anew from every source, and whether anything changed.
    pub(crate) async fn again(&self, signal: &AbortSignal) -> JsResult<(Rc<Self>, bool)> {
        let (mut sources, mut again): (Vec<Work<'_, ()>>, Vec<Work<'_, Rc<Reader>>>) = Default::default();
        let mut last = None;
        for reader in &self.readers {
            // Arrays of one source mostly lie side by side; to have it forget twice does no harm.
            if !last.replace(&reader.engine).is_some_and(|last| Rc::ptr_eq(last, &reader.engine)) {
                sources.push(Box::pin(async { reader.engine.store().refresh(signal).await }));
            }
            let nth = again.len();
            let opening =
                async move { opened_again(reader, signal).await.map_err(|error| self.blame(nth, error)) };
            again.push(Box::pin(opening));
        }
        some_at_once(sources).await?;
        let readers = some_at_once(again).await?;
        let mut pairs = self.readers.iter().zip(&readers);
        let is_changed = pairs.any(|(old, new)| old.array.metadata != new.array.metadata);
        let arrays: Vec<_> = readers.iter().map(|reader| Rc::clone(&reader.array)).collect();
        let array = self.array.remade(&mut arrays.iter())?;
        Ok((Rc::new(Self { array, readers }), is_changed))
    }
}

/// An array that was opened before, from its own document as it is now.
async fn opened_again(reader: &Reader, signal: &AbortSignal) -> JsResult<Rc<Reader>> {
    let (store, path) = (reader.engine.store(), reader.array.keys.path());
    let probe = Probe::new(store, path, Some(reader.array.metadata.zarr_format), signal);
    let (metadata, key) = probe.array(&[]).await?;
    let (array, rare) = reader.reading.array(metadata, path, &key).await?;
    Ok(Reader::new(Rc::clone(&reader.engine), array, reader.reading.clone(), rare))
}

/// The results of all pieces of work, some of which are done at once.
async fn some_at_once<T>(work: Vec<Work<'_, T>>) -> JsResult<Vec<T>> {
    let (mut work, mut done) = (work.into_iter().peekable(), Vec::new());
    while work.peek().is_some() {
        done.extend(all(work.by_ref().take(AT_ONCE).collect()).await?);
    }
    Ok(done)
}
