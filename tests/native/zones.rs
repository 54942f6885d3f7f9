//! Zones have the shares that shapely gives, and the statistics of exactextract, whatever box of items comes first.

use crate::support::document_with;
use fastrand::Rng;
use rectilinear_zarr::answers::zones::{
    CellEdges, Covering, Features, HealpixCells, Quads, Spans, ZoneCells, ZoneGrid, ZonePlaces, ZoneReduction,
};
use rectilinear_zarr::answers::{BoxItems, PickedItems, ZonalReduction};
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES};
use rectilinear_zarr::{Error, Result};
use serde_json::{Value, json};

pub type Ring = Vec<[f64; 2]>;

pub fn oracle() -> Value {
    serde_json::from_str(include_str!("../neighbours/fixtures/zones/shares.json")).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap_or(f64::NAN)).collect()
}

fn rings(value: &Value) -> Vec<Ring> {
    let ring = |ring: &Value| {
        ring.as_array().unwrap().iter().map(|pair| numbers(pair).try_into().unwrap()).collect()
    };
    value.as_array().unwrap().iter().map(ring).collect()
}

pub fn polygons(value: &Value) -> Vec<Vec<Ring>> {
    value.as_array().unwrap().iter().map(rings).collect()
}

/// Features of polygons of rings, written flat.
pub fn flat(features: &[Vec<Vec<Ring>>]) -> Result<Features> {
    let (mut vertices, mut lists) = (Vec::new(), [Vec::new(), Vec::new(), Vec::new()]);
    for feature in features {
        for polygon in feature {
            for ring in polygon {
                vertices.extend(ring.iter().flatten().copied());
                lists[0].push(vertices.len() / 2);
            }
            let end = lists[0].len();
            lists[1].push(end);
        }
        let end = lists[1].len();
        lists[2].push(end);
    }
    Features::checked(&vertices, &lists[0], &lists[1], &lists[2])
}

fn grid(rows: Vec<f64>, columns: Vec<f64>, is_degrees: bool) -> ZoneGrid {
    let (rows, columns) = (CellEdges::checked("y", rows).unwrap(), CellEdges::checked("x", columns).unwrap());
    ZoneGrid { rows, columns, is_degrees, unwraps: true }
}

fn even(from: f64, to: f64, cells: usize) -> Vec<f64> {
    (0..=cells).map(|edge| from + (to - from) * edge as f64 / cells as f64).collect()
}

pub fn ring(pairs: &[[f64; 2]]) -> Vec<Vec<Ring>> {
    vec![vec![pairs.to_vec()]]
}

pub fn rectangle(west: f64, south: f64, east: f64, north: f64) -> Vec<Vec<Ring>> {
    ring(&[[west, south], [east, south], [east, north], [west, north]])
}

/// Cells of a kind, as a covering takes them.
pub trait Cells: Clone {
    fn kind(self) -> ZoneCells;
}

impl Cells for ZoneGrid {
    fn kind(self) -> ZoneCells {
        ZoneCells::Grid(self)
    }
}

impl Cells for Quads {
    fn kind(self) -> ZoneCells {
        ZoneCells::Quads(self)
    }
}

impl Cells for HealpixCells {
    fn kind(self) -> ZoneCells {
        ZoneCells::Healpix(self)
    }
}

/// Spans of features in cells.
pub fn covered(cells: &impl Cells, features: &Features) -> Result<Spans> {
    let mut covering = Covering::new(cells.clone().kind(), features.clone());
    loop {
        if let Some(spans) = covering.step()? {
            return Ok(spans);
        }
    }
}

/// Shares of all cells in C order.
pub fn dense(spans: &Spans, feature: usize, rows: usize, columns: usize) -> Vec<f64> {
    let mut found = vec![0.0; rows * columns];
    for span in spans.of(feature) {
        assert!(span.share > 0.0 && (span.to as usize) <= columns, "{span:?}");
        for column in span.from..span.to {
            found[span.row as usize * columns + column as usize] += span.share;
        }
    }
    found
}

pub fn expected(case: &Value, cells: usize) -> Vec<f64> {
    let mut found = vec![0.0; cells];
    for pair in case["shares"].as_array().unwrap() {
        found[usize::try_from(pair[0].as_u64().unwrap()).unwrap()] = pair[1].as_f64().unwrap();
    }
    found
}

pub fn assert_near(found: &[f64], expected: &[f64], bound: f64, name: &str) {
    assert_eq!(found.len(), expected.len(), "{name}");
    for (cell, (found, expected)) in found.iter().zip(expected).enumerate() {
        let is_near = (found - expected).abs() <= bound || found.is_nan() && expected.is_nan();
        assert!(is_near, "{name}, cell {cell}: {found}, expected {expected}");
    }
}

pub fn reason(result: Result<impl Sized>) -> String {
    match result {
        Err(error @ (Error::Selection { .. } | Error::Unsupported { .. })) => error.to_string(),
        Err(error) => panic!("{error:?}"),
        Ok(_) => panic!("no error"),
    }
}

#[test]
fn shares_are_those_of_shapely() {
    let oracle = oracle();
    let cases = oracle["shares"].as_array().unwrap();
    assert!(cases.len() > 40, "the list is whole");
    for case in cases {
        let grid = grid(numbers(&case["rows"]), numbers(&case["columns"]), false);
        let spans = covered(&grid, &flat(&[polygons(&case["polygons"])]).unwrap()).unwrap();
        let (rows, columns) = (grid.rows.cells(), grid.columns.cells());
        let found = dense(&spans, 0, rows, columns);
        assert_near(&found, &expected(case, rows * columns), 1e-12, case["name"].as_str().unwrap());
    }
}

#[test]
fn shares_of_quads_are_those_of_shapely() {
    for (nth, case) in oracle()["quads"].as_array().unwrap().iter().enumerate() {
        let corners: Vec<[[f64; 2]; 4]> =
            rings(&case["corners"]).into_iter().map(|quad| quad.try_into().unwrap()).collect();
        let width = u32::try_from(case["width"].as_u64().unwrap()).unwrap();
        let quads = Quads::checked(&corners, width, false, true).unwrap();
        let spans = covered(&quads, &flat(&[polygons(&case["polygons"])]).unwrap()).unwrap();
        let found = dense(&spans, 0, corners.len() / width as usize, width as usize);
        assert_near(&found, &expected(case, corners.len()), 1e-12, &format!("quads {nth}"));
    }
}

#[test]
fn quads_of_a_rectilinear_grid_have_the_shares_of_the_grid() {
    let mut rng = Rng::with_seed(7);
    let (rows, columns) = (even(-40.0, 40.0, 31), even(0.0, 360.0, 53));
    let cells = rows.windows(2).flat_map(|y| columns.windows(2).map(move |x| (x, y)));
    let corners: Vec<_> =
        cells.map(|(x, y)| [[x[0], y[0]], [x[1], y[0]], [x[1], y[1]], [x[0], y[1]]]).collect();
    let quads = Quads::checked(&corners, 53, true, true).unwrap();
    let grid = grid(rows, columns, true);
    for _ in 0..40 {
        let (x, y) = (rng.f64() * 360.0 - 180.0, rng.f64() * 60.0 - 30.0);
        let corner = |nth: usize| {
            let (angle, away) = (nth as f64 * 0.3, 1.0 + 40.0 * rng.f64());
            let x = x + away * angle.cos();
            [if x > 180.0 { x - 360.0 } else { x }, y + away * angle.sin()]
        };
        let features = flat(&[ring(&(0..20).map(corner).collect::<Vec<_>>())]).unwrap();
        let (one, other) = (covered(&grid, &features).unwrap(), covered(&quads, &features).unwrap());
        assert_near(&dense(&one, 0, 31, 53), &dense(&other, 0, 31, 53), 1e-11, "quads");
        assert!(one.pairs() > 10);
    }
}

#[test]
fn neighbours_share_cells_exactly() {
    // A fan of triangles around a place that is no vertex of the grid fills a square.
    let mut rng = Rng::with_seed(3);
    let grid = grid(even(0.0, 7.0, 7), even(0.0, 9.0, 9), false);
    let mut border: Ring = Vec::new();
    for _ in 0..40 {
        let (x, y) = (rng.f64() * 9.0, rng.f64() * 7.0);
        border.extend([[x, 0.0], [9.0, y], [9.0 - x, 7.0], [0.0, 7.0 - y]]);
    }
    border.extend([[0.0, 0.0], [9.0, 0.0], [9.0, 7.0], [0.0, 7.0]]);
    let centre = [3.7, 2.9];
    let angle = |[x, y]: &[f64; 2]| (y - centre[1]).atan2(x - centre[0]);
    border.sort_by(|one, next| angle(one).total_cmp(&angle(next)));
    let triangles: Vec<_> =
        (0..border.len()).map(|nth| ring(&[centre, border[nth], border[(nth + 1) % border.len()]])).collect();
    let spans = covered(&grid, &flat(&triangles).unwrap()).unwrap();
    let mut total = vec![0.0; 63];
    for feature in 0..triangles.len() {
        dense(&spans, feature, 7, 9).iter().zip(&mut total).for_each(|(share, sum)| *sum += share);
    }
    assert_near(&total, &[1.0; 63], 1e-12, "fan");
}

#[test]
fn a_polygon_along_edges_has_whole_cells_only() {
    let grid = grid(even(0.0, 4.0, 4), even(0.0, 4.0, 4), false);
    let spans =
        covered(&grid, &flat(&[rectangle(1.0, 1.0, 3.0, 2.0), rectangle(3.0, 1.0, 4.0, 2.0)]).unwrap())
            .unwrap();
    let whole: Vec<_> = spans
        .of(0)
        .iter()
        .chain(spans.of(1))
        .map(|span| (span.row, span.from, span.to, span.share))
        .collect();
    assert_eq!(whole, [(1, 1, 3, 1.0), (1, 3, 4, 1.0)]);
    assert_eq!(spans.bounds(), Some([(1, 2), (1, 4)]));
}

#[test]
fn rings_without_extent_along_an_axis_cover_nothing() {
    let grid = grid(even(-90.0, 90.0, 18), even(-180.0, 180.0, 36), true);
    for flattened in [
        [[0.0, 0.0], [10.0, 0.0], [5.0, 0.0]],
        [[3.0, -20.0], [3.0, 20.0], [3.0, 5.0]],
        [[0.0, 90.0], [50.0, 90.0], [20.0, 90.0]],
    ] {
        let spans = covered(&grid, &flat(&[ring(&flattened)]).unwrap()).unwrap();
        assert!(spans.of(0).iter().all(|span| span.share == 0.0), "{flattened:?}");
    }
}

#[test]
fn a_large_polygon_takes_memory_by_its_outline() {
    let grid = grid(even(0.0, 5000.0, 5000), even(0.0, 5000.0, 5000), false);
    let spans = covered(&grid, &flat(&[rectangle(0.5, 0.5, 4999.5, 4999.5)]).unwrap()).unwrap();
    assert_eq!(spans.pairs(), 25_000_000);
    assert!(spans.of(0).len() < 16_000, "{}", spans.of(0).len());
    let total: f64 = spans.of(0).iter().map(|span| f64::from(span.to - span.from) * span.share).sum();
    assert!((total - 4999.0 * 4999.0).abs() < 1e-6, "{total}");
    // Five of them are too many cells.
    let five = vec![rectangle(0.5, 0.5, 4999.5, 4999.5); 5];
    assert!(reason(covered(&grid, &flat(&five).unwrap())).contains("feature 4: "));
}

/// Area in square degrees that a feature covers on a globe of cells, from 0 to 360 and from -180 to 180.
fn areas(feature: &[Vec<Ring>]) -> [f64; 2] {
    [(0.0, 360.0), (-180.0, 180.0)].map(|(west, east)| {
        let grid = grid(even(90.0, -90.0, 45), even(west, east, 72), true);
        let spans = covered(&grid, &flat(&[feature.to_vec()]).unwrap()).unwrap();
        dense(&spans, 0, 45, 72).iter().sum::<f64>() * 20.0
    })
}

#[test]
fn rings_go_on_across_180_degrees_and_around_poles() {
    let across = ring(&[[170.0, -10.0], [-170.0, -10.0], [-170.0, 10.0], [170.0, 10.0]]);
    let beyond = rectangle(170.0, -10.0, 190.0, 10.0);
    let west = rectangle(-190.0, -10.0, -170.0, 10.0);
    for (name, feature, size) in [
        ("across", &across, 400.0),
        ("beyond", &beyond, 400.0),
        ("west", &west, 400.0),
        ("the globe", &rectangle(-180.0, -90.0, 180.0, 90.0), 64_800.0),
        ("the globe from 0", &rectangle(0.0, -90.0, 360.0, 90.0), 64_800.0),
        ("a band", &rectangle(-180.0, 60.0, 180.0, 80.0), 7200.0),
        ("around the north pole", &ring(&[[0.0, 70.0], [120.0, 70.0], [-120.0, 70.0]]), 7200.0),
        ("the other way", &ring(&[[0.0, 70.0], [-120.0, 70.0], [120.0, 70.0]]), 7200.0),
        ("around the south pole", &ring(&[[-180.0, -70.0], [-60.0, -70.0], [60.0, -70.0]]), 7200.0),
        (
            "as Antarctica is written",
            &ring(&[
                [-180.0, -70.0],
                [-60.0, -70.0],
                [60.0, -70.0],
                [180.0, -70.0],
                [180.0, -90.0],
                [-180.0, -90.0],
            ]),
            7200.0,
        ),
    ] {
        assert_near(&areas(feature), &[size, size], 1e-8, name);
    }
    // A hole across 180 degrees in a part that is written beyond it.
    let mut holed = rectangle(160.0, -20.0, 200.0, 20.0);
    holed[0].extend(across[0].clone());
    assert_near(&areas(&holed), &[1200.0, 1200.0], 1e-8, "hole");
    // Where a grid goes around more than once, every cell has its share.
    let twice = grid(even(-90.0, 90.0, 18), even(-180.0, 540.0, 72), true);
    let spans = covered(&twice, &flat(&[across]).unwrap()).unwrap();
    assert_near(&[dense(&spans, 0, 18, 72).iter().sum()], &[8.0], 1e-10, "twice");
}

#[test]
fn long_steps_stay_where_asked() {
    let mut grid = grid(even(-90.0, 90.0, 18), even(-180.0, 180.0, 36), true);
    grid.unwraps = false;
    let spans = covered(&grid, &flat(&[rectangle(-100.0, 0.0, 100.0, 10.0)]).unwrap()).unwrap();
    assert_eq!(spans.pairs(), 20);
}

#[test]
fn a_ring_of_many_vertices_is_walked_in_bounded_time() {
    // A wavy line around the grid, and a comb of long teeth.
    let wavy = |nth: usize| {
        let angle = nth as f64 * std::f64::consts::TAU / 1e5;
        let away = 40.0 + (angle * 500.0).sin();
        [50.0 + away * angle.cos(), 50.0 + away * angle.sin()]
    };
    let grid = grid(even(0.0, 100.0, 200), even(0.0, 100.0, 200), false);
    let spans = covered(&grid, &flat(&[ring(&(0..100_000).map(wavy).collect::<Vec<_>>())]).unwrap()).unwrap();
    let area = dense(&spans, 0, 200, 200).iter().sum::<f64>() / 4.0;
    assert!((area / (std::f64::consts::PI * 1600.5) - 1.0).abs() < 1e-4, "{area}");
    let tooth = |nth: usize| [nth as f64 / 40.0, if nth.is_multiple_of(2) { 1.0 } else { 99.0 }];
    let mut comb: Ring = (0..4000).map(tooth).collect();
    comb.extend([[99.975, 0.5], [0.0, 0.5]]);
    let spans = covered(&grid, &flat(&[ring(&comb)]).unwrap()).unwrap();
    let area = dense(&spans, 0, 200, 200).iter().sum::<f64>() / 4.0;
    assert!((area - 99.975 * 49.5).abs() < 0.1, "{area}");
    // A star whose edges lie close to thousands of others, and cross none.
    let mut rng = Rng::with_seed(8);
    let mut ray = |nth: usize| {
        let (angle, away) = (nth as f64 * std::f64::consts::TAU / 5e4, 20.0 + 25.0 * rng.f64());
        [50.0 + away * angle.cos(), 50.0 + away * angle.sin()]
    };
    let star: Ring = (0..50_000).map(&mut ray).collect();
    let spans = covered(&grid, &flat(&[ring(&star)]).unwrap()).unwrap();
    let area = dense(&spans, 0, 200, 200).iter().sum::<f64>() / 4.0;
    let edges = star.iter().zip(star.iter().cycle().skip(1));
    let exact =
        edges.map(|(a, b)| (a[0] - 50.0) * (b[1] - 50.0) - (b[0] - 50.0) * (a[1] - 50.0)).sum::<f64>();
    assert!((area - exact / 2.0).abs() < 1e-8, "{area}, {exact}");
    // A walk of long random steps.
    let walk: Ring = (0..4000).map(|_| [0, 1].map(|_| 100.0 * rng.f64())).collect();
    assert!(
        reason(covered(&grid, &flat(&[ring(&walk)]).unwrap()))
            .contains("feature 0: a ring crosses itself too often")
    );
    // Each of 1,200 edges crosses all others.
    let scribble = |nth: usize| {
        if nth.is_multiple_of(2) { [nth as f64 / 12.0, 0.0] } else { [100.0 - nth as f64 / 12.0, 100.0] }
    };
    let tangled = covered(&grid, &flat(&[ring(&(0..1200).map(scribble).collect::<Vec<_>>())]).unwrap());
    assert!(reason(tangled).contains("feature 0: a ring crosses itself too often"));
}

#[test]
fn statistics_are_those_of_exactextract() {
    let oracle = oracle();
    for (nth, case) in oracle["statistics"].as_array().unwrap().iter().enumerate() {
        let rows: Vec<Vec<f64>> = case["values"].as_array().unwrap().iter().map(numbers).collect();
        let features: Vec<_> = polygons(&case["features"]).into_iter().map(|rings| vec![rings]).collect();
        let grid = grid(even(7.0, 0.0, 7), even(0.0, 9.0, 9), false);
        let spans = covered(&grid, &flat(&features).unwrap()).unwrap();
        let columns = case["columns"].as_object().unwrap();
        let names: Vec<&str> = columns.keys().map(String::as_str).collect();
        let places = ZonePlaces { lengths: vec![7, 9], rows: Some((0, 0)), columns: (1, 0) };
        let mut reduction = ZoneReduction::new(places, spans, &names, None).unwrap();
        assert_eq!(reduction.shape(), [2]);
        let part = reduction.partial(&[(0, 7), (0, 9)], &rows.concat()).unwrap();
        reduction.add(part).unwrap();
        for (name, found) in reduction.columns() {
            assert_near(&found, &numbers(&columns[&name]), 3e-6, &format!("{name} of {nth}"));
        }
    }
}

#[test]
fn quantiles_of_equal_shares_are_those_of_numpy() {
    let grid = grid(vec![0.0, 1.0], even(0.0, 4.0, 4), false);
    let spans = covered(&grid, &flat(&[rectangle(0.0, 0.0, 4.0, 1.0)]).unwrap()).unwrap();
    let places = ZonePlaces { lengths: vec![1, 4], rows: Some((0, 0)), columns: (1, 0) };
    let mut reduction = ZoneReduction::new(places, spans, &["q0", "median", "q0.9", "q1"], None).unwrap();
    let part = reduction.partial(&[(0, 1), (0, 4)], &[2.0, 5.0, 2.0, 2.0]).unwrap();
    reduction.add(part).unwrap();
    let found: Vec<f64> = reduction.columns().into_iter().map(|(_, column)| column[0]).collect();
    // np.quantile([2, 5, 2, 2], [0, 0.5, 0.9, 1])
    assert_near(&found, &[2.0, 2.0, 4.1, 5.0], 1e-12, "quantiles");
}

/// The bits of a statistic's numbers.
type Column = Vec<u64>;

/// A box: start and stop along each axis, and its items.
type Part = (Vec<(u64, u64)>, Vec<f64>);

/// Boxes of 3 x 4 x 5 cells of a field of 5 x 9 x 12, and their items.
fn boxes(field: &[f64]) -> Vec<Part> {
    let parts = |length: u64, edge: u64| {
        (0..length).step_by(edge as usize).map(move |start| (start, (start + edge).min(length)))
    };
    let mut found = Vec::new();
    for time in parts(5, 3) {
        for row in parts(9, 4) {
            for column in parts(12, 5) {
                let at = |t: u64, r: u64, c: u64| field[((t * 9 + r) * 12 + c) as usize];
                let rows = (time.0..time.1).flat_map(|t| (row.0..row.1).map(move |r| (t, r)));
                let items = rows.flat_map(|(t, r)| (column.0..column.1).map(move |c| at(t, r, c))).collect();
                found.push((vec![time, row, column], items));
            }
        }
    }
    found
}

#[test]
fn boxes_give_the_same_answer_in_any_order() {
    let mut rng = Rng::with_seed(11);
    let field: Vec<f64> =
        (0..540).map(|_| if rng.u8(..) < 30 { f64::NAN } else { (rng.f64() * 64.0).floor() / 8.0 }).collect();
    // The result begins at row 3 and column 7 of the grid.
    let grid = grid(even(0.0, 20.0, 20), even(30.0, 0.0, 30), false);
    let features: Vec<_> = (0..9)
        .map(|nth| {
            let corner = |at: usize| {
                let (angle, away) = (at as f64, 0.5 + 5.0 * rng.f64());
                [14.0 + away * angle.cos() + f64::from(nth), 7.0 + away * angle.sin()]
            };
            ring(&(0..6).map(corner).collect::<Vec<_>>())
        })
        .collect();
    let features = flat(&features).unwrap();
    let spans = covered(&grid, &features).unwrap();
    let names = ["mean", "count", "sum", "std", "min", "max", "mode", "minority", "variety", "q0.3"];
    let weights: Vec<f64> = (0..20).map(|row| 1.0 + f64::from(row) / 7.0).collect();
    let places = ZonePlaces { lengths: vec![5, 9, 12], rows: Some((1, 3)), columns: (2, 7) };
    let codecs = json!([{ "name": "bytes", "configuration": { "endian": "little" } }]);
    let edges = json!([[3, 3], [4, 4, 4], [5, 5, 5]]);
    let document = document_with(&[5, 9, 12], &edges, "float64", &codecs);
    let array = Array::parse(&document, "", DEFAULT_MAX_CHUNK_BYTES).unwrap();
    let plan = array.plan(&[]).unwrap();
    let begin = || {
        let weights = Some((weights.clone(), [1, 0]));
        let zones = ZoneReduction::new(places.clone(), spans.clone(), &names, weights).unwrap();
        ZonalReduction::new(zones, PickedItems::of(&plan).unwrap()).unwrap()
    };
    let boxes = boxes(&field);
    let mut orders: Vec<Vec<usize>> = vec![(0..boxes.len()).collect(); 4];
    orders.iter_mut().skip(1).for_each(|order| rng.shuffle(order));
    let answers: Vec<Vec<Column>> = orders
        .iter()
        .map(|order| {
            let mut reduction = begin();
            for nth in order {
                let (bounds, items) = &boxes[*nth];
                let bytes: Vec<u8> = items.iter().flat_map(|item| item.to_le_bytes()).collect();
                reduction.put(bounds, BoxItems::Stored(&bytes)).unwrap();
            }
            let bits = |column: Vec<f64>| column.into_iter().map(f64::to_bits).collect();
            reduction.statistics().into_iter().map(bits).collect()
        })
        .collect();
    assert!(answers.iter().all(|answer| *answer == answers[0]), "an order changes the answer");
    // A mean item by item, over what lies within the result.
    for feature in 0..9 {
        let shares = dense(&spans, feature, 20, 30);
        for time in 0..5 {
            let (mut sum, mut total, mut count) = (0.0, 0.0, 0.0);
            for (row, column) in (3..12).flat_map(|row| (7..19).map(move |column| (row, column))) {
                let (item, share) =
                    (field[(time * 9 + row - 3) * 12 + column - 7], shares[row * 30 + column]);
                if !item.is_nan() {
                    (sum, total, count) =
                        (sum + share * weights[row] * item, total + share * weights[row], count + share);
                }
            }
            let number = feature * 5 + time;
            let (mean, counted) =
                (f64::from_bits(answers[0][0][number]), f64::from_bits(answers[0][1][number]));
            assert_near(
                &[mean, counted],
                &[sum / total, count],
                1e-12,
                &format!("feature {feature} at {time}"),
            );
        }
    }
}

/// Count, sum, mean, variance, least and greatest of items with a share and a weight each, one after the other.
fn one_by_one(items: &[(f64, f64, f64)]) -> [f64; 6] {
    let valid: Vec<_> = items.iter().filter(|(item, share, _)| !item.is_nan() && *share > 0.0).collect();
    let total: f64 = valid.iter().map(|(_, share, weight)| share * weight).sum();
    let sum: f64 = valid.iter().map(|(item, share, weight)| item * share * weight).sum();
    let mean = sum / total;
    let squares = valid.iter().map(|(item, share, weight)| (item - mean) * (item - mean) * share * weight);
    [
        valid.iter().map(|(_, share, _)| share).sum(),
        sum,
        mean,
        squares.sum::<f64>() / total,
        valid.iter().map(|(item, ..)| *item).fold(f64::INFINITY, f64::min),
        valid.iter().map(|(item, ..)| *item).fold(f64::NEG_INFINITY, f64::max),
    ]
}

#[test]
fn long_runs_of_cells_are_added_as_their_items_one_by_one() {
    let mut rng = Rng::with_seed(5);
    let (rows, columns) = (20, 300);
    let grid = grid(even(0.0, 20.0, rows), even(0.0, 300.0, columns), false);
    let features = [rectangle(3.5, 0.25, 290.25, 19.0), rectangle(100.0, 5.0, 107.0, 6.0)];
    let spans = covered(&grid, &flat(&features).unwrap()).unwrap();
    let field: Vec<f64> = (0..rows * columns)
        .map(|_| if rng.u8(..) < 20 { f64::NAN } else { 1e6 + (rng.f64() - 0.5) })
        .collect();
    let names = ["count", "sum", "mean", "var", "min", "max"];
    let by_row: Vec<f64> = (0..rows).map(|row| row as f64 / 4.0).collect();
    let by_cell: Vec<f64> = (0..rows * columns).map(|_| rng.f64()).collect();
    let weights = [None, Some((by_row, [1, 0])), Some((by_cell, [columns, 1]))];
    for (weights, is_turned) in weights.iter().flat_map(|weights| [(weights, false), (weights, true)]) {
        // Neighbours of a row are beside each other, or as far apart as there are rows.
        let (lengths, axes) = if is_turned { ([columns, rows], [1, 0]) } else { ([rows, columns], [0, 1]) };
        let places = ZonePlaces {
            lengths: lengths.iter().map(|length| *length as u64).collect(),
            rows: Some((axes[0], 0)),
            columns: (axes[1], 0),
        };
        let mut reduction = ZoneReduction::new(places, spans.clone(), &names, weights.clone()).unwrap();
        let bounds = lengths.map(|length| (0, length as u64));
        let turned = (0..columns).flat_map(|column| (0..rows).map(move |row| row * columns + column));
        let items: Vec<f64> =
            if is_turned { turned.map(|cell| field[cell]).collect() } else { field.clone() };
        let part = reduction.partial(&bounds, &items).unwrap();
        reduction.add(part).unwrap();
        let found = reduction.columns();
        for feature in 0..2 {
            let shares = dense(&spans, feature, rows, columns);
            let weight = |cell: usize| {
                weights
                    .as_ref()
                    .map_or(1.0, |(list, steps)| list[cell / columns * steps[0] + cell % columns * steps[1]])
            };
            let each: Vec<_> =
                (0..rows * columns).map(|cell| (field[cell], shares[cell], weight(cell))).collect();
            for (right, (name, column)) in one_by_one(&each).iter().zip(&found) {
                // Of variances, what is left of numbers a million times as large.
                let bound = if name == "var" { 1e-6 } else { 1e-12 };
                assert!(
                    (column[feature] / right - 1.0).abs() < bound,
                    "{name} of {feature}: {column:?}, not {right}"
                );
            }
        }
    }
}

#[test]
fn boxes_without_a_cell_of_a_feature_are_known() {
    let grid = grid(even(0.0, 10.0, 10), even(0.0, 10.0, 10), false);
    let features = [rectangle(0.5, 0.5, 1.5, 1.5), ring(&[[5.0, 0.0], [10.0, 5.0], [10.0, 0.0]])];
    let spans = covered(&grid, &flat(&features).unwrap()).unwrap();
    let places = ZonePlaces { lengths: vec![10, 10, 3], rows: Some((0, 0)), columns: (1, 0) };
    let reduction = ZoneReduction::new(places, spans, &["count"], None).unwrap();
    let touches = |row: u64, column: u64| reduction.touches(&[(row, row + 2), (column, column + 2), (0, 3)]);
    assert!(touches(0, 0) && touches(0, 4) && touches(0, 8) && touches(3, 8));
    // Within the box around the triangle, but not within the triangle.
    assert!(!touches(3, 5) && !touches(2, 0) && !touches(8, 8) && !touches(0, 2));
    assert_eq!(reduction.shape(), [2, 3]);
}

#[test]
fn zones_without_items_have_a_count_of_zero_and_no_mean() {
    let grid = grid(even(0.0, 2.0, 2), even(0.0, 2.0, 2), false);
    let features = [rectangle(8.0, 8.0, 9.0, 9.0), rectangle(0.0, 0.0, 1.0, 1.0)];
    let spans = covered(&grid, &flat(&features).unwrap()).unwrap();
    let places = ZonePlaces { lengths: vec![2, 2], rows: Some((0, 0)), columns: (1, 0) };
    let names = ["count", "sum", "variety", "mean", "var", "min", "mode", "median"];
    let mut reduction = ZoneReduction::new(places, spans, &names, None).unwrap();
    let part = reduction.partial(&[(0, 2), (0, 2)], &[f64::NAN, 1.0, 2.0, 3.0]).unwrap();
    reduction.add(part).unwrap();
    for (name, column) in reduction.columns() {
        let nothing = if ["count", "sum", "variety"].contains(&name.as_str()) { 0.0 } else { f64::NAN };
        assert_near(&column, &[nothing; 2], 0.0, &name);
    }
}

#[test]
fn mistakes_are_named() {
    let square = rectangle(0.0, 0.0, 1.0, 1.0);
    let with = |feature: Vec<Vec<Ring>>| reason(flat(&[square.clone(), feature]));
    assert!(
        with(ring(&[[0.0, 0.0], [f64::NAN, 0.0], [1.0, 1.0]]))
            .contains("feature 1: ring 0 of polygon 0 has the vertex")
    );
    assert!(
        with(ring(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 0.0]])).contains("has 2 different vertices")
    );
    assert!(with(vec![vec![square[0][0].clone(), vec![]]]).contains("feature 1: ring 1 of polygon 0 has 0"));
    assert!(with(ring(&[[1e300, 0.0], [1e308, 9.0], [-1e308, 1.0]])).contains("less than 10^100"));
    assert!(with(vec![]).contains("feature 1: it has no polygon"));
    assert!(with(vec![square[0].clone(), vec![]]).contains("feature 1: polygon 1 has no ring"));
    assert!(reason(flat(&vec![square.clone(); 10_001])).contains("10001 features"));
    assert!(reason(Features::checked(&vec![0.0; 2_000_002], &[], &[], &[])).contains("1000001 vertices"));
    assert!(reason(Features::checked(&[0.0; 8], &[3], &[1], &[1])).contains("rings must rise to 4"));
    let degrees = grid(even(-90.0, 90.0, 4), even(0.0, 360.0, 4), true);
    let metres = flat(&[square.clone(), rectangle(4e5, 5e6, 5e5, 6e6)]).unwrap();
    assert!(reason(covered(&degrees, &metres)).contains("feature 1: [400000, 5000000] is no longitude"));
    for (edges, word) in [
        (vec![1.0], "at least 2"),
        (vec![0.0, 1.0, 1.0], "rise or fall"),
        (vec![0.0, f64::NAN], "no place"),
        (vec![-1e308, 1e308], "no place"),
        (vec![3.0, 2.0, 4.0], "rise or fall"),
    ] {
        assert!(reason(CellEdges::checked("x", edges)).contains(word));
    }
    let spans = covered(&degrees, &flat(&[square]).unwrap()).unwrap();
    let places = ZonePlaces { lengths: vec![4, 4], rows: Some((0, 0)), columns: (1, 0) };
    let begin = |names: &[&str], weights: Option<(Vec<f64>, [usize; 2])>| {
        ZoneReduction::new(places.clone(), spans.clone(), names, weights)
    };
    assert!(reason(begin(&["means"], None)).contains("\"means\""));
    assert!(reason(begin(&["q1.5"], None)).contains("\"q1.5\""));
    assert!(reason(begin(&["mean"], Some((vec![1.0, 1.0], [1, 0])))).contains("2 weights"));
    assert!(reason(begin(&["mean"], Some((vec![1.0, -1.0, 1.0], [1, 0])))).contains("weight 1 is -1"));
    assert!(
        reason(begin(&["mean"], None).unwrap().partial(&[(0, 2), (0, 5)], &[0.0; 10]))
            .contains("do not fill")
    );
}
