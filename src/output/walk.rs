//! Copy loops of a selection: one loop for each axis.

use rectilinear_zarr_kernels::copy::{Loop, Walk};

use crate::grid::{AxisIndexer, ChunkSelection};

/// The copy of selected items from a chunk to an output; `from` and `to` are their strides in bytes, `from` empty if
/// there is no chunk.
pub(crate) fn walk(selection: &ChunkSelection, from: &[usize], to: &[usize]) -> Walk {
    let mut walk = Walk::default();
    match selection {
        ChunkSelection::Axes(axes) => {
            walk.loops.reserve_exact(axes.len() + 1);
            let from = from.iter().copied().chain(std::iter::repeat(0));
            for ((picks, source), &target) in axes.iter().zip(from).zip(to) {
                along(&mut walk, picks, source, target);
            }
        }
        ChunkSelection::Points(points) => {
            let stride = to.first().copied().unwrap_or_default();
            let pairs = points.offsets(from).map(|(source, nth)| (source, nth * stride));
            walk.loops.push(Loop::List(pairs.collect()));
        }
    }
    walk
}

/// Extends a walk to `count` chunks, `source` bytes apart, that lie side by side along the last axis.
pub(crate) fn beside(walk: &mut Walk, axes: &[AxisIndexer], (count, source): (usize, usize), to: &[usize]) {
    if let (Some(AxisIndexer::Run { count: places, reversed, .. }), Some(target)) = (axes.last(), to.last()) {
        let target = (index(*places) * target).cast_signed();
        let target = if *reversed { -target } else { target };
        walk.loops.insert(0, Loop::Run { count, source, target });
    }
}

/// Adds one more axis to a walk, inside the others; `source` and `target` are its strides in bytes.
fn along(walk: &mut Walk, picks: &AxisIndexer, source: usize, target: usize) {
    match picks {
        AxisIndexer::Run { first, step, count, output, reversed } => {
            walk.source += index(*first) * source;
            walk.target += index(*output) * target;
            // The step of a single pick is never taken, and may exceed the memory.
            let step = if *count == 1 { 0 } else { index(*step) };
            let target = target.cast_signed();
            let target = if *reversed { -target } else { target };
            walk.loops.push(Loop::Run { count: index(*count), source: source * step, target });
        }
        AxisIndexer::List(list) => {
            let pairs =
                list.picks().map(|pick| (index(pick.coordinate) * source, index(pick.output) * target));
            walk.loops.push(Loop::List(pairs.collect()));
        }
    }
}

/// Converts a position in a chunk or an output, which fits because both are in memory.
fn index(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}
