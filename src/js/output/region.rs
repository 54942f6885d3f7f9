//! The result of a read as a JavaScript object, `{ data, shape, stride }`, and the buffer in which its data are put together.
//!
//! Items of a result that need no conversion are copied directly to JavaScript's array, from WebAssembly memory, a store's
//! bytes or a worker's. Others are assembled in staging buffers, and each is copied to JavaScript's arrays once it is
//! complete.
//!
//! Invariants: the result is never read, and each chunk is copied to it once; one turn of the event loop copies at most a
//! slice.

use js_sys::{Array, Object, TypeError, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::error::{Gather, Result};
use crate::grid::ChunkSelection;
use crate::js::JsResult;
use crate::js::convert::items::{Items, class, numbers as numbers_in, typed, values};
use crate::js::convert::value::{number, numbers, object, set};
use crate::js::options::read_options::{Fields, OutputOptions};
use crate::js::stores::stored_bytes::StoredBytes;
use crate::js::support::time::TimeSlice;
use crate::js::workers::decoded_chunk::TransferredChunk;
use crate::output::{
    Assembly, Cast, Decoded, DirectCopy, Numeric, OutputField, STAGING_BYTES, Staging, StagingBuffer,
};
use crate::read::{Plan, Task};

/// The data of one column of a result or of a part, as a JavaScript array.
pub(crate) fn data(items: &Decoded<'_>, column: &OutputField) -> JsResult<JsValue> {
    match &column.cast {
        Some(cast) => typed(&items.bytes, number_of(column, cast)),
        None => values(items, &column.data_type),
    }
}

/// Number type of a column's typed array. Float16 items of a texture are given as bits, in a `Uint16Array`, which every
/// engine has.
pub(crate) fn number_of(column: &OutputField, cast: &Cast) -> Numeric {
    match cast.target() {
        Numeric::Float(16) if column.row_alignment.is_some() => Numeric::UInt(16),
        number => number,
    }
}

/// The least and the greatest item, if they were computed.
pub(crate) type Range = Option<(f64, f64)>;

/// Makes the region from the data and the ranges of a plan's columns.
pub(crate) fn region(columns: Vec<(JsValue, Range)>, shape: &[u64], form: &OutputOptions) -> Object {
    let width = shape.last().copied().unwrap_or(1);
    let rows =
        form.texture.as_ref().map(|texture| (texture.bytes_per_row(width), texture.target.size() as u64));
    let mut row = rows.map_or(width, |(bytes, item)| bytes / item);
    let mut stride = vec![1; shape.len()];
    for axis in (1..shape.len()).rev() {
        stride[axis - 1] = stride[axis] * std::mem::replace(&mut row, shape[axis - 1]);
    }
    let texture = |value: u64| rows.map_or(JsValue::UNDEFINED, |_| number(value).into());
    let pair = |(least, greatest): (f64, f64)| JsValue::from(Array::of2(&least.into(), &greatest.into()));
    let mut columns = columns.into_iter().map(|(data, range)| (data, range.map_or(JsValue::UNDEFINED, pair)));
    let (data, range) = match &form.fields {
        Fields::Several(paths) => {
            let (data, ranges) = (Object::new(), Object::new());
            for (path, (values, range)) in paths.iter().zip(columns) {
                set(&data, path, &values);
                set(&ranges, path, &range);
            }
            (data.into(), if form.minmax { ranges.into() } else { JsValue::UNDEFINED })
        }
        Fields::All | Fields::One(_) => columns.next().unwrap_or_default(),
    };
    object([
        ("data", data),
        ("shape", numbers(shape.iter().copied()).into()),
        ("stride", numbers(stride).into()),
        ("range", range),
        ("width", texture(width)),
        ("height", texture(shape.iter().rev().skip(1).product())),
        ("bytesPerRow", texture(rows.map_or(0, |(bytes, _)| bytes))),
    ])
}

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
        None => numbers_in(&column.data_type)?.map(|(number, _)| number),
    })
}

fn union(one: Range, other: Range) -> Range {
    let (Some(a), Some(b)) = (one, other) else { return one.or(other) };
    Some((a.0.min(b.0), a.1.max(b.1)))
}

#[wasm_bindgen(raw_module = "../bridge/scatter.js")]
extern "C" {
    #[wasm_bindgen(js_name = wordsOf)]
    fn words_of(bytes: &JsValue, size: u32) -> JsValue;

    #[wasm_bindgen(catch)]
    fn scatter(source: &[u8], target: &JsValue, walk: &[i32]) -> JsResult<()>;

    #[wasm_bindgen(catch, js_name = scatter)]
    fn scatter_sent(source: &Uint8Array, target: &JsValue, walk: &[i32]) -> JsResult<()>;
}

/// The result's array as a typed array of words, and the plan of copies to it.
pub(crate) struct CopyTarget {
    places: DirectCopy,
    words: JsValue,
    /// The fill value for missing chunks; `None` where the result's zeros already equal it.
    fill: Option<Vec<u8>>,
}

impl CopyTarget {
    /// Makes the target for a plan's result in `bytes`, which are zeros if `is_fresh`; `None` where the plan's items
    /// cannot be copied directly.
    pub(crate) fn new(plan: &Plan<'_>, bytes: &JsValue, is_fresh: bool, least_row: u64) -> Option<Self> {
        if plan.array().metadata.fill_fault.is_some() {
            return None;
        }
        let places = plan.direct_copy(least_row)?;
        let words = words_of(bytes, u32::try_from(places.word()).ok()?);
        let fill = &plan.columns().first()?.fill_value;
        let fill = (!is_fresh || fill.iter().any(|&byte| byte != 0)).then(|| fill.clone());
        (!words.is_undefined()).then_some(Self { places, words, fill })
    }

    /// Copies the selected items of a chunk to the result, or the fill value where the chunk is missing.
    pub(crate) fn put(&self, selection: &ChunkSelection, chunk: Option<&Decoded<'_>>) -> JsResult<()> {
        match (chunk, &self.fill) {
            (Some(chunk), _) => {
                let chunk = chunk.in_little_endian();
                scatter(&chunk.bytes, &self.words, &self.places.walk(selection, &chunk.strides))
            }
            (None, Some(fill)) => scatter(fill, &self.words, &self.places.walk(selection, &[])),
            (None, None) => Ok(()),
        }
    }

    /// Copies the selected items of a chunk that a worker sent.
    pub(crate) fn put_sent(&self, selection: &ChunkSelection, chunk: &TransferredChunk) -> JsResult<()> {
        scatter_sent(&chunk.items(), &self.words, &self.places.walk(selection, chunk.strides()))
    }

    /// Copies the selected items of a chunk that is stored as uncompressed items with these strides in bytes; returns
    /// whether the store's bytes are still there.
    pub(crate) fn put_bytes(
        &self,
        selection: &ChunkSelection,
        bytes: &StoredBytes,
        strides: &[usize],
    ) -> JsResult<bool> {
        bytes.scatter(&self.words, &self.places.walk(selection, strides))
    }
}
