//! Axes, selections and projections against slow twins, on thousands of random cases.

use fastrand::Rng;
use rectilinear_zarr::grid::{
    self, Axis, AxisError, AxisIndexer, AxisProjections, AxisSelection, ChunkGrid, ChunkProjections,
    Projection, normalise,
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
        let picked = normalised(slice.clone(), extent.unsigned_abs());
        let walked: Vec<u64> =
            slow_slice(start, stop, step, extent).into_iter().map(i64::unsigned_abs).collect();
        assert_eq!(in_order(&picked), walked, "{slice:?} of {extent}");
    }
}

#[test]
fn the_farthest_slices_neither_overflow_nor_hang() {
    for step in [i64::MIN, -1 << 40, 1 << 40, i64::MAX] {
        let far = [i64::MIN, -1, 0, 1, i64::MAX];
        for (start, stop) in far.iter().flat_map(|&start| far.map(|stop| (start, stop))) {
            let slice = AxisSelection::Slice { start: Some(start), stop: Some(stop), step };
            let axis = Axis::from_edges((1 << 53) - 1, [((1 << 53) - 1, 1)]).unwrap();
            let picks = normalised(slice.clone(), axis.extent());
            let projections = AxisProjections::new(&axis, picks.clone());
            assert_eq!(projections.chunks(), u64::from(picks.count() > 0), "{slice:?}");
        }
    }
}

#[test]
fn indices_and_ranks_are_checked() {
    let index = |at| normalise(&[AxisSelection::All, AxisSelection::Index(at)], &[2, 5]);
    let of_two =
        |at| index(at).unwrap().into_iter().map(|axis| (axis.picks, axis.dropped)).collect::<Vec<_>>();
    for (at, found) in [(-5, 0), (4, 4)] {
        assert_eq!(of_two(at), [(AxisIndexer::whole(2), false), (AxisIndexer::of(&[found]), true)]);
    }
    for outside in [5, -6, i64::MAX, i64::MIN] {
        let message = index(outside).unwrap_err().to_string();
        assert!(message.contains("axis 1") && message.contains("-5 to 4"), "{message}");
    }
    let empty = normalise(&[AxisSelection::Index(0)], &[0]).unwrap_err().to_string();
    assert!(empty.contains("length 0"), "{empty}");
    assert!(normalise(&[const { AxisSelection::All }; 3], &[2, 5]).is_err());
    assert!(normalise(&[AxisSelection::Slice { start: None, stop: None, step: 0 }], &[2]).is_err());
}

fn random_picks(rng: &mut Rng, extent: u64) -> AxisIndexer {
    let length = extent.cast_signed();
    let selection = match rng.u8(0..6) {
        0 => AxisSelection::All,
        1 if extent > 0 => AxisSelection::Index(rng.i64(0..length)),
        2 if extent > 0 => AxisSelection::List((0..rng.u8(0..9)).map(|_| rng.i64(-length..length)).collect()),
        3 => AxisSelection::Mask((0..extent).map(|_| rng.bool()).collect()),
        _ => random_slice(rng),
    };
    normalised(selection, extent)
}

fn normalised(selection: AxisSelection, extent: u64) -> AxisIndexer {
    normalise(&[selection], &[extent]).unwrap().remove(0).picks
}

/// The coordinate and the output position of each pick.
fn pairs(picks: &AxisIndexer) -> Vec<(u64, u64)> {
    match picks {
        AxisIndexer::Run { first, step, count, output, reversed } => (0..*count)
            .map(|nth| (first + nth * step, if *reversed { output - nth } else { output + nth }))
            .collect(),
        AxisIndexer::List(list) => list.picks().map(|pick| (pick.coordinate, pick.output)).collect(),
    }
}

/// The coordinates in the order of the output.
fn in_order(picks: &AxisIndexer) -> Vec<u64> {
    let mut places = pairs(picks);
    assert!(places.is_sorted_by_key(|place| place.0));
    places.sort_by_key(|place| place.1);
    assert!(places.iter().map(|place| place.1).eq(0..picks.count()), "{picks:?}");
    places.into_iter().map(|place| place.0).collect()
}

#[test]
fn lists_and_masks_pick_what_they_say() {
    let mut rng = Rng::with_seed(11);
    for _ in 0..CASES {
        let extent = rng.u64(1..30);
        let length = extent.cast_signed();
        // Short lists and few coordinates, so that many are runs.
        let list: Vec<i64> = (0..rng.u8(0..5)).map(|_| rng.i64(-length..length)).collect();
        let expected: Vec<u64> = list.iter().map(|&at| at.rem_euclid(length).unsigned_abs()).collect();
        assert_eq!(in_order(&normalised(AxisSelection::List(list.clone()), extent)), expected, "{list:?}");
        let mask: Vec<bool> = (0..extent).map(|_| rng.bool()).collect();
        let expected: Vec<u64> = (0..extent).filter(|&at| mask[usize::try_from(at).unwrap()]).collect();
        assert_eq!(in_order(&normalised(AxisSelection::Mask(mask), extent)), expected);
    }
}

#[test]
fn lists_that_are_runs_become_runs() {
    let is_run =
        |list: &[i64]| matches!(normalised(AxisSelection::List(list.to_vec()), 9), AxisIndexer::Run { .. });
    for run in [[].as_slice(), &[4], &[0, 1, 2], &[7, 4, 1], &[-1, -2], &[8, 0]] {
        assert!(is_run(run), "{run:?}");
    }
    for list in [[3, 3].as_slice(), &[0, 1, 3], &[2, 1, 2], &[0, 2, 4, 7], &[5, 5, 5]] {
        assert!(!is_run(list), "{list:?}");
    }
}

#[test]
fn lists_are_refused_by_their_entry() {
    let refused = |selection| normalise(&[AxisSelection::All, selection], &[2, 5]).unwrap_err().to_string();
    let message = refused(AxisSelection::List(vec![0, -5, 5]));
    assert!(
        message.contains("axis 1") && message.contains("entry 2") && message.contains("index 5"),
        "{message}"
    );
    assert!(refused(AxisSelection::List(vec![i64::MIN])).contains("entry 0"));
    let message = refused(AxisSelection::Mask(vec![true; 4]));
    assert!(message.contains("4 booleans") && message.contains("length 5"), "{message}");
}

#[test]
fn a_million_picks_in_a_hundred_thousand_chunks_are_sorted_once() {
    let axis = Axis::regular(10_000_000, 100).unwrap();
    let mut rng = Rng::with_seed(12);
    let list: Vec<i64> = (0..1_000_000).map(|_| rng.i64(0..10_000_000)).collect();
    let picks = normalised(AxisSelection::List(list), axis.extent());
    let projections: Vec<Projection> = AxisProjections::new(&axis, picks.clone()).collect();
    assert_eq!(AxisProjections::new(&axis, picks).chunks(), projections.len() as u64);
    assert_eq!(projections.iter().map(|part| part.picks.count()).sum::<u64>(), 1_000_000);
}

#[test]
fn projections_cover_each_pick_once_in_chunk_order() {
    let mut rng = Rng::with_seed(4);
    for _ in 0..CASES {
        let (runs, extent) = random_runs(&mut rng);
        let axis = Axis::from_edges(extent, runs.iter().copied()).unwrap();
        let slow = SlowAxis::new(&runs, extent);
        let picks = random_picks(&mut rng, extent);
        let projections: Vec<Projection> = AxisProjections::new(&axis, picks.clone()).collect();
        let context = format!("{runs:?} {extent} {picks:?}");

        let mut found: Vec<Option<(u64, u64)>> = vec![None; usize::try_from(picks.count()).unwrap()];
        for part in &projections {
            assert!(part.picks.count() > 0, "{context}");
            assert_eq!(
                Some(&part.encoded),
                slow.edges.get(usize::try_from(part.chunk).unwrap()),
                "{context}"
            );
            for (within, output) in pairs(&part.picks) {
                let slot = &mut found[usize::try_from(output).unwrap()];
                assert_eq!(slot.replace((part.chunk, within)), None, "{context}");
            }
        }
        for (coordinate, place) in in_order(&picks).into_iter().zip(&found) {
            assert_eq!(*place, Some(slow.places[usize::try_from(coordinate).unwrap()]), "{context}");
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
        let picks: Vec<AxisIndexer> = axes.iter().map(|axis| random_picks(&mut rng, axis.extent())).collect();
        let lists: Vec<Vec<Projection>> = axes
            .iter()
            .zip(&picks)
            .map(|(axis, picks)| AxisProjections::new(axis, picks.clone()).collect())
            .collect();
        let expected = lists.iter().fold(vec![vec![]], |heads: Vec<Vec<Projection>>, list| {
            heads
                .iter()
                .flat_map(|head| {
                    list.iter().map(move |part| [head.as_slice(), std::slice::from_ref(part)].concat())
                })
                .collect()
        });
        let grid = ChunkGrid::new(axes);
        let mut walk = ChunkProjections::new(&grid, &picks);
        assert_eq!(walk.chunks(), expected.len() as u64);
        for chunk in expected {
            assert_eq!(walk.advance(), Some(chunk.as_slice()));
        }
        assert_eq!(walk.advance(), None);
        assert_eq!(walk.advance(), None);
    }
}

#[test]
fn encoded_lengths_equal_a_list_of_every_chunk() {
    let mut rng = Rng::with_seed(11);
    for _ in 0..CASES {
        let (runs, extent) = random_runs(&mut rng);
        let slow = SlowAxis::new(&runs, extent);
        let lengths: Vec<u64> = slow.edges.iter().map(|edge| edge + rng.u64(0..3)).collect();
        // The same lengths as runs, some of them split.
        let mut given: Vec<(u64, u64)> = Vec::new();
        for &length in &lengths {
            match given.last_mut() {
                Some((last, count)) if *last == length && rng.u8(0..4) > 0 => *count += 1,
                _ => given.push((length, 1)),
            }
        }
        let plain = Axis::from_edges(extent, runs.iter().copied()).unwrap();
        let axis = plain.clone().with_encoded(given.iter().copied()).unwrap();
        assert_eq!((axis.extent(), axis.chunks()), (plain.extent(), plain.chunks()));
        for chunk in 0..axis.chunks() {
            let (span, without) = (axis.span(chunk).unwrap(), plain.span(chunk).unwrap());
            assert_eq!((span.start, span.stop), (without.start, without.stop), "{runs:?} {given:?} {chunk}");
            assert_eq!(span.encoded, lengths[usize::try_from(chunk).unwrap()], "{runs:?} {given:?} {chunk}");
            assert_eq!(axis.span_at(span.start), Some(span));
        }
        let joined = |pair: &[grid::Run]| (pair[0].edge, pair[0].encoded) != (pair[1].edge, pair[1].encoded);
        assert!(
            axis.runs().windows(2).all(joined),
            "neighbours that are alike are one run: {runs:?} {given:?}"
        );

        let many = given.iter().copied().chain([(99, 1)]);
        let chunks = lengths.len() as u64;
        assert_eq!(plain.clone().with_encoded(many), Err(AxisError::EncodedCount { chunks }));
        let few = [(99, chunks - 1)].into_iter().filter(|(_, count)| *count > 0);
        assert_eq!(plain.clone().with_encoded(few), Err(AxisError::EncodedCount { chunks }));
        let most = slow.edges.iter().copied().max().unwrap();
        assert_eq!(
            plain.clone().with_encoded_edge(most).unwrap().span(0).map(|span| span.encoded),
            plain.span(0).map(|_| most)
        );
        assert_eq!(plain.with_encoded_edge(most - 1), Err(AxisError::ShortEncoded(0)));
    }
}

#[test]
fn encoded_lengths_of_many_chunks_are_never_written_out() {
    let axis = Axis::regular(1 << 50, 3).unwrap().with_encoded([(4, (1_u64 << 50).div_ceil(3))]).unwrap();
    assert_eq!(axis.runs().len(), 1);
    assert_eq!(axis.span_at((1 << 50) - 1).map(|span| span.encoded), Some(4));
}

#[test]
fn pieces_of_chunks_equal_a_list_of_every_piece() {
    let mut rng = Rng::with_seed(12);
    for _ in 0..CASES {
        let (runs, extent) = random_runs(&mut rng);
        let piece = rng.u64(1..5);
        let whole: Vec<(u64, u64)> =
            runs.iter().map(|&(edge, count)| (edge.next_multiple_of(piece), count)).collect();
        let axis = Axis::from_edges(extent, runs.iter().copied()).unwrap().with_encoded(whole).unwrap();
        let cut = axis.divided(piece).unwrap();
        let mut expected = Vec::new();
        for chunk in 0..axis.chunks() {
            let span = axis.span(chunk).unwrap();
            let starts = (span.start..span.stop).step_by(usize::try_from(piece).unwrap());
            expected.extend(starts.map(|start| (start, span.stop.min(start + piece), piece)));
        }
        let spans = (0..cut.chunks()).map(|nth| cut.span(nth).unwrap());
        let found: Vec<_> = spans.map(|span| (span.start, span.stop, span.encoded)).collect();
        assert_eq!(found, expected, "{runs:?} {extent} by {piece}");
    }
}
