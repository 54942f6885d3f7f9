//! HEALPix cells: the share of each that lies in a polygon, right to a millionth of the cell.
//!
//! Cells are visited from the twelve faces downwards. Those that no edge of a polygon comes near are inside or outside as
//! a whole. Of the others, the polygon's part near the cell is drawn on the plane of the cell's face (`healpix_plane`),
//! where cells are squares of equal area, and cut to the cell.

use super::healpix_plane::{Face, middle, place_in_face};
use super::loops::{Loop, area};
use super::partial::Partial;
use super::quads::cut;
use super::rings::TURN;
use super::spans::{Span, Spans};
use crate::error::{Error, Result};

/// Deepest level whose nested numbers are numbers of spans.
const DEEPEST: u32 = 13;

/// Most vertices that are visited for one feature.
const MOST_STEPS: u64 = 1 << 32;

/// Radius in degrees around the middle of a face that holds it; at each level, half as much holds a cell.
const RADIUS: f64 = 62.0;

/// Cells of one level of HEALPix on the sphere, along one axis.
#[derive(Debug, Clone)]
pub struct HealpixCells {
    level: u32,
    /// Nested numbers of the cells along the axis, rising, each with its place; all cells in order where there is none.
    places: Option<Vec<(u32, u32)>>,
    unwraps: bool,
}

impl HealpixCells {
    /// Cells of a level along an axis: those of the nested numbers `ids`, or all in nested order.
    ///
    /// # Errors
    /// [`Error::Selection`] for a level beyond 13, a number beyond the level's cells, or one that is there twice.
    pub fn checked(level: u32, ids: Option<&[u64]>, unwraps: bool) -> Result<Self> {
        let refused = |reason: String| Err(Error::Selection { axis: None, reason });
        if level > DEEPEST {
            return refused(format!("zones take HEALPix cells of levels up to {DEEPEST}, got level {level}"));
        }
        let cells = 12u64 << (2 * level);
        let mut places = None;
        if let Some(ids) = ids {
            if let Some(at) = ids.iter().position(|id| *id >= cells) {
                return refused(format!(
                    "cell {} at {at} is none of the {cells} cells of level {level}",
                    ids[at]
                ));
            }
            let mut sorted: Vec<(u32, u32)> =
                ids.iter().zip(0u32..).map(|(id, place)| (*id as u32, place)).collect();
            sorted.sort_unstable();
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0].0 == pair[1].0) {
                return refused(format!(
                    "cell {} is there twice, at {} and at {}",
                    pair[0].0, pair[0].1, pair[1].1
                ));
            }
            places = Some(sorted);
        }
        Ok(Self { level, places, unwraps })
    }

    /// Whether long steps go the short way.
    pub(super) fn unwraps(&self) -> bool {
        self.unwraps
    }

    /// Adds the shares of a polygon.
    pub(super) fn add(
        &self,
        feature: usize,
        loops: &[Loop],
        partial: &mut Partial,
        spans: &mut Spans,
    ) -> Result<()> {
        let mut runs = Vec::new();
        for face in 0..12 {
            self.descend(0, face, 180.0, loops.to_vec(), &mut runs, &mut partial.steps);
        }
        partial.check(feature, MOST_STEPS)?;
        runs.into_iter().try_for_each(|(from, to, share)| self.add_run(feature, from, to, share, spans))
    }

    /// Adds nested cells to the feature that is being made, where they lie along the axis.
    fn add_run(&self, feature: usize, from: u32, to: u32, share: f64, spans: &mut Spans) -> Result<()> {
        let Some(places) = &self.places else {
            return spans.add(feature, Span { row: 0, from, to, share });
        };
        let begin = places.partition_point(|(id, _)| *id < from);
        for (_, place) in places[begin..].iter().take_while(|(id, _)| *id < to) {
            spans.add(feature, Span { row: 0, from: *place, to: place + 1, share })?;
        }
        Ok(())
    }

    /// Visits a cell of a level and what is inside of it. Runs of cells of the array's level, with their share, come in
    /// rising order.
    fn descend(
        &self,
        level: u32,
        cell: u64,
        near: f64,
        loops: Vec<Loop>,
        runs: &mut Vec<(u32, u32, f64)>,
        steps: &mut u64,
    ) {
        let (lon, lat) = middle(level, cell);
        // On the side of the cell that it is in, to whose box the loops are cut.
        let lon = lon + TURN * ((near - lon) / TURN).round();
        let radius = RADIUS / f64::from(1 << level);
        let (south, north) = ((lat - radius).max(-90.0), (lat + radius).min(90.0));
        let narrowest = south.to_radians().cos().min(north.to_radians().cos());
        let wide = if narrowest * 180.0 <= radius { 180.0 } else { radius / narrowest };
        let (west, east) = (lon - wide, lon + wide);
        let corners = [[west, south], [east, south], [east, north], [west, north]];
        let sides = [0, 1, 2, 3].map(|at| [corners[at], corners[(at + 1) % 4]]);
        let loops: Vec<Loop> = loops.into_iter().filter_map(|own| cut(own, &sides, steps)).collect();
        if loops.is_empty() || *steps > MOST_STEPS {
            return;
        }
        let covered: f64 = loops.iter().map(|own| f64::from(own.sign) * area(&own.vertices) / 2.0).sum();
        let size = (east - west) * (north - south);
        let is_inside = (covered / size - 1.0).abs() < 1e-12;
        if !is_inside && level == self.level {
            let share = share(level, cell, lon, &loops, steps);
            if share > 0.0 {
                runs.push((cell as u32, cell as u32 + 1, share));
            }
            return;
        }
        if !is_inside {
            for child in 0..4 {
                self.descend(level + 1, 4 * cell + child, lon, loops.clone(), runs, steps);
            }
            return;
        }
        let shift = 2 * (self.level - level);
        runs.push(((cell << shift) as u32, ((cell + 1) << shift) as u32, 1.0));
    }
}

/// Share of a cell in loops that hold all that is near it; `lon` is its middle's longitude, on the side of the loops.
fn share(level: u32, cell: u64, lon: f64, loops: &[Loop], steps: &mut u64) -> f64 {
    let (face, column, row) = place_in_face(level, cell);
    let face = Face::near(face, lon);
    let least = [column, row];
    let [west, south] = least;
    let [east, north] = least.map(|place| place + 1.0);
    let sides = [
        [[west, south], [east, south]],
        [[east, south], [east, north]],
        [[east, north], [west, north]],
        [[west, north], [west, south]],
    ];
    let mut covered = 0.0;
    for own in loops {
        let vertices = face.drawn(level, &own.vertices, least, steps);
        if let Some(part) = cut(Loop { vertices, sign: own.sign }, &sides, steps) {
            covered += f64::from(part.sign) * area(&part.vertices) / 2.0;
        }
    }
    covered
}
