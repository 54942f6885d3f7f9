//! HEALPix cells: shares by the middles of the small cells inside of each, as the edges of cells are curved.
//!
//! Cells are visited from the twelve faces downwards. Those that no edge of a polygon comes near are inside or outside as
//! a whole; the others are taken apart down to some levels below the cells of the array.

use std::f64::consts::FRAC_PI_4;

use super::features::{Features, wrong};
use super::loops::{Loop, area, winding};
use super::quads::cut;
use super::rings::{TURN, loops_of};
use super::spans::{Span, Spans};
use crate::error::{Error, Result};

/// Deepest level whose nested numbers are numbers of spans.
const DEEPEST: u32 = 13;

/// Most vertices that are visited for one feature.
const MOST_STEPS: u64 = 1 << 32;

/// Radius in degrees around the middle of a face that holds it; at each level, half as much holds a cell.
const RADIUS: f64 = 62.0;

/// Rows of the lowest corners of the faces, and their columns, in units of a face's diagonal.
const ROWS: [f64; 12] = [2.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0, 3.0, 4.0, 4.0, 4.0, 4.0];
const COLUMNS: [f64; 12] = [1.0, 3.0, 5.0, 7.0, 0.0, 2.0, 4.0, 6.0, 1.0, 3.0, 5.0, 7.0];

/// Cells of one level of HEALPix on the sphere, along one axis.
#[derive(Debug, Clone)]
pub struct HealpixCells {
    level: u32,
    /// Levels below that the middles are of.
    below: u32,
    /// Nested numbers of the cells along the axis, rising, each with its place; all cells in order where there is none.
    places: Option<Vec<(u32, u32)>>,
    unwraps: bool,
}

impl HealpixCells {
    /// Cells of a level along an axis: those of the nested numbers `ids`, or all in nested order. The share of a cell that
    /// an edge crosses is the part of its descendants, `below` levels down, whose middles are inside; 4 levels are right
    /// to about 1 %.
    ///
    /// # Errors
    /// [`Error::Selection`] for a level below 13, more than 6 levels below, a number beyond the level's cells, or one that
    /// is there twice.
    pub fn checked(level: u32, below: u32, ids: Option<&[u64]>, unwraps: bool) -> Result<Self> {
        let refused = |reason: String| Err(Error::Selection { axis: None, reason });
        if level > DEEPEST || below > 6 {
            return refused(format!(
                "zones take HEALPix cells of levels up to {DEEPEST}, and middles up to 6 levels below, got level {level} and {below}"
            ));
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
        Ok(Self { level, below, places, unwraps })
    }

    /// Spans of cells with their shares, for each feature, all in row 0.
    ///
    /// # Errors
    /// [`Error::Selection`], naming the feature, where its coordinates are no degrees, or it is too large.
    pub fn spans(&self, features: &Features) -> Result<Spans> {
        let mut spans = Spans::default();
        for feature in 0..features.count() {
            let mut steps = 0;
            for polygon in features.polygons(feature) {
                let mut loops = Vec::new();
                for (nth, ring) in polygon.iter().enumerate() {
                    for mut own in loops_of(feature, ring, true, self.unwraps)? {
                        own.sign *= if nth == 0 { 1 } else { -1 };
                        // Middles are from 0 to 360 degrees, and a cell at a pole reaches 180 to both sides.
                        loops.extend(own.repeated((-180.0, 540.0)));
                    }
                }
                let mut runs = Vec::new();
                for face in 0..12 {
                    self.descend((0, face), 180.0, loops.clone(), &mut runs, &mut steps);
                }
                if steps > MOST_STEPS {
                    return Err(wrong(
                        feature,
                        "its rings have too many vertices for so many cells: simplify it",
                    ));
                }
                for (from, to, share) in runs {
                    self.add(feature, from, to, share, &mut spans)?;
                }
            }
            spans.end_feature();
        }
        Ok(spans)
    }

    /// Adds nested cells to the feature that is being made, where they lie along the axis.
    fn add(&self, feature: usize, from: u32, to: u32, share: f64, spans: &mut Spans) -> Result<()> {
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
        (level, cell): (u32, u64),
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
        let is_last = level == self.level + self.below;
        if !is_inside && !is_last {
            for child in 0..4 {
                self.descend((level + 1, 4 * cell + child), lon, loops.clone(), runs, steps);
            }
            return;
        }
        let around = || loops.iter().map(|own| own.sign * winding(&own.vertices, [lon, lat])).sum::<i32>();
        if !is_inside && around() <= 0 {
            return;
        }
        if level <= self.level {
            let shift = 2 * (self.level - level);
            runs.push(((cell << shift) as u32, ((cell + 1) << shift) as u32, 1.0));
        } else {
            let own = (cell >> (2 * (level - self.level))) as u32;
            let part = 0.25f64.powi((level - self.level).cast_signed());
            match runs.last_mut() {
                Some(last) if last.0 == own => last.2 += part,
                _ => runs.push((own, own + 1, part)),
            }
        }
    }
}

/// Longitude and latitude in degrees of the middle of a cell.
fn middle(level: u32, cell: u64) -> (f64, f64) {
    let side = f64::from(1 << level);
    let within = cell & ((1u64 << (2 * level)) - 1);
    let face = (cell >> (2 * level)) as usize;
    let (mut column, mut row) = (0u32, 0u32);
    for bit in 0..level {
        column |= ((within >> (2 * bit)) as u32 & 1) << bit;
        row |= ((within >> (2 * bit + 1)) as u32 & 1) << bit;
    }
    let (column, row) = (f64::from(column), f64::from(row));
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
