//! What `plan` tells: how many chunks a selection meets, what its result weighs, and which requests are known beforehand.

use std::collections::HashSet;

use js_sys::{Array, Object};
use wasm_bindgen::JsValue;

use crate::js::JsResult;
use crate::js::convert::value::{number, numbers, object};
use crate::js::fetch::source_driver::Engine;
use crate::js::sources::array_sources::Readers;
use crate::js::support::report::range;
use crate::read::{Plan, Queue, Turn, Urgency};
use crate::source::{ChunkLocation, Request};

/// The most stored chunks whose requests are listed: 100,000.
///
/// The reason: they are listed at once, and nobody reads more.
const MAX_LISTED: u64 = 100_000;

/// The plan of a selection as JavaScript sees it.
pub(crate) fn planned(readers: &Readers, plan: &Plan<'_>) -> JsResult<Object> {
    let requests = if plan.stored_chunks() > MAX_LISTED {
        JsValue::UNDEFINED
    } else {
        requests(readers, plan)?.iter().map(shown).collect::<Array>().into()
    };
    Ok(object([
        ("shape", numbers(plan.shape()).into()),
        ("bytes", number(plan.output_size()).into()),
        ("chunks", number(plan.chunks()).into()),
        ("storedChunks", number(plan.stored_chunks()).into()),
        ("requests", requests),
    ]))
}

/// The requests to one source, as they would wait for it.
struct Asking<'a> {
    engine: &'a Engine,
    queue: Queue<()>,
    turn: Turn,
    told: HashSet<Request>,
}

impl<'a> Asking<'a> {
    fn new(engine: &'a Engine) -> Self {
        Self { engine, queue: Queue::default(), turn: Turn::default(), told: HashSet::new() }
    }

    fn ask(&mut self, request: &Request) -> JsResult<()> {
        let index = self.engine.store().virtual_source();
        let requests = index.map_or_else(|| Ok(vec![request.clone()]), |index| index.requests(request))?;
        for request in requests {
            // Many chunks may need the same part of an index.
            if index.is_none() || self.told.insert(request.clone()) {
                self.queue.push(request, Urgency::Now, &mut self.turn, ());
            }
        }
        Ok(())
    }

    fn joined(mut self) -> impl Iterator<Item = Request> {
        let joining = self.engine.joining();
        std::iter::from_fn(move || self.queue.pop(joining)).map(|batch| batch.request)
    }
}

/// The requests that a read would start with, source by source, near ranges joined as they would be.
fn requests(readers: &Readers, plan: &Plan<'_>) -> JsResult<Vec<Request>> {
    let mut sources: Vec<Asking<'_>> = Vec::new();
    for task in plan.tasks() {
        let mut tasks = vec![task?];
        let reader = readers.of(&tasks[0]);
        // Tasks of one source mostly come one after the other.
        let nth = sources.iter().rposition(|source| std::ptr::eq(source.engine, &*reader.engine));
        let nth = nth.unwrap_or_else(|| {
            sources.push(Asking::new(&reader.engine));
            sources.len() - 1
        });
        let source = &mut sources[nth];
        // Shards whose index is at hand tell where their inner chunks are.
        while let Some(task) = tasks.pop() {
            match (reader.array.index_request(&task), reader.kept_index(&task)) {
                (Some(_), Some(index)) => {
                    if let Some(index) = index.as_ref() {
                        tasks.extend(reader.array.inner_tasks(&task, index)?.into_iter().rev());
                    }
                }
                (Some(request), None) => source.ask(&request)?,
                (None, _) => {
                    for task in reader.pieces(&task).unwrap_or_else(|| vec![task]) {
                        match &task.location {
                            ChunkLocation::Stored(request) if !reader.has(&task) => source.ask(request)?,
                            _ => {}
                        }
                    }
                }
            }
        }
    }
    Ok(sources.into_iter().flat_map(Asking::joined).collect())
}

fn shown(request: &Request) -> JsValue {
    object([("key", request.key.as_str().into()), ("range", range(&request.range))]).into()
}
