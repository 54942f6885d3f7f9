//! Rows: values of small chunks that a store gave at once, decoded and put together.

use std::rc::Rc;

use super::execution::Execution;
use super::window::{Leaf, Ready};
use crate::js::JsResult;
use crate::js::stores::batch_values::Values;
use crate::read::ROW_BYTES;
use crate::source::ChunkLocation;

impl Execution<'_> {
    /// Puts the chunks of a row in their places: those that follow one another in good order together.
    pub(super) fn put_row(&mut self, leaf: Leaf, values: &Rc<Values>, nth: usize) -> JsResult<()> {
        let array = &self.source(&leaf.task).array;
        let mut at = nth;
        let mut next = Some(leaf.task);
        while let Some(mut task) = next {
            let mut total = 0;
            let fits = |length: &u32| {
                total += *length as usize;
                total <= ROW_BYTES as usize
            };
            let lengths: Vec<u32> = values.lengths(at, task.chunks).take_while(fits).collect();
            let length = lengths.iter().map(|&length| length as usize).sum();
            let (mut scratch, mut row) = (std::mem::take(&mut self.scratch), std::mem::take(&mut self.row));
            scratch.resize(scratch.len().max(ROW_BYTES as usize), 0);
            let is_there =
                lengths.len() > 1 && values.batch.copy_all(at, lengths.len(), length, &mut scratch);
            let decoded = is_there.then(|| array.decode_row(&task, (&scratch, &lengths), &mut row)).flatten();
            let taken = if decoded.is_some() { lengths.len() } else { 1 };
            next = task.after(array, taken);
            task.chunks = taken;
            if let Some(decoded) = decoded {
                self.sink.put(&task, Some(&decoded))?;
                self.worked += decoded.bytes.len() as u64;
                lengths.iter().try_for_each(|&length| self.progress.add(1, length.into()))?;
                (self.scratch, self.row) = (scratch, row);
            } else {
                // The first one ends a row that has nothing else in good order: it goes alone.
                (self.scratch, self.row) = (scratch, row);
                self.take_single(Leaf { task, whole: None, chunks: leaf.chunks }, values, at)?;
            }
            at += taken;
        }
        Ok(())
    }

    fn take_single(&mut self, leaf: Leaf, values: &Rc<Values>, nth: usize) -> JsResult<()> {
        let source = self.source(&leaf.task);
        let ChunkLocation::Stored(request) = &leaf.task.location else { return Ok(()) };
        let found = source.driver.value(values, nth, request);
        match found.map_err(|error| self.blamed(&leaf.task, error))? {
            Some(answered) => self.take(leaf, Ready::Stored(answered, false)),
            None => self.put_missing(&leaf),
        }
    }
}
