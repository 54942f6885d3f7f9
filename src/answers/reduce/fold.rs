//! Folds of boxes: the items of a box, added to the accumulators of their cells in C order, a block at a time.
//!
//! Invariant: the walk through a box says all that a fold needs of the answer's cells, so a box can be folded where the
//! answer is not.

use rectilinear_zarr_kernels::numeric::{BLOCK, Numeric};

use super::accumulators::Accumulators;
use super::block::{Block, Target};
use super::cells::{Cells, NO_GROUP, Tile};
use crate::error::{Gather, Packer, Unpacker};

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

    /// The first place of a walk, after which its length means nothing.
    fn pack(&self, parts: &mut Packer) {
        let Self { length, cell, group, weight, number } = self;
        let numbers = [*length, *cell, *group, *weight].map(|number| number as u64);
        parts.numbers(numbers.into_iter()).number(*number);
    }

    fn unpack(parts: &mut Unpacker<'_>) -> Option<Self> {
        let numbers = parts.numbers()?.into_iter().map(usize::try_from).gathered().ok()?;
        let [length, cell, group, weight] = numbers.try_into().ok()?;
        Some(Self { length, cell, group, weight, number: parts.number()? })
    }

    /// The place after `places` steps along an axis; `None` beyond what numbers hold.
    fn after(&self, axis: &Self, places: usize) -> Option<Self> {
        let far = |start: usize, step: usize| step.checked_mul(places)?.checked_add(start);
        Some(Self {
            length: 0,
            cell: far(self.cell, axis.cell)?,
            group: far(self.group, axis.group)?,
            weight: far(self.weight, axis.weight)?,
            number: axis.number.checked_mul(places as u64)?.checked_add(self.number)?,
        })
    }
}

/// The way through a box in C order: which cell, group, weight and number each item has.
///
/// Invariant: how items are cut into rows depends on the box, its tile and the cells of the whole answer alone, so a
/// walk that was taken apart gives the same sums to the bit.
#[derive(Debug, Clone)]
pub(super) struct Walk {
    start: Along,
    /// From the outermost axis; the last one has the rows.
    axes: Vec<Along>,
}

impl Walk {
    /// The walk through a box that lies in a tile.
    pub(super) fn new(cells: &Cells, tile: &Tile, bounds: &[(u64, u64)]) -> Self {
        let (cell_steps, number_steps) = (tile.strides(cells), cells.reduced_strides());
        let mut start = Along::default();
        let mut axes: Vec<Along> = Vec::with_capacity(bounds.len() + 1);
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
                Some(last) if last.continues(&this) => {
                    *last = Along { length: last.length * length, ..this };
                }
                _ => axes.push(this),
            }
        }
        if axes.is_empty() {
            axes.push(Along { length: 1, ..Along::default() });
        }
        Self { start, axes }
    }

    /// Makes the walk independent of the answer: the walk, with copies of the groups and weights that it meets, in its order.
    pub(super) fn apart(&self, labels: Labels<'_>) -> (Self, Option<Vec<u32>>, Option<Vec<f64>>) {
        let mut walk = self.clone();
        let groups = labels.groups.map(|of| {
            self.met(of, self.start.group, |axis| axis.group, |nth, step| walk.axes[nth].group = step)
        });
        let weights = labels.weights.map(|of| {
            self.met(of, self.start.weight, |axis| axis.weight, |nth, step| walk.axes[nth].weight = step)
        });
        (walk.start.group, walk.start.weight) = (0, 0);
        (walk, groups, weights)
    }

    /// Copies the items of a list that the walk meets; `set` takes the step in the copy of each axis that has one in the list.
    fn met<T: Copy>(
        &self,
        of: &[T],
        start: usize,
        step: impl Fn(&Along) -> usize,
        mut set: impl FnMut(usize, usize),
    ) -> Vec<T> {
        let mut places = vec![start];
        for axis in self.axes.iter().filter(|axis| step(axis) > 0) {
            let step = step(axis);
            let along = |place: &usize| (*place..).step_by(step).take(axis.length);
            places = places.iter().flat_map(along).collect();
        }
        let mut own = 1;
        for (nth, axis) in self.axes.iter().enumerate().rev().filter(|(_, axis)| step(axis) > 0) {
            set(nth, own);
            own *= axis.length;
        }
        places.into_iter().map(|place| of[place]).collect()
    }

    /// Bytes of the copies that [`Walk::apart`] makes.
    pub(super) fn size_of_labels(&self, labels: Labels<'_>) -> usize {
        let met = |step: fn(&Along) -> usize| {
            let own = self.axes.iter().filter(|axis| step(axis) > 0);
            own.map(|axis| axis.length).fold(1, usize::saturating_mul)
        };
        let groups = labels.groups.map_or(0, |_| met(|axis| axis.group).saturating_mul(4));
        let weights = labels.weights.map_or(0, |_| met(|axis| axis.weight).saturating_mul(8));
        groups.saturating_add(weights)
    }

    /// Number of items.
    pub(super) fn items(&self) -> usize {
        self.axes.iter().map(|axis| axis.length).fold(1, usize::saturating_mul)
    }

    pub(super) fn pack(&self, parts: &mut Packer) {
        self.start.pack(parts);
        parts.number(self.axes.len() as u64);
        self.axes.iter().for_each(|axis| axis.pack(parts));
    }

    /// Unpacks a walk through so many cells, with these labels; `None` where it would leave them.
    pub(super) fn unpack(parts: &mut Unpacker<'_>, cells: usize, labels: Labels<'_>) -> Option<Self> {
        let start = Along::unpack(parts)?;
        let count = parts.length()?;
        let axes = (0..count).map(|_| Along::unpack(parts)).gathered()?;
        let mut last = start;
        for axis in &axes {
            last = last.after(axis, axis.length.checked_sub(1)?)?;
        }
        let is_within = |of: Option<usize>, last: usize| of.is_none_or(|length| last < length);
        let most = labels.groups.map_or(0, |of| {
            of.iter().filter(|group| **group != NO_GROUP).max().map_or(0, |most| *most as usize)
        });
        let is_sound = !axes.is_empty()
            && last.cell.checked_add(most)? < cells
            && is_within(labels.groups.map(<[u32]>::len), last.group)
            && is_within(labels.weights.map(<[f64]>::len), last.weight);
        is_sound.then_some(Self { start, axes })
    }
}

/// Groups and weights by the places of a walk.
#[derive(Debug, Clone, Copy)]
pub(super) struct Labels<'a> {
    pub(super) groups: Option<&'a [u32]>,
    pub(super) weights: Option<&'a [f64]>,
}

impl<'a> Labels<'a> {
    /// The groups and weights of all cells of an answer.
    pub(super) fn of(cells: &'a Cells) -> Self {
        Self {
            groups: cells.groups.as_ref().map(|groups| groups.of.as_slice()),
            weights: cells.weights.as_ref().map(|weights| weights.of.as_slice()),
        }
    }
}

/// Adds the items of a walk to the accumulators of its tile.
pub(super) fn fold(
    accumulators: &mut Accumulators,
    walk: &Walk,
    labels: Labels<'_>,
    items: BoxItems<'_>,
    item_type: ItemType,
) {
    let Walk { mut start, axes } = walk.clone();
    let Some((inner, axes)) = axes.split_last() else { return };
    let size = item_type.numeric.size();
    let parts = if item_type.is_complex { 2 } else { 1 };
    // A complex number is missing where one of its parts is; where nothing is skipped, each part stands for itself.
    let item_type = ItemType { is_complex: item_type.is_complex && accumulators.skips(), ..item_type };
    let mut row = Row { labels, item_type, inner: *inner, parts, scratch: Box::default() };
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
    labels: Labels<'a>,
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
        let Self { labels: Labels { groups, weights }, item_type, inner, parts, scratch } = self;
        // One group for the whole row.
        let group = match groups {
            Some(groups) if inner.group == 0 => match groups[start.group] {
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
        let is_one_cell = inner.cell == 0 && (groups.is_none() || inner.group == 0);
        if matches!(items, BoxItems::Filled(_))
            && is_one_cell
            && weights.is_none()
            && accumulators.takes_same()
        {
            let integers = if is_integer { &scratch.integers[..1] } else { &[] };
            let (first, step) = (start.number, inner.number);
            let block = Block { floats: &scratch.floats[..1], integers, weights: None, first, step };
            accumulators.add_same(start.cell + group, block, inner.length as u64);
            return;
        }
        for from in (0..inner.length).step_by(BLOCK) {
            let count = BLOCK.min(inner.length - from);
            if let BoxItems::Stored(bytes) = items {
                let bytes = &bytes[from * size..(from + count) * size];
                convert(scratch, bytes, count, *item_type);
            }
            let weights = weights.map(|weights| {
                let first = start.weight + from * inner.weight;
                let places = scratch.weights.iter_mut().take(count).enumerate();
                places.for_each(|(place, weight)| *weight = weights[first + place * inner.weight]);
                &scratch.weights[..count]
            });
            let cell = start.cell + from * inner.cell + group;
            let target = match groups {
                Some(groups) if inner.group != 0 => {
                    let first = start.group + from * inner.group;
                    for (place, own) in scratch.cells.iter_mut().take(count).enumerate() {
                        let group = groups[first + place * inner.group];
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
