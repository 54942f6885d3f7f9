//! Positions along the outermost axis of a result, and the part of a selection that fills a range of them.

use std::ops::Range;

use crate::grid::{AxisIndexer, ChunkSelection};

/// Limits a selection to some positions of the result along an axis; `None` where that keeps all of it.
pub(super) fn part(selection: &ChunkSelection, axis: usize, rows: &Range<u64>) -> Option<ChunkSelection> {
    let ChunkSelection::Axes(picks) = selection else { return None };
    let AxisIndexer::Run { first, step, count, output, reversed } = picks[axis] else { return None };
    let all = places(count, output, reversed);
    let here = all.start.max(rows.start)..all.end.min(rows.end);
    if here == all {
        return None;
    }
    let skipped = if reversed { all.end - here.end } else { here.start - all.start };
    let mut picks = picks.clone();
    picks[axis] = AxisIndexer::Run {
        first: first + skipped * step,
        step,
        count: here.end.saturating_sub(here.start),
        output: if reversed { output - skipped } else { output + skipped },
        reversed,
    };
    Some(ChunkSelection::Axes(picks))
}

/// Positions of a run in the result.
pub(super) fn places(count: u64, output: u64, reversed: bool) -> Range<u64> {
    if reversed { output + 1 - count..output + 1 } else { output..output + count }
}
