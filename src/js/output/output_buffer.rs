//! The buffer of a read's result. Items that need no conversion are copied directly to JavaScript's array. Others are
//! assembled in strips, and each strip is copied to JavaScript's arrays once it is complete.
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
use crate::output::{Assembly, Decoded, Numeric, OutputField};
use crate::read::{Plan, STRIP_BYTES, Strip, Strips, Task};

/// Bytes that are copied before the page may get a turn: 4 MiB, which takes one or two milliseconds.
const SLICE: usize = 4 << 20;

/// The result of a read in progress.
pub(crate) struct OutputBuffer<'a> {
    plan: &'a Plan<'a>,
    strips: Strips,
    reads_by_strip: bool,
    columns: Vec<(Data, Range)>,
    /// Target of direct copies, in place of strips; set for a whole result or not at all.
    copy_target: Option<CopyTarget>,
    /// Long strips that wait to be copied, each with the index of its column.
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
    /// `reads_by_strip` asks for one read for each strip. Rows of at least `least_row` items may be copied directly.
    ///
    /// # Errors
    /// `TypeError` or `RangeError` where `out` does not fit; [`crate::Error::Unsupported`] where memory is too small.
    pub(crate) fn new(
        plan: &'a Plan<'a>,
        form: &OutputOptions,
        reads_by_strip: bool,
        least_row: u64,
    ) -> JsResult<Self> {
        let numbers: Vec<_> = plan.columns().iter().map(numbers_of).gathered()?;
        let bytes = if numbers.iter().all(Option::is_some) { STRIP_BYTES } else { u64::MAX };
        let strips = if reads_by_strip { Strips::across_chunks } else { Strips::new }(plan, bytes)?;
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
        let reads_by_strip = reads_by_strip && copy_target.is_none();
        Ok(Self { plan, strips, reads_by_strip, columns, copy_target, long: Vec::new() })
    }

    /// Whether chunks are read strip by strip.
    pub(crate) fn reads_by_strip(&self) -> bool {
        self.reads_by_strip
    }

    /// The plans to read one after the other: one for each strip, or one for the whole result.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Plan<'a>> + use<'a> {
        let strips = if self.reads_by_strip { self.strips.count() } else { 0 };
        let rows: Vec<_> = (0..strips).map(|strip| self.strips.rows(strip)).collect();
        let (plan, whole) = (self.plan, (!self.reads_by_strip).then(|| self.plan.clone()));
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
        for nth in self.strips.of(&task.selection) {
            if let Some(strip) = self.strips.put(nth, task, chunk)? {
                self.hand_over(strip)?;
            }
        }
        Ok(())
    }

    /// Whether long strips wait to be copied.
    pub(crate) fn is_pending(&self) -> bool {
        !self.long.is_empty()
    }

    /// Copies long strips in slices, so that the page gets its turns.
    pub(crate) async fn settle(&mut self, time_slice: &mut TimeSlice) -> JsResult<()> {
        for (nth, items) in std::mem::take(&mut self.long) {
            let Data::Items(to) = &self.columns[nth].0 else { continue };
            let (bytes, place) = items.placed();
            for (slice, at) in bytes.chunks(SLICE).zip(place.step_by(SLICE)) {
                to.set(slice, at)?;
                time_slice.take().await;
            }
            self.strips.reuse(items);
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

    fn hand_over(&mut self, strip: Strip) -> JsResult<()> {
        for (nth, items) in strip.columns.into_iter().enumerate() {
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
                    self.strips.reuse(items);
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
