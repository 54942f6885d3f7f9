//! Zones have the shares of HEALPix cells that lie in them, right to a millionth of a cell.

use crate::zones::{
    Ring, assert_near, covered, dense, expected, flat, oracle, polygons, reason, rectangle, ring,
};
use fastrand::Rng;
use rectilinear_zarr::answers::zones::HealpixCells;

/// Strips by which a cell is measured.
const STRIPS: u32 = 5000;

/// Share of a cell in a ring whose longitudes do not wrap: strips of one latitude, on which the cell and the ring are
/// intervals of longitudes. On the plane of HEALPix, strips of one height have one area.
fn share_by_strips(level: u32, cell: u64, ring: &[[f64; 2]]) -> f64 {
    let side = f64::from(1 << level);
    let face = (cell >> (2 * level)) as usize;
    let bits = |first: u32| (0..level).map(|bit| (cell >> (2 * bit + first) & 1) << bit).sum::<u64>() as f64;
    let (column, row) = (bits(0), bits(1));
    let lon = f64::from([45, 135, 225, 315, 0, 90, 180, 270, 45, 135, 225, 315][face]);
    let centre = [1.0, 0.0, -1.0][face / 4];
    let (x, y) = ((column - row) / side, (column + row + 1.0) / side - 1.0 + centre);
    let half = 1.0 / side;
    let mut area = 0.0;
    for strip in 0..STRIPS {
        let height = y - half + 2.0 * half * (f64::from(strip) + 0.5) / f64::from(STRIPS);
        let wide = half - (height - y).abs();
        let narrow = if height.abs() <= 1.0 { 1.0 } else { 2.0 - height.abs() };
        let sine = if narrow == 1.0 { height / 1.5 } else { (1.0 - narrow * narrow / 3.0) * height.signum() };
        let lat = sine.asin().to_degrees();
        let mut crossed: Vec<f64> = Vec::new();
        for (nth, [ax, ay]) in ring.iter().enumerate() {
            let [bx, by] = ring[(nth + 1) % ring.len()];
            if (*ay <= lat) != (by <= lat) {
                crossed.push(ax + (lat - ay) / (by - ay) * (bx - ax));
            }
        }
        crossed.sort_by(f64::total_cmp);
        for pair in crossed.chunks(2) {
            for turn in [-360.0, 0.0, 360.0] {
                let at = |edge: f64| (edge + turn - lon) / 45.0 * narrow;
                area += (at(pair[1]).min(x + wide) - at(pair[0]).max(x - wide)).max(0.0);
            }
        }
    }
    // The strips' height over the area of the cell.
    area * (2.0 * half / f64::from(STRIPS)) / (2.0 * half * half)
}

#[test]
fn shares_are_those_of_strips_of_one_latitude() {
    let mut rng = Rng::with_seed(5);
    let (mut most, mut crossed) = (0.0f64, 0);
    for case in 0..24 {
        let level = [0, 1, 2, 3, 4, 6][case % 6];
        // Stars around a place: near the equator, where the shapes of faces change, and near the poles.
        let lat = [3.0, -41.0, 70.0, 41.8, -80.0][case % 5];
        let lon = rng.f64() * 360.0 - 180.0;
        let size = if level > 4 { 4.0 } else { 9.0 + 40.0 * rng.f64() };
        let star: Ring = (0..9)
            .map(|nth| {
                let (angle, away) = (f64::from(nth) * 0.69, size * (0.2 + 0.8 * rng.f64()));
                [lon + away * angle.cos(), (lat + away * angle.sin()).clamp(-90.0, 90.0)]
            })
            .collect();
        let cells = 12u64 << (2 * level);
        let healpix = HealpixCells::checked(level, None, true).unwrap();
        let found = dense(&covered(&healpix, &flat(&[ring(&star)]).unwrap()).unwrap(), 0, 1, cells as usize);
        for (cell, share) in found.iter().enumerate() {
            let is_part = *share > 0.0 && *share < 1.0;
            // Of cells that are inside or outside as a whole, some are measured.
            if is_part || level < 3 || cell % 97 == 0 {
                let right = share_by_strips(level, cell as u64, &star);
                most = most.max((share - right).abs());
                assert!(
                    (share - right).abs() < 1.5e-6,
                    "{case}, level {level}, cell {cell}: {share}, not {right}"
                );
                crossed += u32::from(is_part);
            }
        }
    }
    assert!(crossed > 250, "{crossed} cells with borders, {most} apart");
}

#[test]
fn shares_are_about_those_of_the_small_cells_inside_by_healpix_geo() {
    for (nth, case) in oracle()["healpix"].as_array().unwrap().iter().enumerate() {
        let features = flat(&[polygons(&case["polygons"])]).unwrap();
        let cells = HealpixCells::checked(4, None, true).unwrap();
        let found = dense(&covered(&cells, &features).unwrap(), 0, 1, 3072);
        let middles = expected(case, 3072);
        assert!(found.iter().any(|share| *share > 0.0));
        // A cell has 64 of them.
        assert_near(&found, &middles, 0.15, &format!("healpix {nth}"));
        let away: f64 = found.iter().zip(&middles).map(|(one, other)| one - other).sum();
        assert!(away.abs() < 0.02 * middles.iter().sum::<f64>() + 0.1, "healpix {nth}: {away}");
        // Along an axis of some cells, in another order.
        let ids: Vec<u64> = (0..3072).rev().filter(|id| id % 3 > 0).collect();
        let some = HealpixCells::checked(4, Some(&ids), true).unwrap();
        let of_some = dense(&covered(&some, &features).unwrap(), 0, 1, ids.len());
        let same: Vec<f64> = ids.iter().map(|id| found[usize::try_from(*id).unwrap()]).collect();
        assert_near(&of_some, &same, 0.0, &format!("some of healpix {nth}"));
    }
}

#[test]
fn cells_fill_the_sphere_and_areas_are_those_of_shapes() {
    for level in [0, 2, 5] {
        let cells = HealpixCells::checked(level, None, true).unwrap();
        let count = 12usize << (2 * level);
        let share = |feature: Vec<Vec<Ring>>| -> f64 {
            let spans = covered(&cells, &flat(&[feature]).unwrap()).unwrap();
            dense(&spans, 0, 1, count).iter().sum::<f64>()
        };
        let bound = 1e-6 * (20 << level) as f64;
        assert_near(&[share(rectangle(-180.0, -90.0, 180.0, 90.0))], &[count as f64], 1e-9, "sphere");
        for [west, south, east, north] in
            [[0.0, 0.0, 90.0, 90.0], [170.0, -80.0, 215.0, 33.0], [-40.0, 50.0, 10.0, 71.0]]
        {
            let sines = |lat: f64| lat.to_radians().sin();
            let exact = (east - west) / 360.0 * (sines(north) - sines(south)) / 2.0 * count as f64;
            assert_near(&[share(rectangle(west, south, east, north))], &[exact], bound, "box");
        }
        let cap = share(ring(&[[0.0, 70.0], [120.0, 70.0], [-120.0, 70.0]]));
        assert_near(&[cap], &[(1.0 - 70f64.to_radians().sin()) / 2.0 * count as f64], bound, "cap");
    }
}

#[test]
fn neighbours_share_each_cell_without_rest() {
    let cells = HealpixCells::checked(3, None, true).unwrap();
    let (south, north) = (
        ring(&[[-30.0, -20.0], [55.0, 13.0], [20.0, -88.0]]),
        ring(&[[-30.0, -20.0], [30.0, 85.0], [55.0, 13.0]]),
    );
    let whole = ring(&[[-30.0, -20.0], [30.0, 85.0], [55.0, 13.0], [20.0, -88.0]]);
    let spans = covered(&cells, &flat(&[south, north, whole]).unwrap()).unwrap();
    let [one, other, whole] = [0, 1, 2].map(|feature| dense(&spans, feature, 1, 768));
    let both: Vec<f64> = one.iter().zip(&other).map(|(one, other)| one + other).collect();
    assert_near(&both, &whole, 2e-6, "halves");
}

#[test]
fn levels_and_numbers_that_there_are_not_are_refused() {
    assert!(reason(HealpixCells::checked(14, None, true)).contains("level 14"));
    assert!(reason(HealpixCells::checked(1, Some(&[48]), true)).contains("cell 48 at 0"));
    assert!(reason(HealpixCells::checked(1, Some(&[7, 3, 7]), true)).contains("cell 7 is there twice"));
}
