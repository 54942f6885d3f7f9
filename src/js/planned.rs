//! What `plan` tells: how many chunks a selection meets, what its result weighs, and which requests are known beforehand.

use std::collections::HashSet;
use std::rc::Rc;

use js_sys::{Array, Object};
use wasm_bindgen::JsValue;

use super::JsResult;
use super::engine::Requests;
use super::reader::{Job, Reader};
use super::report::range;
use super::value::{number, numbers, object};
use crate::read::{Plan, Turn, Urgency};
use crate::source::{Location, Request};

/// The most stored chunks whose requests are listed: 100,000.
///
/// The reason: they are listed at once, and nobody reads more.
const MAX_LISTED: u64 = 100_000;

/// The plan of a selection as JavaScript sees it.
pub(super) fn planned(reader: &Rc<Reader>, plan: &Plan<'_>) -> JsResult<Object> {
    let requests = if plan.stored_chunks() > MAX_LISTED {
        JsValue::UNDEFINED
    } else {
        requests(reader, plan)?.iter().map(shown).collect::<Array>().into()
    };
    Ok(object([
        ("shape", numbers(plan.shape()).into()),
        ("bytes", number(plan.output_size()).into()),
        ("chunks", number(plan.chunks()).into()),
        ("storedChunks", number(plan.stored_chunks()).into()),
        ("requests", requests),
    ]))
}

/// The requests that a read would start with, near ranges joined as they would be.
fn requests(reader: &Rc<Reader>, plan: &Plan<'_>) -> JsResult<Vec<Request>> {
    let (mut queue, mut turn) = (Requests::default(), Turn::default());
    let system = reader.engine.store().system();
    let mut asked = HashSet::new();
    let mut ask = |request: &Request| -> JsResult<()> {
        let requests = system.map_or_else(|| Ok(vec![request.clone()]), |system| system.requests(request))?;
        for request in requests {
            // Many chunks may need a system to be told the same.
            if system.is_none() || asked.insert(request.clone()) {
                queue.push(request, Urgency::Now, &mut turn, None);
            }
        }
        Ok(())
    };
    for task in plan.tasks() {
        let mut tasks = vec![task?];
        // Shards whose index is at hand tell where their inner chunks are.
        while let Some(task) = tasks.pop() {
            match (reader.array.index_request(&task), reader.kept_index(&task)) {
                (Some(_), Some(index)) => {
                    if let Some(index) = index.as_ref() {
                        tasks.extend(reader.array.inner_tasks(&task, index)?.into_iter().rev());
                    }
                }
                (Some(request), None) => ask(&request)?,
                (None, _) => {
                    for job in reader.pieces(Job::new(task)) {
                        match &job.task.location {
                            Location::Stored(request) if !reader.has(&job.task) => ask(request)?,
                            _ => {}
                        }
                    }
                }
            }
        }
    }
    Ok(std::iter::from_fn(|| queue.pop(reader.engine.joining())).map(|batch| batch.request).collect())
}

fn shown(request: &Request) -> JsValue {
    object([("key", request.key.as_str().into()), ("range", range(&request.range))]).into()
}
