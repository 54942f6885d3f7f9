//! Turns: in which order chunks enter an answer, whatever the order in which they arrive.
//!
//! Chunks that fill the same part of the answer form a column. Within a column they take turns: one stored chunk (a
//! shard, where there are any) after the other, and within a shard one inner chunk after the other, in grid order. That
//! is the order in which a read begins them, so that few wait.
//! Invariant: each chunk that the selection meets has a column and a turn of its own, and the turns of a column are
//! counted from 0 without gaps.

use std::collections::BTreeMap;

use crate::error::{Error, Gather, Result};
use crate::grid::{Axis, AxisIndexer, AxisProjections, ChunkGrid};

/// Bytes of boxes that wait for their turn from which on no more chunks should be begun: 32 MiB.
pub(super) const MOST_WAITING: usize = 32 << 20;

/// Most chunks along one axis that a selection may meet: 2^20.
const MOST_CHUNKS: usize = 1 << 20;

/// Start and stop along each axis of a result.
pub type Bounds = Vec<(u64, u64)>;

/// The chunks that a selection meets along one axis of the array, in chunk order.
#[derive(Debug, Clone)]
struct AxisChunks {
    /// Number of picks in each chunk.
    picks: Vec<u64>,
    /// Lowest output position of each chunk's picks; of a list, they need not be adjacent.
    starts: Vec<u64>,
    /// Chunk of each output position, by its index here, for a list; empty for a run.
    listed: Vec<u32>,
    is_reversed: bool,
    /// Index of the stored chunk around each chunk.
    outer: Vec<usize>,
    /// For each stored chunk: number of chunks in it, and before it.
    inner: Vec<(u64, u64)>,
}

impl AxisChunks {
    fn new(picks: &AxisIndexer, inner: &Axis, stored: &Axis) -> Result<Self> {
        let mut found = Self {
            picks: Vec::new(),
            starts: Vec::new(),
            listed: Vec::new(),
            is_reversed: matches!(picks, AxisIndexer::Run { reversed: true, .. }),
            outer: Vec::new(),
            inner: Vec::new(),
        };
        if let AxisIndexer::List(_) = picks {
            found.listed = vec![0; usize::try_from(picks.count()).unwrap_or(0)];
        }
        let mut last = None;
        for (nth, part) in AxisProjections::new(inner, picks.clone()).enumerate() {
            if nth == MOST_CHUNKS {
                let reason = "it meets more than 2^20 chunks along one axis: select less at once".to_owned();
                return Err(Error::Selection { axis: None, reason });
            }
            let outer = inner.span(part.chunk).and_then(|span| stored.chunk_at(span.start));
            if last != Some(outer) {
                last = Some(outer);
                found.inner.push((0, nth as u64));
            }
            if let Some(counted) = found.inner.last_mut() {
                counted.0 += 1;
            }
            found.outer.push(found.inner.len() - 1);
            found.picks.push(part.picks.count());
            match &part.picks {
                AxisIndexer::Run { output, count, reversed, .. } if found.listed.is_empty() => {
                    found.starts.push(if *reversed { output + 1 - count } else { *output });
                }
                picks => {
                    let stretches = picks.stretches();
                    for (start, stretch) in &stretches {
                        found.listed[*start as usize..][..stretch.count() as usize].fill(nth as u32);
                    }
                    let least = stretches.iter().map(|(start, _)| *start).min().unwrap_or_default();
                    found.starts.push(least);
                }
            }
        }
        Ok(found)
    }

    /// Index of the chunk at an output position.
    fn at(&self, position: u64) -> usize {
        if let Some(chunk) = self.listed.get(position as usize) {
            return *chunk as usize;
        }
        if self.is_reversed {
            return self
                .starts
                .partition_point(|start| *start > position)
                .min(self.starts.len().saturating_sub(1));
        }
        self.starts.partition_point(|start| *start <= position).saturating_sub(1)
    }

    /// End of the positions from `start` on, at most `stop`, that lie in the chunk of this index.
    fn end(&self, chunk: usize, start: u64, stop: u64) -> u64 {
        if self.listed.is_empty() {
            return stop.min(self.starts[chunk] + self.picks[chunk]);
        }
        (start..stop).find(|position| self.at(*position) != chunk).unwrap_or(stop)
    }
}

/// The columns of an answer, and the turns of the chunks in each.
#[derive(Debug, Clone)]
pub(super) struct Turns {
    axes: Vec<AxisChunks>,
    /// For each axis of the array, its axis in the selection's result; `None` where an integer drops it.
    results: Vec<Option<usize>>,
    /// Whether chunks that follow one another along an axis lie in different columns.
    divides: Vec<bool>,
}

/// Column and turn of a chunk, and the number of the selection's items in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn {
    pub(super) column: u64,
    pub(super) turn: u64,
    pub(super) items: u64,
}

impl Turns {
    /// The turns of a selection from an array with these grids, of the chunks that are decoded and of the stored ones.
    /// `lengths` has the length along each axis of the array, `None` where it is dropped, and `kept` says for each axis
    /// of the result whether it is an axis of the answer. `is_whole` asks for one column.
    ///
    /// # Errors
    /// [`Error::Selection`] where the selection meets more than 2^20 chunks along an axis.
    pub(super) fn new(
        picks: &[AxisIndexer],
        [inner, stored]: [&ChunkGrid; 2],
        lengths: &[Option<u64>],
        kept: &[bool],
        is_whole: bool,
    ) -> Result<Self> {
        let mut results = Vec::with_capacity(lengths.len());
        let mut next = 0;
        for length in lengths {
            results.push(length.map(|_| next));
            next += usize::from(length.is_some());
        }
        let axes: Vec<AxisChunks> = picks
            .iter()
            .zip(inner.axes().iter().zip(stored.axes()))
            .map(|(picks, (inner, stored))| AxisChunks::new(picks, inner, stored))
            .gathered()?;
        let divides = axes.iter().zip(&results).map(|(axis, result)| {
            !is_whole && axis.listed.is_empty() && result.is_some_and(|result| kept[result])
        });
        let divides = divides.collect();
        Ok(Self { axes, results, divides })
    }

    /// Number of turns of each column.
    pub(super) fn count(&self) -> u64 {
        let shared = self.axes.iter().zip(&self.divides).filter(|(_, divides)| !**divides);
        shared.map(|(axis, _)| axis.picks.len() as u64).fold(1, u64::saturating_mul)
    }

    /// Divides a box of the result into those that lie in one chunk each, with their turns.
    pub(super) fn split(&self, bounds: &[(u64, u64)]) -> Vec<(Turn, Bounds)> {
        let mut boxes: Vec<(Vec<usize>, Bounds)> = vec![(Vec::new(), Vec::new())];
        for (axis, result) in self.axes.iter().zip(&self.results) {
            let (mut start, stop) = result.map_or((0, 1), |result| bounds[result]);
            let mut parts = Vec::new();
            while start < stop {
                let chunk = axis.at(start);
                let end = axis.end(chunk, start, stop).max(start + 1);
                parts.push((chunk, (start, end)));
                start = end;
            }
            let mut longer = Vec::with_capacity(boxes.len() * parts.len());
            for (chunks, bounds) in &boxes {
                for (chunk, part) in &parts {
                    let mut bounds = bounds.clone();
                    bounds.extend(result.map(|_| *part));
                    longer.push(([chunks.as_slice(), &[*chunk]].concat(), bounds));
                }
            }
            boxes = longer;
        }
        boxes.into_iter().map(|(chunks, bounds)| (self.turn(&chunks), bounds)).collect()
    }

    /// The range of a column along each axis of the result, from a box within it.
    pub(super) fn column(&self, bounds: &[(u64, u64)], lengths: &[u64], kept: &[bool]) -> Vec<(u64, u64)> {
        let mut ranges: Vec<(u64, u64)> = lengths
            .iter()
            .zip(kept)
            .map(|(length, kept)| if *kept { (0, *length) } else { (0, 1) })
            .collect();
        for ((axis, result), divides) in self.axes.iter().zip(&self.results).zip(&self.divides) {
            if let (Some(result), true) = (result, divides) {
                let chunk = axis.at(bounds[*result].0);
                ranges[*result] = (axis.starts[chunk], axis.starts[chunk] + axis.picks[chunk]);
            }
        }
        ranges
    }

    fn turn(&self, chunks: &[usize]) -> Turn {
        let (mut column, mut items) = (0, 1);
        for ((axis, chunk), divides) in self.axes.iter().zip(chunks).zip(&self.divides) {
            items *= axis.picks[*chunk];
            if *divides {
                column = column * axis.picks.len() as u64 + *chunk as u64;
            }
        }
        // Chunks in the stored chunks before this one, which come first in grid order, and those before it in its own.
        let shared = || {
            let axes = self.axes.iter().zip(chunks).zip(&self.divides);
            axes.filter(|(_, divides)| !**divides).map(|((axis, chunk), _)| (axis, *chunk))
        };
        let mut after: u64 = shared().map(|(axis, _)| axis.picks.len() as u64).product();
        let (mut around, mut before, mut within) = (1, 0, 0);
        for (axis, chunk) in shared() {
            let (count, earlier) = axis.inner[axis.outer[chunk]];
            after /= axis.picks.len() as u64;
            before += around * earlier * after;
            around *= count;
            within = within * count + (chunk as u64 - earlier);
        }
        Turn { column, turn: before + within, items }
    }
}

/// The chunks of a column that come before their turn, or in pieces.
#[derive(Debug)]
pub(super) struct InOrder<T> {
    turn: u64,
    waiting: BTreeMap<u64, Arrived<T>>,
}

/// The boxes of a chunk that have come.
#[derive(Debug)]
struct Arrived<T> {
    /// Number of items that the selection picks from the chunk, and of those that have come.
    expected: u64,
    items: u64,
    boxes: BTreeMap<Bounds, T>,
}

impl<T> InOrder<T> {
    pub(super) fn new() -> Self {
        Self { turn: 0, waiting: BTreeMap::new() }
    }

    /// Number of turns that are over.
    pub(super) fn turn(&self) -> u64 {
        self.turn
    }

    /// Passes the turn of a chunk whose items come in one box, if it is its turn; returns whether it is.
    pub(super) fn pass(&mut self, turn: Turn, items: u64) -> bool {
        let is_next = turn.turn == self.turn && items == turn.items;
        self.turn += u64::from(is_next);
        is_next
    }

    /// Adds a box with so many items to the chunk of a turn.
    pub(super) fn wait(&mut self, turn: Turn, items: u64, bounds: Bounds, content: T) {
        let fresh = || Arrived { expected: turn.items, items: 0, boxes: BTreeMap::new() };
        let arrived = self.waiting.entry(turn.turn).or_insert_with(fresh);
        arrived.items += items;
        arrived.boxes.insert(bounds, content);
    }

    /// The boxes of the chunk whose turn it is, in the order of their bounds, once all have come.
    pub(super) fn next(&mut self) -> Option<BTreeMap<Bounds, T>> {
        let next = self.waiting.first_entry()?;
        if *next.key() != self.turn || next.get().items < next.get().expected {
            return None;
        }
        self.turn += 1;
        Some(next.remove().boxes)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test")]
mod tests {
    use super::*;

    fn grid(extents: &[u64], edges: &[u64]) -> ChunkGrid {
        ChunkGrid::new(
            extents.iter().zip(edges).map(|(extent, edge)| Axis::regular(*extent, *edge).unwrap()).collect(),
        )
    }

    #[test]
    fn shards_take_turns_and_inner_chunks_within_them() {
        let (inner, stored) = (grid(&[8, 8], &[2, 2]), grid(&[8, 8], &[4, 4]));
        let picks = [AxisIndexer::whole(8), AxisIndexer::whole(8)];
        let turns =
            Turns::new(&picks, [&inner, &stored], &[Some(8), Some(8)], &[false, false], false).unwrap();
        let turn = |row: u64, column: u64| {
            let found = turns.split(&[(2 * row, 2 * row + 2), (2 * column, 2 * column + 2)]);
            assert_eq!(found.len(), 1);
            found[0].0
        };
        let order: Vec<u64> = [(0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 0)]
            .map(|(row, column)| turn(row, column).turn)
            .to_vec();
        assert_eq!(order, [0, 1, 2, 3, 4, 5, 6, 7, 8]);
        assert_eq!(turn(3, 3), Turn { column: 0, turn: 15, items: 4 });
        // A shard that is missing as a whole is four chunks.
        assert_eq!(
            turns.split(&[(0, 4), (4, 8)]).iter().map(|part| part.0.turn).collect::<Vec<_>>(),
            [4, 5, 6, 7]
        );
    }

    #[test]
    fn every_chunk_has_one_turn_of_its_column() {
        // Rectilinear, cut, stepped, reversed and listed axes; the last one is dropped.
        let axis = |edges: &[u64]| {
            Axis::from_edges(edges.iter().sum(), edges.iter().map(|edge| (*edge, 1))).unwrap()
        };
        let stored = ChunkGrid::new(vec![axis(&[4, 6, 2]), axis(&[3, 9]), axis(&[5, 5]), axis(&[2, 2])]);
        let inner = ChunkGrid::new(vec![
            axis(&[2, 2, 3, 3, 2]),
            axis(&[3, 3, 3, 3]),
            axis(&[5, 5]),
            axis(&[1, 1, 1, 1]),
        ]);
        let picks = [
            AxisIndexer::Run { first: 1, step: 2, count: 5, output: 4, reversed: true },
            AxisIndexer::of(&[11, 0, 4, 4, 9]),
            AxisIndexer::whole(10),
            AxisIndexer::of(&[2]),
        ];
        let lengths = [Some(5), Some(5), Some(10), None];
        for kept in [[false, false, false], [true, false, false], [false, true, false], [true, true, true]] {
            let turns = Turns::new(&picks, [&inner, &stored], &lengths, &kept, false).unwrap();
            let mut items = std::collections::BTreeMap::new();
            for (turn, bounds) in turns.split(&[(0, 5), (0, 5), (0, 10)]) {
                assert!(turn.turn < turns.count());
                let found = items.entry((turn.column, turn.turn)).or_insert((0, turn.items));
                found.0 += bounds.iter().map(|(start, stop)| stop - start).product::<u64>();
                let column = turns.column(&bounds, &[5, 5, 10], &kept);
                for ((bound, range), kept) in bounds.iter().zip(&column).zip(kept) {
                    assert!(!kept || range.0 <= bound.0 && bound.1 <= range.1);
                }
            }
            assert!(items.values().all(|(found, expected)| found == expected), "{items:?}");
            assert_eq!(items.len() as u64 % turns.count(), 0);
        }
    }

    #[test]
    fn too_many_chunks_along_an_axis_are_refused() {
        let grid = grid(&[7 << 30], &[7]);
        let picks = [AxisIndexer::whole(7 << 30)];
        assert!(Turns::new(&picks, [&grid, &grid], &[Some(7 << 30)], &[false], false).is_err());
    }
}
