//! The buffer of a read's result. Items that need no conversion are copied directly to JavaScript's array. Others are
//! assembled in staging buffers, and each is copied to JavaScript's arrays once it is complete.
//!
//! Invariant: one turn of the event loop copies at most a slice.

use js_sys::TypeError;
use wasm_bindgen::JsValue;

use super::copy_target::CopyTarget;
use super::region::{Range, data, number_of};
use crate::error::{Gather, Result};
use crate::js::JsResult;
use crate::js::convert::items::{Items, class, numbers};
use crate::js::options::read_options::OutputOptions;
use crate::js::support::time::TimeSlice;
use crate::output::{Assembly, Decoded, Numeric, OutputField, STAGING_BYTES, Staging, StagingBuffer};
use crate::read::{Plan, Task};

/// Bytes that are copied before the page may get a turn: 4 MiB, which takes one or two milliseconds.
const SLICE: usize = 4 << 20;

/// The result of a read in progress.
pub(crate) struct OutputBuffer<'a> {
    plan: &'a Plan<'a>,
    staging: Staging,
    reads_by_buffer: bool,
    columns: Vec<(Data, Range)>,
    /// Target of direct copies, in place of staging buffers; set for a whole result or not at all.
    copy_target: Option<CopyTarget>,
    /// Long staging buffers that wait to be copied, each with the index of its column.
    long: Vec<(usize, Assembly)>,
}

/// The data of a column.
enum Data {
    /// Typed array to which items are copied.
    Items(Items),
    /// List that is made from all items at once.
    Made(JsValue),
}

impl<'a> OutputBuffer<'a> {
    /// Makes the buffer of a plan's result, in the caller's array `out` if there is one.
    ///
    /// `reads_by_buffer` asks for one read for each staging buffer. Rows of at least `least_row` items may be copied directly.
    ///
    /// # Errors
    /// `TypeError` or `RangeError` where `out` does not fit; [`crate::Error::Unsupported`] where memory is too small.
    pub(crate) fn new(
        plan: &'a Plan<'a>,
        form: &OutputOptions,
        reads_by_buffer: bool,
        least_row: u64,
    ) -> JsResult<Self> {
        let numbers: Vec<_> = plan.columns().iter().map(numbers_of).gathered()?;
        let bytes = if numbers.iter().all(Option::is_some) { STAGING_BYTES } else { u64::MAX };
        let staging = if reads_by_buffer { plan.staging_across_chunks(bytes)? } else { plan.staging(bytes)? };
        let shape = plan.shape();
        let mut columns = Vec::new();
        for (nth, (column, number)) in plan.columns().iter().zip(numbers).enumerate() {
            let (out, bytes) = (form.out(nth), column.size(&shape));
            let data = match (number.map(class), out.is_undefined()) {
                (Some(class), true) => {
                    Data::Items(Items::new(class, bytes).map_err(|_| JsValue::from(plan.too_large()))?)
                }
                (Some(class), false) => Data::Items(Items::of(out, class, bytes)?),
                (None, true) => Data::Made(data(&Decoded::default(), column)?),
                (None, false) => {
                    let name = column.data_type.name();
                    return Err(TypeError::new(&format!(
                        "the option out cannot hold {name}, which is read as a list"
                    ))
                    .into());
                }
            };
            columns.push((data, None));
        }
        let copy_target = match columns.first() {
            Some((Data::Items(items), _)) => {
                CopyTarget::new(plan, items.bytes(), form.out(0).is_undefined(), least_row)
            }
            _ => None,
        };
        let reads_by_buffer = reads_by_buffer && copy_target.is_none();
        Ok(Self { plan, staging, reads_by_buffer, columns, copy_target, long: Vec::new() })
    }

    /// Whether one staging buffer is read after the other.
    pub(crate) fn reads_by_buffer(&self) -> bool {
        self.reads_by_buffer
    }

    /// The plans to read one after the other: one for each staging buffer, or one for the whole result.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Plan<'a>> + use<'a> {
        let buffers = if self.reads_by_buffer { self.staging.count() } else { 0 };
        let rows: Vec<_> = (0..buffers).map(|buffer| self.staging.rows(buffer)).collect();
        let (plan, whole) = (self.plan, (!self.reads_by_buffer).then(|| self.plan.clone()));
        rows.into_iter().map(|rows| plan.within(&rows)).chain(whole)
    }

    /// Target of direct copies, where all items of the result can be copied unchanged.
    pub(crate) fn copy_target(&self) -> Option<&CopyTarget> {
        self.copy_target.as_ref()
    }

    /// Adds the chunk of a task, or the fill value where the chunk is missing. The chunks of a row lie one after the
    /// other.
    pub(crate) fn put(&mut self, task: &Task, chunk: Option<&Decoded<'_>>) -> JsResult<()> {
        if let Some(copy_target) = &self.copy_target {
            return copy_target.put(&task.selection, chunk);
        }
        for nth in self.staging.of(&task.selection) {
            if let Some(buffer) = self.staging.put(nth, task.place(), chunk)? {
                self.hand_over(buffer)?;
            }
        }
        Ok(())
    }

    /// Whether long staging buffers wait to be copied.
    pub(crate) fn is_pending(&self) -> bool {
        !self.long.is_empty()
    }

    /// Copies long staging buffers in slices, so that the page gets its turns.
    pub(crate) async fn settle(&mut self, time_slice: &mut TimeSlice) -> JsResult<()> {
        for (nth, items) in std::mem::take(&mut self.long) {
            let Data::Items(to) = &self.columns[nth].0 else { continue };
            let (bytes, place) = items.placed();
            for (slice, at) in bytes.chunks(SLICE).zip(place.step_by(SLICE)) {
                to.set(slice, at)?;
                time_slice.take().await;
            }
            self.staging.reuse(items);
        }
        Ok(())
    }

    /// The data of every column and its least and greatest item, once all chunks were added.
    pub(crate) fn finish(self) -> Vec<(JsValue, Range)> {
        let data = |data| match data {
            Data::Items(items) => items.array,
            Data::Made(data) => data,
        };
        self.columns.into_iter().map(|(made, range)| (data(made), range)).collect()
    }

    fn hand_over(&mut self, buffer: StagingBuffer) -> JsResult<()> {
        for (nth, items) in buffer.columns.into_iter().enumerate() {
            let (to, range) = &mut self.columns[nth];
            *range = union(*range, items.range());
            match to {
                Data::Items(to) => {
                    let (bytes, place) = items.placed();
                    if bytes.len() > SLICE {
                        self.long.push((nth, items));
                        continue;
                    }
                    to.set(bytes, place.start)?;
                    self.staging.reuse(items);
                }
                Data::Made(made) => {
                    *made = data(&items.into_decoded(), &self.plan.columns()[nth])?;
                }
            }
        }
        Ok(())
    }
}

/// Number type of a column's typed array; `None` where its items are a list.
fn numbers_of(column: &OutputField) -> Result<Option<Numeric>> {
    Ok(match &column.cast {
        Some(cast) => Some(number_of(column, cast)),
        None => numbers(&column.data_type)?.map(|(number, _)| number),
    })
}

fn union(one: Range, other: Range) -> Range {
    let (Some(a), Some(b)) = (one, other) else { return one.or(other) };
    Some((a.0.min(b.0), a.1.max(b.1)))
}
