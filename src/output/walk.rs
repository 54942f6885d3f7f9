//! The copies that a selection takes: one loop for each axis of it.

use rectilinear_zarr_kernels::copy::{Loop, Walk};

use crate::grid::{AxisIndexer, ChunkSelection};

/// The way of what is wanted from a chunk to an output, of these bytes from one item to the next along each axis; where
/// there is no chunk there are none of it.
pub(crate) fn walk(wanted: &ChunkSelection, from: &[usize], to: &[usize]) -> Walk {
    let mut walk = Walk::default();
    match wanted {
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

/// Has a walk along these axes go on to as many chunks, so many bytes apart, that lie side by side along the last axis.
pub(crate) fn beside(walk: &mut Walk, axes: &[AxisIndexer], (count, source): (usize, usize), to: &[usize]) {
    if let (Some(AxisIndexer::Run { count: places, reversed, .. }), Some(target)) = (axes.last(), to.last()) {
        let target = (index(*places) * target).cast_signed();
        let target = if *reversed { -target } else { target };
        walk.loops.insert(0, Loop::Run { count, source, target });
    }
}

/// Has a walk go along one more axis, inside the others, of these bytes from one item to the next on either side.
fn along(walk: &mut Walk, picks: &AxisIndexer, source: usize, target: usize) {
    match picks {
        AxisIndexer::Run { first, step, count, output, reversed } => {
            walk.source += index(*first) * source;
            walk.target += index(*output) * target;
            // A step with one pick is never taken, and may be larger than memory.
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

/// A position inside a chunk or an output that is in memory already, and so fits.
fn index(position: u64) -> usize {
    usize::try_from(position).unwrap_or(usize::MAX)
}
