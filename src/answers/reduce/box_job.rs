//! Box jobs: all that the reduction of one chunk's box needs, as bytes, for a worker that has neither array nor answer.
//!
//! A job has the selection from the chunk, the cast of its items, the statistics, and the walk through the box with the
//! groups and weights that it meets. The result is the packed accumulators of the box's tile.
//! Invariant: a result is, to the bit, what the instance that made the job would have made of the same chunk.

use std::rc::Rc;

use super::accumulators::{Accumulators, Statistics};
use super::fold::{BoxItems, ItemType, Labels, Walk, fold};
use crate::error::{Error, Gather, Packer, Result, Unpacker};
use crate::grid::{AxisIndexer, ChunkSelection};
use crate::metadata::{DataType, Kind};
use crate::output::{
    Cast, ChunkPlace, Decoded, OutputBox, OutputField, ResultLayout, pack_number, unpack_number,
};
use crate::parts::Loaded;

/// The box of a result that one chunk fills.
#[derive(Debug, Clone, Copy)]
pub struct ChunkBox<'a> {
    /// Start and stop along each axis of the result.
    pub bounds: &'a [(u64, u64)],
    /// Picks along each axis of the chunk, with output positions from the start of the box.
    pub picks: &'a [AxisIndexer],
    /// Length of the result along each axis of the array; `None` where an integer drops it.
    pub lengths: &'a [Option<u64>],
    /// The column that is read.
    pub column: &'a OutputField,
    /// Bytes of the decoded chunk.
    pub chunk_bytes: u64,
}

/// How a box becomes accumulators: what is asked of its items, their type, and the number of cells.
#[derive(Debug, Clone, Copy)]
pub(super) struct Recipe<'a> {
    pub(super) statistics: &'a Statistics,
    pub(super) item_type: ItemType,
    pub(super) cells: usize,
}

impl Recipe<'_> {
    /// The accumulators of a box's items.
    pub(super) fn reduced(self, walk: &Walk, labels: Labels<'_>, items: BoxItems<'_>) -> Accumulators {
        let mut own = self.begun(labels.weights.is_some());
        fold(&mut own, walk, labels, items, self.item_type);
        own
    }

    /// Accumulators without items.
    pub(super) fn begun(self, is_weighted: bool) -> Accumulators {
        Accumulators::new(self.statistics, self.item_type.numeric, is_weighted, self.cells)
    }

    /// The job of a box; `None` where it cannot leave this instance, or would save too little: where the job and its
    /// result have more than half of the chunk's bytes.
    pub(super) fn job(self, place: ChunkBox<'_>, walk: &Walk, labels: Labels<'_>) -> Option<Vec<u8>> {
        let one = Recipe { cells: 1, ..self }.begun(labels.weights.is_some()).size();
        let bytes = one.saturating_mul(self.cells).saturating_add(walk.size_of_labels(labels)) as u64;
        if bytes > place.chunk_bytes / 2 {
            return None;
        }
        let mut parts = Packer::default();
        pack_selection(place, &mut parts)?;
        self.statistics.pack(&mut parts)?;
        let ItemType { numeric, is_complex, is_time } = self.item_type;
        pack_number(numeric, &mut parts);
        parts.number(is_complex.into()).number(is_time.into()).number(self.cells as u64);
        let (walk, groups, weights) = walk.apart(labels);
        parts.number(groups.is_some().into()).number(weights.is_some().into());
        parts.numbers(groups.unwrap_or_default().into_iter().map(u64::from));
        parts.numbers(weights.unwrap_or_default().into_iter().map(f64::to_bits));
        walk.pack(&mut parts);
        Some(parts.finish())
    }
}

/// Reduces a decoded chunk by a job; returns the packed accumulators.
///
/// # Errors
/// [`Error::Unsupported`] where the bytes are no job or memory runs out, [`Error::Range`] where an item does not fit the
/// type that it is cast to.
pub fn reduced_apart(job: &[u8], chunk: &Decoded<'_>) -> Result<Vec<u8>> {
    let mut parts = Unpacker::new(job);
    let (layout, selection) = unpack_selection(&mut parts).ok_or_else(mixed)?;
    let (statistics, item_type, cells) = unpack_recipe(&mut parts).ok_or_else(mixed)?;
    let (groups, weights) = unpack_labels(&mut parts).ok_or_else(mixed)?;
    let labels = Labels { groups: groups.as_deref(), weights: weights.as_deref() };
    let walk = Walk::unpack(&mut parts, cells, labels).ok_or_else(mixed)?;
    let place = ChunkPlace { array: 0, selection: &selection, chunks: 1 };
    let boxes = OutputBox::of_chunk(&layout, place, Some(chunk))?;
    let [whole] = boxes.as_slice() else { return Err(mixed()) };
    let items = &whole.columns[0].bytes;
    if walk.items().checked_mul(item_type.numeric.size()) != Some(items.len()) {
        return Err(mixed());
    }
    let recipe = Recipe { statistics: &statistics, item_type, cells };
    let mut result = Packer::default();
    recipe.reduced(&walk, labels, BoxItems::Stored(items)).pack(&mut result);
    Ok(result.finish())
}

/// The error where a job or a result is not what this instance packs.
pub(crate) fn mixed() -> Error {
    Error::other_version("a reduction in a worker")
}

/// Packs the selection from a chunk and the cast of its items; `None` of lists, and of casts that cannot be packed.
fn pack_selection(place: ChunkBox<'_>, parts: &mut Packer) -> Option<()> {
    let ChunkBox { picks, lengths, column, .. } = place;
    parts.number(picks.len() as u64);
    for (picks, length) in picks.iter().zip(lengths) {
        let AxisIndexer::Run { first, step, count, output, reversed } = picks else { return None };
        let numbers = [*first, *step, *count, *output, u64::from(*reversed), u64::from(length.is_some())];
        parts.numbers(numbers.into_iter());
    }
    parts.number(column.data_type.item_size() as u64).number(column.offset as u64);
    parts.number(column.cast.is_some().into());
    column.cast.as_ref().map_or(Some(()), |cast| cast.pack(parts))
}

fn unpack_selection(parts: &mut Unpacker<'_>) -> Option<(ResultLayout, ChunkSelection)> {
    let (mut picks, mut lengths) = (Vec::new(), Vec::new());
    for _ in 0..parts.length()? {
        let [first, step, count, output, reversed, is_kept] = parts.numbers()?.try_into().ok()?;
        picks.push(AxisIndexer::Run { first, step, count, output, reversed: reversed == 1 });
        lengths.push((is_kept == 1).then_some(count));
    }
    let (size, offset) = (parts.number()?, parts.length()?);
    let cast = match parts.number()? {
        0 => None,
        _ => Some(Rc::new(Cast::unpack(Loaded::get().ok()?, parts)?)),
    };
    // Only the size counts: the items were decoded by their own type, and the cast knows their numbers.
    let data_type = DataType::new("", Kind::Raw, size);
    let column = OutputField { offset, cast, ..OutputField::whole(&data_type, &[]) };
    Some((ResultLayout::of_column(lengths, column), ChunkSelection::Axes(picks)))
}

fn unpack_recipe(parts: &mut Unpacker<'_>) -> Option<(Statistics, ItemType, usize)> {
    let (statistics, numeric) = (Statistics::unpack(parts)?, unpack_number(parts)?);
    let (is_complex, is_time) = (parts.number()? == 1, parts.number()? == 1);
    Some((statistics, ItemType { numeric, is_complex, is_time }, parts.length()?))
}

type UnpackedLabels = (Option<Vec<u32>>, Option<Vec<f64>>);

fn unpack_labels(parts: &mut Unpacker<'_>) -> Option<UnpackedLabels> {
    let (has_groups, has_weights) = (parts.number()? == 1, parts.number()? == 1);
    let groups = parts.numbers()?.into_iter().map(u32::try_from).gathered().ok()?;
    let weights = parts.numbers()?.into_iter().map(f64::from_bits).collect();
    Some((has_groups.then_some(groups), has_weights.then_some(weights)))
}
