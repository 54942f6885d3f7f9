//! The parts of a streamed read: a region for each chunk, with its bounds in the result.

use std::collections::VecDeque;

use js_sys::Object;

use super::region::{data, region};
use super::stream::PartSender;
use crate::error::Gather;
use crate::js::JsResult;
use crate::js::chunks::sources::JoinedSources;
use crate::js::convert::value::{numbers, set};
use crate::js::options::read_options::OutputOptions;
use crate::output::Decoded;
use crate::parts::{Calls, Loaded, later};
use crate::read::{Plan, Task};

/// Sends the parts of a plan's result as chunks are decoded.
pub(crate) struct Parts<'a> {
    sources: &'a JoinedSources,
    plan: &'a Plan<'a>,
    form: &'a OutputOptions,
    sender: PartSender,
    waiting: VecDeque<Object>,
    part: Loaded<Calls>,
}

impl<'a> Parts<'a> {
    pub(crate) fn new(
        sources: &'a JoinedSources,
        plan: &'a Plan<'a>,
        form: &'a OutputOptions,
        sender: PartSender,
        part: Loaded<Calls>,
    ) -> Self {
        Self { sources, plan, form, sender, waiting: VecDeque::new(), part }
    }

    /// Makes the parts for a task's chunk, or for the fill value where the chunk is missing.
    pub(crate) fn put(&mut self, task: &Task, chunk: Option<&Decoded<'_>>) -> JsResult<()> {
        put(self.part, self, task, chunk)
    }

    /// Whether parts wait to be sent.
    pub(crate) fn is_pending(&self) -> bool {
        !self.waiting.is_empty()
    }

    /// Sends the waiting parts, no faster than the caller takes them.
    pub(crate) async fn settle(&mut self) {
        while let Some(part) = self.waiting.pop_front() {
            self.sender.send(Ok(part)).await;
        }
    }
}

#[later]
fn put(_: Loaded<Calls>, parts: &mut Parts<'_>, task: &Task, chunk: Option<&Decoded<'_>>) -> JsResult<()> {
    for part in parts.plan.boxes(task, chunk)? {
        let shape: Vec<u64> = part.bounds.iter().map(|(start, stop)| stop - start).collect();
        let columns = part.columns.iter().zip(parts.plan.columns()).zip(&part.ranges);
        let columns =
            columns.map(|((items, column), range)| -> JsResult<_> { Ok((data(items, column)?, *range)) });
        let found = region(columns.gathered()?, &shape, parts.form);
        let coords = parts.sources.array.read_coords(task);
        set(&found, "coords", &numbers(coords).into());
        set(&found, "start", &numbers(part.bounds.iter().map(|(start, _)| *start)).into());
        set(&found, "stop", &numbers(part.bounds.iter().map(|(_, stop)| *stop)).into());
        parts.waiting.push_back(found);
    }
    Ok(())
}
