//! The buffer of a read's result: chunks to their places in JavaScript's array where their items stay as they are, else
//! bands, each copied to JavaScript's arrays as soon as it is whole.
//!
//! Invariant: what is copied in one turn of the event loop is no more than a slice.

use js_sys::TypeError;
use wasm_bindgen::JsValue;

use super::copy_target::CopyTarget;
use super::region::{Range, data, number_of};
use crate::js::JsResult;
use crate::js::convert::typed_array::{Items, class, numbers};
use crate::js::options::output_options::OutputOptions;
use crate::js::support::timer::TimeSlice;
use crate::output::{Assembly, Decoded, Numeric, OutputField};
use crate::read::{BAND_BYTES, Plan, Strip, Strips, Task};

/// Bytes that are copied before others get a turn, if it is time for that: 4 MiB, which takes one or two milliseconds.
const SLICE: usize = 4 << 20;

/// The result of a read in the making.
pub(crate) struct OutputBuffer<'a> {
    plan: &'a Plan<'a>,
    bands: Strips,
    is_banded: bool,
    columns: Vec<(Data, Range)>,
    /// The way past the bands, for the whole of a result.
    copy_target: Option<CopyTarget>,
    /// Long bands that wait to be copied, each with the number of its column.
    long: Vec<(usize, Assembly)>,
}

/// The data of a column.
enum Data {
    /// Items that are copied as they are.
    Items(Items),
    /// Value that is made of all items at once.
    Made(JsValue),
}

impl<'a> OutputBuffer<'a> {
    /// Room for a plan's result, or the caller's where there is some; whether it is to be read band by band, and from
    /// which length on rows are copied to it one by one.
    pub(crate) fn new(
        plan: &'a Plan<'a>,
        form: &OutputOptions,
        is_banded: bool,
        least_row: u64,
    ) -> JsResult<Self> {
        let numbers: Vec<_> = plan.columns().iter().map(numbers_of).collect();
        let bytes = if numbers.iter().all(Option::is_some) { BAND_BYTES } else { u64::MAX };
        let bands = if is_banded { Strips::across_chunks } else { Strips::new }(plan, bytes)?;
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
                    return Err(
                        TypeError::new(&format!("there is no out for {name}, which is a list")).into()
                    );
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
        let is_banded = is_banded && copy_target.is_none();
        Ok(Self { plan, bands, is_banded, columns, copy_target, long: Vec::new() })
    }

    /// Whether chunks are read band by band.
    pub(crate) fn is_banded(&self) -> bool {
        self.is_banded
    }

    /// The reads to do one after the other: one for each band, or one for all.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Plan<'a>> + use<'a> {
        let bands = if self.is_banded { self.bands.count() } else { 0 };
        let rows: Vec<_> = (0..bands).map(|band| self.bands.rows(band)).collect();
        let (plan, whole) = (self.plan, (!self.is_banded).then(|| self.plan.clone()));
        rows.into_iter().map(|rows| plan.within(&rows)).chain(whole)
    }

    /// Target that items of chunks are copied to as they are, where the whole result consists of such items.
    pub(crate) fn copy_target(&self) -> Option<&CopyTarget> {
        self.copy_target.as_ref()
    }

    /// Puts a task's chunk in its place, or the fill value where there is none; those of a row lie one after the other.
    pub(crate) fn put(&mut self, task: &Task, chunk: Option<&Decoded<'_>>) -> JsResult<()> {
        if let Some(copy_target) = &self.copy_target {
            return copy_target.put(&task.wanted, chunk);
        }
        for nth in self.bands.of(&task.wanted) {
            if let Some(band) = self.bands.put(nth, task, chunk)? {
                self.hand_over(band)?;
            }
        }
        Ok(())
    }

    /// Whether long bands wait to be copied.
    pub(crate) fn is_pending(&self) -> bool {
        !self.long.is_empty()
    }

    /// Copies long bands, so much at a time that others get their turn.
    pub(crate) async fn settle(&mut self, time_slice: &mut TimeSlice) -> JsResult<()> {
        for (nth, items) in std::mem::take(&mut self.long) {
            let Data::Items(to) = &self.columns[nth].0 else { continue };
            let (bytes, place) = items.placed();
            for (slice, at) in bytes.chunks(SLICE).zip(place.step_by(SLICE)) {
                to.set(slice, at)?;
                time_slice.take().await;
            }
            self.bands.reuse(items);
        }
        Ok(())
    }

    /// The data of every column, and its range, once all chunks are there.
    pub(crate) fn finish(self) -> Vec<(JsValue, Range)> {
        let data = |data| match data {
            Data::Items(items) => items.array,
            Data::Made(data) => data,
        };
        self.columns.into_iter().map(|(made, range)| (data(made), range)).collect()
    }

    fn hand_over(&mut self, band: Strip) -> JsResult<()> {
        for (nth, items) in band.columns.into_iter().enumerate() {
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
                    self.bands.reuse(items);
                }
                Data::Made(made) => {
                    *made = data(&items.into_decoded(), &self.plan.columns()[nth])?;
                }
            }
        }
        Ok(())
    }
}

/// The numbers that a column's items are copied as; nothing where they are a list.
fn numbers_of(column: &OutputField) -> Option<Numeric> {
    match &column.cast {
        Some(cast) => Some(number_of(column, cast)),
        None => numbers(&column.data_type).map(|(number, _)| number),
    }
}

fn union(one: Range, other: Range) -> Range {
    let (Some(a), Some(b)) = (one, other) else { return one.or(other) };
    Some((a.0.min(b.0), a.1.max(b.1)))
}
