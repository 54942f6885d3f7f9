//! The copies that a selection takes: one loop for each axis of it.

use rectilinear_zarr_kernels::copy::{Loop, Walk};

use crate::grid::Picks;

/// Has a walk go along one more axis, inside the others, of these bytes from one item to the next on either side.
pub(super) fn along(walk: &mut Walk, picks: &Picks, source: usize, target: usize) {
    match picks {
        Picks::Run { first, step, count, output, reversed } => {
            walk.source += index(*first) * source;
            walk.target += index(*output) * target;
            // A step with one pick is never taken, and may be larger than memory.
            let step = if *count == 1 { 0 } else { index(*step) };
            let target = target.cast_signed();
            let target = if *reversed { -target } else { target };
            walk.loops.push(Loop::Run { count: index(*count), source: source * step, target });
        }
        Picks::List(list) => {
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
