//! The result of `plan`: the chunks that a selection overlaps, the bytes of its result, and the requests that are
//! known.

use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use js_sys::{Array, Object};
use wasm_bindgen::JsValue;

use crate::js::JsResult;
use crate::js::chunks::sources::JoinedSources;
use crate::js::convert::value::{number, numbers, object};
use crate::js::stores::request::Waiter;
use crate::js::stores::store_driver::StoreDriver;
use crate::js::support::report::range;
use crate::network::{ByteRange, RangeSupport, Request, RequestScheduler, Turn, Urgency};
use crate::read::{ChunkLocation, Plan};

/// The most stored chunks whose requests are listed: 100,000. The list is made in one call, and a longer one is of no
/// use.
const MAX_LISTED: u64 = 100_000;

/// The plan of a selection as a JavaScript object.
pub(crate) fn planned(sources: &JoinedSources, plan: &Plan<'_>) -> JsResult<Object> {
    let requests = if plan.stored_chunks() > MAX_LISTED {
        JsValue::UNDEFINED
    } else {
        requests(sources, plan)?.iter().map(shown).collect::<Array>().into()
    };
    Ok(object([
        ("shape", numbers(plan.shape()).into()),
        ("bytes", number(plan.output_size()).into()),
        ("chunks", number(plan.chunks()).into()),
        ("storedChunks", number(plan.stored_chunks()).into()),
        ("requests", requests),
    ]))
}

/// The requests to one store, in a scheduler that joins near ranges as that of a read does.
struct PlannedRequests<'a> {
    driver: &'a StoreDriver,
    scheduler: RequestScheduler<Waiter>,
    waiter: Waiter,
    turn: Turn,
    listed: HashSet<Request>,
    /// Requests that the scheduler has not got yet.
    asked: Vec<Request>,
}

impl<'a> PlannedRequests<'a> {
    fn new(driver: &'a StoreDriver) -> Self {
        // The driver's type of waiter, as another type would compile the scheduler anew.
        let waiter: Waiter = Rc::new(|_| ());
        let scheduler = RequestScheduler::new(usize::MAX, driver.joining());
        Self { driver, scheduler, waiter, turn: Turn::default(), listed: HashSet::new(), asked: Vec::new() }
    }

    fn ask(&mut self, request: &Request) -> JsResult<()> {
        let index = self.driver.store().virtual_source();
        let requests = index.map_or_else(|| Ok(vec![request.clone()]), |index| index.requests(request))?;
        for request in requests {
            // Many chunks may need the same part of an index.
            if index.is_none() || self.listed.insert(request.clone()) {
                self.asked.push(request);
            }
        }
        Ok(())
    }

    /// Lists them, near ranges joined.
    fn join(&mut self, joined: &mut Vec<Request>) {
        // Inner chunks of a shard may be stored in any order. The queue is fast where each begins after those before it: of
        // a million in another order, each would move half of the others.
        let mut keys = HashMap::new();
        let mut placed = Vec::with_capacity(self.asked.len());
        for request in self.asked.drain(..) {
            let count = keys.len();
            let key = *keys.entry(request.key.clone()).or_insert(count);
            placed.push((key, start(&request), request));
        }
        placed.sort_by_key(|(key, start, _)| (*key, *start));
        for (_, _, request) in placed {
            self.scheduler.ask(request, 0, Urgency::Now, &mut self.turn, Rc::clone(&self.waiter));
        }
        let ranges = RangeSupport { is_known: true, is_ignored: false };
        while let Some(dispatch) = self.scheduler.next(ranges) {
            joined.push(dispatch.request);
        }
    }
}

/// Where the bytes of a request begin in their value.
fn start(request: &Request) -> u64 {
    match &request.range {
        ByteRange::Span(span) => span.start,
        _ => 0,
    }
}

/// The requests that a read would begin with, store by store, with near ranges joined as a read joins them.
fn requests(sources: &JoinedSources, plan: &Plan<'_>) -> JsResult<Vec<Request>> {
    let mut all: Vec<PlannedRequests<'_>> = Vec::new();
    for task in plan.tasks() {
        let mut tasks = vec![task?];
        let source = sources.of(&tasks[0]);
        // Tasks of one store mostly follow one another.
        let nth = all.iter().rposition(|planned| std::ptr::eq(planned.driver, &*source.driver));
        let nth = nth.unwrap_or_else(|| {
            all.push(PlannedRequests::new(&source.driver));
            all.len() - 1
        });
        let planned = &mut all[nth];
        // Where a shard's index is cached, its inner chunks are known.
        while let Some(task) = tasks.pop() {
            match (source.array.index_request(&task), source.cached_index(&task)) {
                (Some(_), Some(index)) => {
                    if let Some(index) = index.as_ref() {
                        tasks.extend(source.array.inner_tasks(&task, index)?.into_iter().rev());
                    }
                }
                (Some(request), None) => planned.ask(&request)?,
                (None, _) => {
                    for task in source.pieces(&task).unwrap_or_else(|| vec![task]) {
                        match &task.location {
                            ChunkLocation::Stored(request) if !source.has(&task) => planned.ask(request)?,
                            _ => {}
                        }
                    }
                }
            }
        }
    }
    let mut joined = Vec::new();
    all.iter_mut().for_each(|planned| planned.join(&mut joined));
    Ok(joined)
}

fn shown(request: &Request) -> JsValue {
    object([("key", request.public_key().into()), ("range", range(&request.range))]).into()
}
