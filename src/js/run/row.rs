//! Rows: small chunks of a `Map` or a `Readable` that are requested, decoded and copied together.

use std::rc::Rc;

use super::execution::Execution;
use super::window::{Item, Leaf, LeafTarget, Ready, Wait};
use crate::js::JsResult;
use crate::js::chunks::in_flight::{RowFlight, RowPart, RowStage};
use crate::js::stores::stored_bytes::Values;
use crate::network::Request;
use crate::parts::{Calls, Loaded, later};
use crate::read::{ChunkLocation, ROW_BYTES, Task};

/// Requests the chunks of a row together. Returns the leaf if they must be requested one by one, because workers
/// may decode them or some are in flight already.
#[later]
pub(super) fn ask_row(
    part: Loaded<Calls>,
    run: &mut Execution<'_>,
    leaf: Leaf,
    request: &Request,
) -> Option<Leaf> {
    let source = run.source(&leaf.task);
    if source.may_send(&leaf.task) {
        return Some(leaf);
    }
    let count = leaf.task.chunks;
    let address = run.window.row_address(count);
    let number = address.number;
    let key = source.row_key(&leaf.task);
    match source.chunk_flights.row(part, key, request, &run.context, &source.driver, address) {
        Some(row) => run.window.wait(number, Item::of_chunks(leaf, Wait::Row(row))),
        None => return Some(leaf),
    }
    None
}

/// Handles the next stage of the row that an item waits for.
#[later]
pub(super) fn take_row(
    part: Loaded<Calls>,
    run: &mut Execution<'_>,
    number: u32,
    item: Item,
    row: &RowFlight,
) -> JsResult<()> {
    let array = &run.source(&item.leaf.task).array;
    match row.stage() {
        RowStage::Asked => run.window.wait(number, item),
        RowStage::Parted(flights) => {
            for ((task, flight), number) in item.leaf.task.singles(&array.keys).zip(flights).zip(number + 1..)
            {
                let leaf = Leaf { task, whole: None, chunks: item.leaf.chunks };
                run.window.wait(number, Item::of_chunks(leaf, Wait::One(LeafTarget::Chunk, flight)));
            }
        }
        RowStage::Came(parts) => {
            for RowPart { values, nth, place, count } in parts {
                let Some(task) = item.leaf.task.after(&array.keys, place) else { continue };
                let task = Task { chunks: count, ..task };
                put_row(part, run, Leaf { task, whole: None, chunks: item.leaf.chunks }, &values, nth)?;
            }
        }
    }
    Ok(())
}

/// Copies the chunks of a row to the result, as many at once as are stored one after the other and can be decoded.
#[later]
pub(super) fn put_row(
    _: Loaded<Calls>,
    run: &mut Execution<'_>,
    leaf: Leaf,
    values: &Rc<Values>,
    nth: usize,
) -> JsResult<()> {
    let source = run.source(&leaf.task);
    let array = &source.array;
    let admission = run.context.admission;
    let most = if source.decodes_together(&leaf.task, admission) { ROW_BYTES as usize } else { 0 };
    let mut at = nth;
    let mut next = Some(leaf.task);
    while let Some(mut task) = next {
        let lengths = values.lengths(at, task.chunks, most);
        let length = lengths.iter().map(|&length| length as usize).sum();
        let (mut scratch, mut row) = (std::mem::take(&mut run.scratch), std::mem::take(&mut run.row));
        scratch.resize(scratch.len().max(ROW_BYTES as usize), 0);
        let is_there = lengths.len() > 1 && values.batch.copy_all(at, lengths.len(), length, &mut scratch);
        let decoded = is_there.then(|| array.decode_row(&task, (&scratch, &lengths), &mut row)).flatten();
        let taken = if decoded.is_some() { lengths.len() } else { 1 };
        next = task.after(&array.keys, taken);
        task.chunks = taken;
        if let Some(decoded) = decoded {
            run.sink.put(&task, Some(&decoded))?;
            source.keep_row(&task, values, at, &lengths, admission);
            run.worked += decoded.bytes.len() as u64;
            lengths.iter().try_for_each(|&length| run.progress.add(1, length.into()))?;
            (run.scratch, run.row) = (scratch, row);
        } else {
            // The chunks cannot be decoded as a row from here: the first one is taken alone.
            (run.scratch, run.row) = (scratch, row);
            take_single(run, Leaf { task, whole: None, chunks: leaf.chunks }, values, at)?;
        }
        at += taken;
    }
    Ok(())
}

fn take_single(run: &mut Execution<'_>, leaf: Leaf, values: &Rc<Values>, nth: usize) -> JsResult<()> {
    let source = run.source(&leaf.task);
    let ChunkLocation::Stored(request) = &leaf.task.location else { return Ok(()) };
    let found = source.driver.value(values, nth, request);
    match found.map_err(|error| run.blamed(&leaf.task, error))? {
        Some(answered) => run.take(leaf, Ready::Stored(answered, false)),
        None => {
            source.keep_missing(&leaf.task, run.context.admission);
            run.put_missing(&leaf)
        }
    }
}
