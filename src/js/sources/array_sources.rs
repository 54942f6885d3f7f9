//! The sources of an array: its own, or one for each of the stored arrays that `concat` made it of.
//!
//! Invariant: the source of a task's own array reads it, with the store, codecs, workers and cache of that array.

use std::rc::Rc;

use js_sys::Object;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::AbortSignal;

use super::array_source::ArraySource;
use super::open_settings::OpenSettings;
use super::probe::Probe;
use crate::error::Result;
use crate::js::JsResult;
use crate::js::convert::value::{field, message, number, set};
use crate::js::fetch::store_driver::StoreDriver;
use crate::js::stores::readable::ReadableStore;
use crate::js::support::waiting::{Work, all};
use crate::metadata::ArrayMetadata;
use crate::read::{Admission, Array, Plan, Task};

/// Most arrays that are opened again at the same time.
const AT_ONCE: usize = 16;

/// Names of the errors that concern a stored array, so that it is named with them.
const OURS: [&str; 5] =
    ["CodecError", "InvalidMetadataError", "NotFoundError", "StoreError", "UnsupportedError"];

/// Sources of the stored arrays that an array is made of.
pub(crate) struct ArraySources {
    /// The array that selections and plans are made for.
    pub(crate) array: Rc<Array>,
    /// At least one; `Task::array` is the index.
    sources: Vec<Rc<ArraySource>>,
}

impl ArraySources {
    /// Source of an array by itself.
    fn of_one(source: Rc<ArraySource>) -> Rc<Self> {
        Rc::new(Self { array: Rc::clone(&source.array), sources: vec![source] })
    }

    /// Source of the array that metadata from the document `key` describe.
    pub(crate) async fn open(
        driver: &Rc<StoreDriver>,
        settings: OpenSettings,
        metadata: ArrayMetadata,
        (path, key): (&str, &str),
    ) -> JsResult<Rc<Self>> {
        let (array, chain) = settings.array(metadata, (path, key), driver.store().part_timeout()).await?;
        Ok(Self::of_one(ArraySource::new(Rc::clone(driver), array, settings, chain)))
    }

    /// Sources of arrays laid end to end.
    ///
    /// # Errors
    /// As [`Array::end_to_end`].
    pub(crate) fn end_to_end(arrays: &[Rc<Self>], axis: usize) -> Result<Rc<Self>> {
        let (mut all, mut sources) = (Vec::with_capacity(arrays.len()), Vec::new());
        for array in arrays {
            all.push(Rc::clone(&array.array));
            sources.extend_from_slice(&array.sources);
        }
        Ok(Rc::new(Self { array: Array::end_to_end(&all, axis)?, sources }))
    }

    /// Source of a task's array.
    pub(crate) fn of(&self, task: &Task) -> &Rc<ArraySource> {
        &self.sources[task.array]
    }

    /// Names the array in an error of one of several arrays. Returns a new error: other reads may hold the original.
    pub(crate) fn blame(&self, nth: usize, error: JsValue) -> JsValue {
        let (name, source) = (field(&error, "name").as_string().unwrap_or_default(), &self.sources[nth]);
        if self.sources.len() == 1 || !OURS.contains(&name.as_str()) || !field(&error, "array").is_undefined()
        {
            return error;
        }
        let place = source.driver.store().describe(source.array.keys.path());
        let named = js_sys::Error::new(&format!("array {nth} of concat, at {place}: {}", message(&error)));
        Object::assign(&named, error.unchecked_ref());
        set(&named, "array", &number(nth as u64).into());
        named.into()
    }

    /// Milliseconds that a part of the module has to load; 0 means without a limit.
    pub(crate) fn part_timeout(&self) -> u64 {
        self.sources.iter().map(|source| source.driver.store().part_timeout()).max().unwrap_or(0)
    }

    /// Whether the caches of all arrays keep chunks.
    pub(crate) fn keep_chunks(&self) -> bool {
        self.sources.iter().all(|source| source.keeps_chunks())
    }

    /// Whether workers or other modules decode chunks of the plan.
    pub(crate) fn hand_out(&self, plan: &Plan<'_>) -> bool {
        self.sources.iter().any(|source| source.hands_out(plan))
    }

    /// Whether the chunks of all arrays are stored as their items alone.
    pub(crate) fn have_plain_chunks(&self) -> bool {
        self.sources.iter().all(|source| source.array.has_plain_chunks())
    }

    /// The cache admission of a read of the plan.
    pub(crate) fn admission(&self, plan: &Plan<'_>) -> Admission {
        let limits = self.sources.iter().map(|source| source.cache.limit());
        Admission::of_read(plan, limits.max().unwrap_or(0), self.answer_at_once())
    }

    /// Whether any store is a `Map` or a `Readable`.
    pub(crate) fn have_readables(&self) -> bool {
        self.sources.iter().any(|source| source.driver.store().readable().is_some())
    }

    /// Whether the stores of all arrays answer synchronously.
    pub(crate) fn answer_at_once(&self) -> bool {
        let readable = |source: &Rc<ArraySource>| {
            source.driver.store().readable().is_some_and(ReadableStore::answers_at_once)
        };
        self.sources.iter().all(readable)
    }

    /// All sources; `Task::array` is the index.
    pub(crate) fn all(&self) -> &[Rc<ArraySource>] {
        &self.sources
    }

    /// Whether a read may request a chunk several times: its only store answers synchronously and supports ranges, this
    /// thread decodes, and no `onRequest` listener is called.
    pub(crate) fn reads_again(&self, plan: &Plan<'_>) -> bool {
        let [source] = &self.sources[..] else { return false };
        let store = source.driver.store();
        let is_proven = store.readable().is_some_and(ReadableStore::has_answered_at_once);
        is_proven && !store.ranges().is_ignored && store.on_request().is_none() && !source.hands_out(plan)
    }

    /// Opens every array again with its current metadata; also returns whether any metadata changed.
    pub(crate) async fn again(&self, signal: &AbortSignal) -> JsResult<(Rc<Self>, bool)> {
        let (mut refreshes, mut again): (Vec<Work<'_, ()>>, Vec<Work<'_, Rc<ArraySource>>>) =
            Default::default();
        let mut last = None;
        for source in &self.sources {
            // Arrays of one store mostly follow one another; a second refresh of a store does no harm.
            if !last.replace(&source.driver).is_some_and(|last| Rc::ptr_eq(last, &source.driver)) {
                refreshes.push(Box::pin(async { source.driver.store().refresh(signal).await }));
            }
            let nth = again.len();
            let opening =
                async move { opened_again(source, signal).await.map_err(|error| self.blame(nth, error)) };
            again.push(Box::pin(opening));
        }
        some_at_once(refreshes).await?;
        let sources = some_at_once(again).await?;
        let mut pairs = self.sources.iter().zip(&sources);
        let is_changed = pairs.any(|(old, new)| old.array.metadata != new.array.metadata);
        let arrays: Vec<_> = sources.iter().map(|source| Rc::clone(&source.array)).collect();
        let array = self.array.remade(&mut arrays.iter())?;
        Ok((Rc::new(Self { array, sources }), is_changed))
    }
}

/// Opens an array again from its own metadata document.
async fn opened_again(source: &ArraySource, signal: &AbortSignal) -> JsResult<Rc<ArraySource>> {
    let (store, path) = (source.driver.store(), source.array.keys.path());
    let probe = Probe::new(store, path, Some(source.array.metadata.zarr_format), signal);
    let (metadata, key) = probe.array(&[]).await?;
    let (array, chain) = source.settings.array(metadata, (path, &key), store.part_timeout()).await?;
    Ok(ArraySource::new(Rc::clone(&source.driver), array, source.settings.clone(), chain))
}

/// Does all pieces of work, at most `AT_ONCE` at the same time; returns their results in order.
async fn some_at_once<T>(work: Vec<Work<'_, T>>) -> JsResult<Vec<T>> {
    let (mut work, mut done) = (work.into_iter().peekable(), Vec::new());
    while work.peek().is_some() {
        done.extend(all(work.by_ref().take(AT_ONCE).collect()).await?);
    }
    Ok(done)
}
