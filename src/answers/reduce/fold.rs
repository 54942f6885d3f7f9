//! Folds of boxes: the items of a box, added to the accumulators of their cells in C order, a block at a time.

use rectilinear_zarr_kernels::numeric::{BLOCK, Numeric};

use super::accumulators::Accumulators;
use super::block::{Block, Target};
use super::cells::{Cells, NO_GROUP, Tile};

/// The items of a box, little endian.
#[derive(Debug, Clone, Copy)]
pub enum BoxItems<'a> {
    /// All of them, in C order.
    Stored(&'a [u8]),
    /// One that stands for all, because none is stored.
    Filled(&'a [u8]),
}

/// The items of a selection: numbers, or pairs of them that are complex numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ItemType {
    pub(super) numeric: Numeric,
    pub(super) is_complex: bool,
    pub(super) is_time: bool,
}

/// One axis of a box, or several that are walked as one.
#[derive(Debug, Clone, Copy, Default)]
struct Along {
    length: usize,
    /// Steps from one place to the next: of the cell, the group, the weight, and the number among a cell's items.
    cell: usize,
    group: usize,
    weight: usize,
    number: u64,
}

impl Along {
    /// Whether an axis goes on where `inner` ends, so that both are walked as one.
    fn continues(&self, inner: &Self) -> bool {
        let length = inner.length;
        self.cell == inner.cell * length
            && self.group == inner.group * length
            && self.weight == inner.weight * length
            && self.number == inner.number.saturating_mul(length as u64)
    }
}

/// Adds the items of a box to the accumulators of a tile that it lies in.
pub(super) fn fold(
    accumulators: &mut Accumulators,
    cells: &Cells,
    tile: &Tile,
    bounds: &[(u64, u64)],
    items: BoxItems<'_>,
    item_type: ItemType,
) {
    let (cell_steps, number_steps) = (tile.strides(cells), cells.reduced_strides());
    let mut start = Along::default();
    let mut axes: Vec<Along> = Vec::with_capacity(bounds.len());
    for (axis, (from, to)) in bounds.iter().enumerate() {
        let group = cells.groups.as_ref().map_or(0, |groups| groups.strides[axis]);
        let weight = cells.weights.as_ref().map_or(0, |weights| weights.strides[axis]);
        start.cell += (from - tile.bounds[axis].0) as usize * cell_steps[axis];
        start.group += *from as usize * group;
        start.weight += *from as usize * weight;
        start.number += from * number_steps[axis];
        let length = (to - from) as usize;
        let this = Along { length, cell: cell_steps[axis], group, weight, number: number_steps[axis] };
        match axes.last_mut() {
            _ if length == 1 => {}
            Some(last) if last.continues(&this) => *last = Along { length: last.length * length, ..this },
            _ => axes.push(this),
        }
    }
    let inner = axes.pop().unwrap_or(Along { length: 1, ..Along::default() });
    let size = item_type.numeric.size();
    let parts = if item_type.is_complex { 2 } else { 1 };
    // A complex number is missing where one of its parts is; where nothing is skipped, each part stands for itself.
    let item_type = ItemType { is_complex: item_type.is_complex && accumulators.skips(), ..item_type };
    let mut row = Row { cells, item_type, inner, parts, scratch: Box::default() };
    let mut places = vec![0; axes.len()];
    let mut at = 0;
    loop {
        let item = match items {
            BoxItems::Stored(bytes) => BoxItems::Stored(&bytes[at..at + inner.length * size]),
            BoxItems::Filled(item) => BoxItems::Filled(item),
        };
        row.add(accumulators, start, item);
        at += inner.length * size;
        let mut axis = axes.len();
        loop {
            let Some(outer) = axis.checked_sub(1) else { return };
            axis = outer;
            let Along { length, cell, group, weight, number } = axes[axis];
            places[axis] += 1;
            if places[axis] < length {
                start.cell += cell;
                start.group += group;
                start.weight += weight;
                start.number += number;
                break;
            }
            places[axis] = 0;
            start.cell -= cell * (length - 1);
            start.group -= group * (length - 1);
            start.weight -= weight * (length - 1);
            start.number -= number * (length as u64 - 1);
        }
    }
}

/// Rows of a box.
struct Row<'a> {
    cells: &'a Cells,
    item_type: ItemType,
    inner: Along,
    /// Numbers in an item.
    parts: usize,
    scratch: Box<Scratch>,
}

/// The numbers of a block.
struct Scratch {
    floats: [f64; BLOCK],
    integers: [i64; BLOCK],
    weights: [f64; BLOCK],
    cells: [u32; BLOCK],
}

impl Default for Scratch {
    fn default() -> Self {
        Self { floats: [0.0; BLOCK], integers: [0; BLOCK], weights: [0.0; BLOCK], cells: [0; BLOCK] }
    }
}

impl Row<'_> {
    fn add(&mut self, accumulators: &mut Accumulators, start: Along, items: BoxItems<'_>) {
        let Self { cells, item_type, inner, parts, scratch } = self;
        let groups = cells.groups.as_ref();
        // One group for the whole row.
        let group = match groups {
            Some(groups) if inner.group == 0 => match groups.of[start.group] {
                NO_GROUP => return,
                group => group as usize,
            },
            _ => 0,
        };
        let size = item_type.numeric.size();
        let is_integer = !item_type.numeric.is_float();
        if let BoxItems::Filled(item) = items {
            fill(scratch, item, *parts, *item_type);
        }
        for from in (0..inner.length).step_by(BLOCK) {
            let count = BLOCK.min(inner.length - from);
            if let BoxItems::Stored(bytes) = items {
                let bytes = &bytes[from * size..(from + count) * size];
                convert(scratch, bytes, count, *item_type);
            }
            let weights = cells.weights.as_ref().map(|weights| {
                let first = start.weight + from * inner.weight;
                let places = scratch.weights.iter_mut().take(count).enumerate();
                places.for_each(|(place, weight)| *weight = weights.of[first + place * inner.weight]);
                &scratch.weights[..count]
            });
            let cell = start.cell + from * inner.cell + group;
            let target = match groups {
                Some(groups) if inner.group != 0 => {
                    let first = start.group + from * inner.group;
                    for (place, own) in scratch.cells.iter_mut().take(count).enumerate() {
                        let group = groups.of[first + place * inner.group];
                        *own = if group == NO_GROUP {
                            NO_GROUP
                        } else {
                            (cell + place * inner.cell) as u32 + group
                        };
                    }
                    Target::Each(&scratch.cells[..count])
                }
                _ if inner.cell == 0 => Target::One(cell),
                _ if inner.cell == 1 => Target::Run(cell),
                _ => {
                    let places = scratch.cells.iter_mut().take(count).enumerate();
                    places.for_each(|(place, own)| *own = (cell + place * inner.cell) as u32);
                    Target::Each(&scratch.cells[..count])
                }
            };
            let block = Block {
                floats: &scratch.floats[..count],
                integers: if is_integer { &scratch.integers[..count] } else { &[] },
                weights,
                first: start.number + from as u64 * inner.number,
                step: inner.number,
            };
            accumulators.add(target, block);
        }
    }
}

/// Reads the numbers of items.
fn convert(scratch: &mut Scratch, bytes: &[u8], count: usize, item_type: ItemType) {
    let ItemType { numeric, is_complex, is_time } = item_type;
    let floats = &mut scratch.floats[..count];
    numeric.floats(bytes, floats);
    if !numeric.is_float() {
        numeric.integers(bytes, &mut scratch.integers[..count]);
    }
    if is_time {
        let times = floats.iter_mut().zip(&scratch.integers);
        times.filter(|(_, integer)| **integer == i64::MIN).for_each(|(float, _)| *float = f64::NAN);
    }
    if is_complex {
        // A complex number is missing where one of its parts is.
        for pair in floats.as_chunks_mut::<2>().0 {
            if pair[0].is_nan() || pair[1].is_nan() {
                *pair = [f64::NAN; 2];
            }
        }
    }
}

/// Fills a block with one item.
fn fill(scratch: &mut Scratch, item: &[u8], parts: usize, item_type: ItemType) {
    convert(scratch, item, parts, item_type);
    for place in parts..BLOCK {
        scratch.floats[place] = scratch.floats[place - parts];
        scratch.integers[place] = scratch.integers[place - parts];
    }
}
