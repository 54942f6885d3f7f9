//! Rings of degrees: unwrapped across 180 degrees, and closed over a pole that they go around.

use super::features::wrong;
use super::loops::{Loop, Splitting, area};
use crate::error::Result;

/// Degrees of a whole turn.
pub(super) const TURN: f64 = 360.0;

/// Begins to take a ring apart into loops, each with the sign by which its area counts.
///
/// # Errors
/// [`crate::error::Error::Selection`] for coordinates that are no degrees where degrees are expected.
pub(super) fn begun(feature: usize, ring: &[[f64; 2]], is_degrees: bool, unwraps: bool) -> Result<Splitting> {
    let is_no_place = |[x, y]: &&[f64; 2]| x.abs() > 2.0 * TURN || y.abs() > 90.0 + 1e-9;
    match ring.iter().find(is_no_place).filter(|_| is_degrees) {
        Some([x, y]) => Err(wrong(
            feature,
            format_args!(
                "[{x}, {y}] is no longitude and latitude in degrees; if it is in another system, pass `project`"
            ),
        )),
        None if is_degrees && unwraps => Ok(Splitting::new(feature, unwrapped(ring))),
        None => Ok(Splitting::new(feature, ring.to_vec())),
    }
}

/// The ring with steps of at most 180 degrees, closed over a pole if it goes around one.
fn unwrapped(ring: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let is_long = |(one, next): (&[f64; 2], &[f64; 2])| (next[0] - one[0]).abs() > TURN / 2.0;
    if !ring.iter().zip(ring.iter().cycle().skip(1)).any(is_long) {
        return ring.to_vec();
    }
    let mut found: Vec<[f64; 2]> = Vec::with_capacity(ring.len() + 2);
    let mut turns = 0.0;
    for (nth, &[x, y]) in ring.iter().enumerate() {
        if nth > 0 {
            turns += turns_back(x - ring[nth - 1][0]);
        }
        found.push([x + TURN * turns, y]);
    }
    let first = ring[0];
    let turned = turns + turns_back(first[0] - ring[ring.len() - 1][0]);
    if turned != 0.0 {
        // The ring goes on a turn further; the pole on its side of the equator is inside.
        let end = first[0] + TURN * turned;
        let pole = if found.iter().map(|[_, y]| y).sum::<f64>() < 0.0 { -90.0 } else { 90.0 };
        found.extend([[end, first[1]], [end, pole], [first[0], pole]]);
    } else if area(&found).abs() <= 1e-9 * area(ring).abs() {
        // A band around the whole globe, written from -180 to 180 without vertices between.
        return ring.to_vec();
    }
    found
}

/// Turns to add so that a step goes the short way; a step of 180 degrees stays.
fn turns_back(step: f64) -> f64 {
    if step.abs() <= TURN / 2.0 { 0.0 } else { -(step / TURN).round() }
}

impl Loop {
    /// The loop at each place, whole turns apart, where it meets a range of longitudes.
    pub(super) fn repeated(&self, (least, greatest): (f64, f64)) -> Vec<Self> {
        let xs = self.vertices.iter().map(|[x, _]| *x);
        let (west, east) = (xs.clone().fold(f64::INFINITY, f64::min), xs.fold(f64::NEG_INFINITY, f64::max));
        let (first, last) = (((least - east) / TURN).ceil(), ((greatest - west) / TURN).floor());
        let mut found = Vec::new();
        let mut turn = first;
        // A grid of degrees has few turns; 16 keep one of other numbers bounded.
        while turn <= last && found.len() < 16 {
            let vertices = self.vertices.iter().map(|[x, y]| [x + TURN * turn, *y]).collect();
            found.push(Self { vertices, sign: self.sign });
            turn += 1.0;
        }
        found
    }
}
