//! Axes, selections and projections against slow twins, on thousands of random cases.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use fastrand::Rng;
use rectilinear_zarr::grid::{
    Axis, AxisError, AxisProjections, AxisSelection, ChunkGrid, ChunkProjections, Picks, Projection,
    normalise,
};

const CASES: usize = 4000;

/// An axis with every chunk written out: for each coordinate, its chunk and its place in it.
struct SlowAxis {
    edges: Vec<u64>,
    places: Vec<(u64, u64)>,
}

impl SlowAxis {
    fn new(runs: &[(u64, u64)], extent: u64) -> Self {
        let edges: Vec<u64> = runs.iter().flat_map(|&(edge, count)| (0..count).map(move |_| edge)).collect();
        let all = (0..).zip(&edges).flat_map(|(chunk, &edge)| (0..edge).map(move |within| (chunk, within)));
        Self { places: all.take(usize::try_from(extent).unwrap()).collect(), edges }
    }
}

/// Random runs, and an extent that they cover: exactly, with overhang, or with whole chunks to spare.
fn random_runs(rng: &mut Rng) -> (Vec<(u64, u64)>, u64) {
    let runs: Vec<(u64, u64)> = (0..rng.usize(1..7)).map(|_| (rng.u64(1..8), rng.u64(1..5))).collect();
    let sum = runs.iter().map(|(edge, count)| edge * count).sum();
    let extent = if rng.bool() { sum } else { rng.u64(0..=sum) };
    (runs, extent)
}

#[test]
fn look_ups_equal_a_list_of_every_chunk() {
    let mut rng = Rng::with_seed(1);
    for _ in 0..CASES {
        let (runs, extent) = random_runs(&mut rng);
        let axis = Axis::from_edges(extent, runs.iter().copied()).unwrap();
        let slow = SlowAxis::new(&runs, extent);
        assert_eq!(axis.chunks(), slow.places.last().map_or(0, |(chunk, _)| chunk + 1), "{runs:?} {extent}");
        for (coordinate, &(chunk, within)) in (0..).zip(&slow.places) {
            let span = axis.span_at(coordinate).unwrap();
            assert_eq!(
                (span.chunk, coordinate - span.start),
                (chunk, within),
                "{runs:?} {extent} {coordinate}"
            );
            assert_eq!(axis.span(chunk), Some(span));
            assert_eq!(axis.chunk_at(coordinate), Some(chunk));
        }
        let mut start = 0;
        for (chunk, &edge) in (0..axis.chunks()).zip(&slow.edges) {
            let span = axis.span(chunk).unwrap();
            assert_eq!(
                (span.start, span.stop),
                (start, (start + edge).min(extent)),
                "{runs:?} {extent} {chunk}"
            );
            assert_eq!(span.encoded, edge);
            start += edge;
        }
        assert_eq!(axis.span_at(extent), None);
        assert_eq!(axis.span(axis.chunks()), None);
    }
}

#[test]
fn a_regular_axis_is_a_rectilinear_one_of_equal_edges() {
    let mut rng = Rng::with_seed(2);
    for _ in 0..CASES {
        let (extent, edge) = (rng.u64(1..200), rng.u64(1..40));
        let listed = Axis::from_edges(extent, (0..extent.div_ceil(edge)).map(|_| (edge, 1))).unwrap();
        assert_eq!(Axis::regular(extent, edge).unwrap(), listed);
    }
    let empty = Axis::regular(0, 5).unwrap();
    assert_eq!((empty.chunks(), empty.span(0), empty.span_at(0)), (0, None, None));
}

#[test]
fn what_is_no_axis_is_named() {
    assert_eq!(Axis::from_edges(0, []), Err(AxisError::Empty));
    assert_eq!(Axis::from_edges(5, [(3, 1), (0, 1)]), Err(AxisError::ZeroEdge(1)));
    assert_eq!(Axis::from_edges(5, [(3, 2), (3, 0)]), Err(AxisError::ZeroCount(1)));
    assert_eq!(Axis::from_edges(7, [(3, 2)]), Err(AxisError::Short { sum: 6, extent: 7 }));
    assert_eq!(Axis::from_edges(7, [(1, 7), (2, u64::MAX)]), Err(AxisError::TooLong(1)));
    assert_eq!(Axis::from_edges(7, [(1, 1 << 53)]), Err(AxisError::TooLong(0)));
    assert_eq!(Axis::regular(5, 0), Err(AxisError::ZeroEdge(0)));
    assert_eq!(Axis::regular(5, u64::MAX), Err(AxisError::TooLong(0)));
}

/// Python's slicing as a walk, coordinate by coordinate.
fn slow_slice(start: Option<i64>, stop: Option<i64>, step: i64, extent: i64) -> Vec<i64> {
    let (low, high) = if step > 0 { (0, extent) } else { (-1, extent - 1) };
    let clip = |at: i64| (if at < 0 { at + extent } else { at }).clamp(low, high);
    let mut at = start.map_or(if step > 0 { low } else { high }, clip);
    let stop = stop.map_or(if step > 0 { high } else { low }, clip);
    let mut walked = Vec::new();
    while if step > 0 { at < stop } else { at > stop } {
        walked.push(at);
        at += step;
    }
    walked
}

fn random_slice(rng: &mut Rng) -> AxisSelection {
    let mut bound = || rng.bool().then(|| rng.i64(-40..40));
    let (start, stop) = (bound(), bound());
    let step = rng.i64(1..9) * if rng.bool() { 1 } else { -1 };
    AxisSelection::Slice { start, stop, step }
}

#[test]
fn slices_pick_what_python_walks() {
    let mut rng = Rng::with_seed(3);
    for _ in 0..CASES {
        let extent = rng.i64(0..30);
        let slice = random_slice(&mut rng);
        let AxisSelection::Slice { start, stop, step } = slice else { unreachable!() };
        let picks = normalise(&[slice], &[extent.unsigned_abs()]).unwrap()[0];
        let mut picked: Vec<i64> =
            (0..picks.count).map(|nth| i64::try_from(picks.first + nth * picks.step).unwrap()).collect();
        if picks.reversed {
            picked.reverse();
        }
        assert_eq!(picked, slow_slice(start, stop, step, extent), "{slice:?} of {extent}");
    }
}

#[test]
fn the_farthest_slices_neither_overflow_nor_hang() {
    for step in [i64::MIN, -1 << 40, 1 << 40, i64::MAX] {
        let far = [i64::MIN, -1, 0, 1, i64::MAX];
        for (start, stop) in far.iter().flat_map(|&start| far.map(|stop| (start, stop))) {
            let slice = AxisSelection::Slice { start: Some(start), stop: Some(stop), step };
            let axis = Axis::from_edges((1 << 53) - 1, [((1 << 53) - 1, 1)]).unwrap();
            let picks = normalise(&[slice], &[axis.extent()]).unwrap()[0];
            let projections = AxisProjections::new(&axis, picks);
            assert_eq!(projections.chunks(), u64::from(picks.count > 0), "{slice:?}");
        }
    }
}

#[test]
fn indices_and_ranks_are_checked() {
    let index = |at| normalise(&[AxisSelection::All, AxisSelection::Index(at)], &[2, 5]);
    assert_eq!(index(-5).unwrap()[1].first, 0);
    assert_eq!(index(4).unwrap()[1].first, 4);
    for outside in [5, -6, i64::MAX, i64::MIN] {
        let message = index(outside).unwrap_err().to_string();
        assert!(message.contains("axis 1") && message.contains("-5 to 4"), "{message}");
    }
    let empty = normalise(&[AxisSelection::Index(0)], &[0]).unwrap_err().to_string();
    assert!(empty.contains("length 0"), "{empty}");
    assert!(normalise(&[AxisSelection::All; 3], &[2, 5]).is_err());
    assert!(normalise(&[AxisSelection::Slice { start: None, stop: None, step: 0 }], &[2]).is_err());
}

fn random_picks(rng: &mut Rng, extent: u64) -> Picks {
    let selection = match rng.u8(0..4) {
        0 => AxisSelection::All,
        1 if extent > 0 => AxisSelection::Index(rng.i64(0..extent.cast_signed())),
        _ => random_slice(rng),
    };
    normalise(&[selection], &[extent]).unwrap()[0]
}

#[test]
fn projections_cover_each_pick_once_in_chunk_order() {
    let mut rng = Rng::with_seed(4);
    for _ in 0..CASES {
        let (runs, extent) = random_runs(&mut rng);
        let axis = Axis::from_edges(extent, runs.iter().copied()).unwrap();
        let slow = SlowAxis::new(&runs, extent);
        let picks = random_picks(&mut rng, extent);
        let projections: Vec<Projection> = AxisProjections::new(&axis, picks).collect();
        let context = format!("{runs:?} {extent} {picks:?}");

        let mut found: Vec<Option<(u64, u64)>> = vec![None; usize::try_from(picks.count).unwrap()];
        for part in &projections {
            assert!(part.count > 0, "{context}");
            assert_eq!(
                Some(&part.encoded),
                slow.edges.get(usize::try_from(part.chunk).unwrap()),
                "{context}"
            );
            for nth in 0..part.count {
                let output = if part.reversed { part.output - nth } else { part.output + nth };
                let slot = &mut found[usize::try_from(output).unwrap()];
                assert_eq!(slot.replace((part.chunk, part.within + nth * part.step)), None, "{context}");
            }
        }
        for (output, place) in (0..).zip(&found) {
            let nth = if picks.reversed { picks.count - 1 - output } else { output };
            let coordinate = usize::try_from(picks.first + nth * picks.step).unwrap();
            assert_eq!(*place, Some(slow.places[coordinate]), "{context}");
        }
        assert!(projections.is_sorted_by(|one, next| one.chunk < next.chunk), "{context}");
        assert_eq!(AxisProjections::new(&axis, picks).chunks(), projections.len() as u64, "{context}");
    }
}

#[test]
fn a_grid_walks_the_product_of_its_axes() {
    let mut rng = Rng::with_seed(5);
    for _ in 0..CASES / 4 {
        let axes: Vec<Axis> = (0..rng.usize(0..4))
            .map(|_| {
                let (runs, extent) = random_runs(&mut rng);
                Axis::from_edges(extent, runs).unwrap()
            })
            .collect();
        let picks: Vec<Picks> = axes.iter().map(|axis| random_picks(&mut rng, axis.extent())).collect();
        let lists: Vec<Vec<Projection>> = axes
            .iter()
            .zip(&picks)
            .map(|(axis, &picks)| AxisProjections::new(axis, picks).collect())
            .collect();
        let expected = lists.iter().fold(vec![vec![]], |heads: Vec<Vec<Projection>>, list| {
            heads
                .iter()
                .flat_map(|head| list.iter().map(move |&part| [head.as_slice(), &[part]].concat()))
                .collect()
        });
        let grid = ChunkGrid::new(axes);
        let walk = ChunkProjections::new(&grid, &picks);
        assert_eq!(walk.chunks(), expected.len() as u64);
        assert_eq!(walk.collect::<Vec<_>>(), expected);
    }
}
