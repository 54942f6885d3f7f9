//! The plane of a face of HEALPix, on which the cells of the face are squares of equal area.
//!
//! Each face has a plane of its own, on which all longitudes and latitudes have a place; what is outside of the face on
//! the sphere is outside of its square on the plane.
//! Invariant: areas on the plane are in proportion to those on the sphere, everywhere.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4};

use super::rings::TURN;

/// Rows of the lowest corners of the faces, and their columns, in units of a face's diagonal.
const ROWS: [f64; 12] = [2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0, 4.0, 4.0, 4.0, 4.0];
const COLUMNS: [f64; 12] = [1.0, 3.0, 5.0, 7.0, 0.0, 2.0, 4.0, 6.0, 1.0, 3.0, 5.0, 7.0];

/// Most distance, in sides of a cell, between the curve that an edge is on the plane and the line that stands for it. A
/// loop passes a cell in few cell sides, so that less than a millionth of the cell is on the wrong side.
const NEAR: f64 = 7e-7;

/// Most times that an edge is halved.
const DEEPEST: u32 = 40;

/// The plane of a face: (0, 0) is the face's southern corner, (1, 0) the eastern one, (0, 1) the western one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Face {
    /// Longitude of the middle, in degrees, and distance of the middle from the equator, in half diagonals northwards.
    lon: f64,
    height: f64,
}

impl Face {
    /// The plane of a face, for places on the side of a longitude.
    pub(super) fn near(face: usize, lon: f64) -> Self {
        let middle = COLUMNS[face] * 45.0;
        Self { lon: middle + TURN * ((lon - middle) / TURN).round(), height: 3.0 - ROWS[face] }
    }

    /// Place of a longitude and latitude in degrees on the plane.
    fn place(self, [lon, lat]: [f64; 2]) -> [f64; 2] {
        let away = (lon - self.lon).to_radians() / FRAC_PI_4;
        let sine = lat.to_radians().sin();
        let (x, y) = if sine.abs() <= 2.0 / 3.0 {
            (away, 1.5 * sine)
        } else {
            // Longitudes draw together towards the poles. Half the distance from the pole has digits where the sine has none.
            let narrow = 6f64.sqrt() * ((FRAC_PI_2 - lat.to_radians().abs()) / 2.0).sin();
            (away * narrow, (2.0 - narrow) * sine.signum())
        };
        let y = y - self.height;
        [(1.0 + x + y) / 2.0, (1.0 - x + y) / 2.0]
    }

    /// A closed line of longitudes and latitudes on the plane, in sides of cells of a level. Edges become curves there, of
    /// which as many places are taken as the cell whose southern corner is `cell` needs.
    pub(super) fn drawn(
        self,
        level: u32,
        line: &[[f64; 2]],
        cell: [f64; 2],
        steps: &mut u64,
    ) -> Vec<[f64; 2]> {
        let side = f64::from(1 << level);
        let place = |from: [f64; 2]| self.place(from).map(|place| place * side);
        let mut drawn = Vec::with_capacity(2 * line.len());
        for (one, next) in line.iter().zip(line.iter().cycle().skip(1)) {
            let ends = [(*one, place(*one)), (*next, place(*next))];
            drawn.push(ends[0].1);
            Curve { place: &place, cell }.halve(ends, DEEPEST, &mut drawn);
        }
        *steps += drawn.len() as u64;
        drawn
    }
}

/// An edge that is drawn near a cell.
struct Curve<'a> {
    place: &'a dyn Fn([f64; 2]) -> [f64; 2],
    cell: [f64; 2],
}

/// A place on the sphere, and on the plane.
type Point = ([f64; 2], [f64; 2]);

impl Curve<'_> {
    /// Adds the places between two ends: none where the curve is a line, or far from the cell.
    fn halve(&self, [one, next]: [Point; 2], deepest: u32, drawn: &mut Vec<[f64; 2]>) {
        let at = |part: f64| {
            let along = |axis: usize| one.0[axis] + part * (next.0[axis] - one.0[axis]);
            let from = [along(0), along(1)];
            (from, (self.place)(from))
        };
        // Three places, as a curve may cross its line in the middle.
        let [quarter, half, rest] = [0.25, 0.5, 0.75].map(at);
        let between = [quarter.1, half.1, rest.1];
        let away = between.iter().map(|place| distance(*place, [one.1, next.1])).fold(0.0, f64::max);
        if away <= NEAR || deepest == 0 || self.is_far([&[one.1, next.1][..], &between].concat(), away) {
            return;
        }
        self.halve([one, half], deepest - 1, drawn);
        drawn.push(half.1);
        self.halve([half, next], deepest - 1, drawn);
    }

    /// Whether a curve through these places, at most twice as far from its line as they are, passes the cell by on one
    /// side, so that a line does as well.
    fn is_far(&self, places: Vec<[f64; 2]>, away: f64) -> bool {
        (0..2).any(|axis| {
            let own = places.iter().map(|place| place[axis] - self.cell[axis]);
            own.clone().all(|place| place < -2.0 * away) || own.clone().all(|place| place > 1.0 + 2.0 * away)
        })
    }
}

/// Distance of a place from a line, and beyond the ends from these.
fn distance([x, y]: [f64; 2], [[ax, ay], [bx, by]]: [[f64; 2]; 2]) -> f64 {
    let (dx, dy) = (bx - ax, by - ay);
    let length = dx * dx + dy * dy;
    let part = if length > 0.0 { (((x - ax) * dx + (y - ay) * dy) / length).clamp(0.0, 1.0) } else { 0.0 };
    (x - ax - part * dx).hypot(y - ay - part * dy)
}

/// The face of a cell, and the cell's column and row in it.
pub(super) fn place_in_face(level: u32, cell: u64) -> (usize, f64, f64) {
    let within = cell & ((1u64 << (2 * level)) - 1);
    let face = (cell >> (2 * level)) as usize;
    let (mut column, mut row) = (0u32, 0u32);
    for bit in 0..level {
        column |= ((within >> (2 * bit)) as u32 & 1) << bit;
        row |= ((within >> (2 * bit + 1)) as u32 & 1) << bit;
    }
    (face, f64::from(column), f64::from(row))
}

/// Longitude and latitude in degrees of the middle of a cell.
pub(super) fn middle(level: u32, cell: u64) -> (f64, f64) {
    let side = f64::from(1 << level);
    let (face, column, row) = place_in_face(level, cell);
    // The ring from the north pole, its quarter's length, and the sine of its latitude.
    let ring = ROWS[face] * side - column - row - 1.0;
    let (quarter, sine) = if ring < side {
        (ring, 1.0 - ring * ring / (3.0 * side * side))
    } else if ring > 3.0 * side {
        let ring = 4.0 * side - ring;
        (ring, ring * ring / (3.0 * side * side) - 1.0)
    } else {
        (side, (2.0 * side - ring) * 2.0 / (3.0 * side))
    };
    let lon = (COLUMNS[face] * quarter + column - row) * FRAC_PI_4 / quarter;
    (lon.to_degrees().rem_euclid(360.0), sine.asin().to_degrees())
}
