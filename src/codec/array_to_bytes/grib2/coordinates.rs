//! Latitudes and longitudes of a message's points, calculated from its grid, which must be in degrees.
//!
//! A chunk holds one for each point, as ecCodes and gribberish give them, or one for each row or column.
//! Invariant: memory is taken for no more numbers than the chunk has items.

use super::octets::{Failure, Octets};
use super::rows::{DEGREES, Degrees, IN_COLUMNS, NORTHWARDS, WESTWARDS, first_column};

/// Scanning modes that points are calculated by: directions, and rows or columns first.
const KNOWN_MODES: u8 = WESTWARDS | NORTHWARDS | IN_COLUMNS;

/// Degrees around the globe.
const GLOBE: f64 = 360.0;

/// A coordinate of points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Coordinate {
    Latitude,
    Longitude,
}

impl Coordinate {
    /// The coordinate that a configuration names; `None` for the name of a field.
    pub(super) fn named(name: &str) -> Option<Self> {
        match name {
            "latitude" => Some(Self::Latitude),
            "longitude" => Some(Self::Longitude),
            _ => None,
        }
    }

    /// Calculates the coordinate of `items` points, with rows and columns in the order of the values (see `rows`).
    pub(super) fn values(
        self,
        grid: Octets<'_>,
        from_west: bool,
        north_up: bool,
        items: usize,
    ) -> Result<Vec<f64>, Failure> {
        let template = grid.u16(13)?;
        if template != DEGREES {
            return Err(Failure::Lacking(format!(
                "latitudes and longitudes of GRIB2 grid definition template 3.{template}"
            )));
        }
        let degrees = Degrees::read(grid)?;
        if degrees.scanning & !KNOWN_MODES != 0 {
            let mode = degrees.scanning;
            return Err(Failure::Lacking(format!("latitudes and longitudes of GRIB2 scanning mode {mode}")));
        }
        let (rows, columns) = (degrees.rows, degrees.columns);
        let points = rows.checked_mul(columns).filter(|points| *points > 0);
        if points.map(|points| points as u64) != Some(grid.u32(7)?.into()) {
            return Err(Failure::Damaged("the grid has more or fewer points than the message"));
        }
        let is_in_columns = degrees.scanning & IN_COLUMNS != 0;
        if is_in_columns && (from_west || north_up) {
            let what = "north_up and adjust_longitude_range of points in columns";
            return Err(Failure::Lacking(what.to_owned()));
        }
        let line = if self == Self::Latitude { rows } else { columns };
        if points != Some(items) && items != line {
            return Err(Failure::Points(grid.u32(7)?.into()));
        }
        let line = match self {
            Self::Latitude => latitudes(&degrees, north_up),
            Self::Longitude => longitudes(&degrees, from_west),
        };
        if items == line.len() {
            return Ok(line);
        }
        // Whether the coordinate changes from one point to the next.
        let is_inner = is_in_columns == (self == Self::Latitude);
        let repeats = items / line.len();
        Ok(match is_inner {
            true => line.iter().copied().cycle().take(items).collect(),
            false => line.iter().flat_map(|value| std::iter::repeat_n(*value, repeats)).collect(),
        })
    }
}

/// The latitude of each row.
fn latitudes(degrees: &Degrees, north_up: bool) -> Vec<f64> {
    let mut rows = between(degrees.latitudes, degrees.rows, degrees.unit);
    if north_up && degrees.scanning & NORTHWARDS != 0 {
        rows.reverse();
    }
    rows
}

/// The longitude of each column, from the first to the last one as ecCodes calculates them: they rise or fall without a
/// jump, from below 0 where they pass the meridian eastwards. For `from_west`, from -180 to 180 where the grid goes around
/// the globe.
fn longitudes(degrees: &Degrees, from_west: bool) -> Vec<f64> {
    let Degrees { columns, unit, longitudes: (mut first, mut last), scanning, .. } = *degrees;
    let is_westwards = scanning & WESTWARDS != 0;
    let globe = (GLOBE / unit).round() as i64;
    if is_westwards {
        last -= if last >= first { globe } else { 0 };
    } else {
        last += if last <= first && columns > 1 { globe } else { 0 };
        let step = (last - first) / (columns.max(2) as i64 - 1);
        if last - step > globe {
            (first, last) = (first - globe, last - globe);
        }
    }
    let mut longitudes = between((first, last), columns, unit);
    let start = if from_west && !is_westwards { first_column(degrees) } else { None };
    if let Some(start) = start {
        longitudes.iter_mut().for_each(|longitude| {
            let within = longitude.rem_euclid(GLOBE);
            *longitude = if within >= GLOBE / 2.0 { within - GLOBE } else { within };
        });
        longitudes.rotate_left(start);
    }
    longitudes
}

/// Numbers at equal distances, from the first to the last, `count` of them.
fn between((first, last): (i64, i64), count: usize, unit: f64) -> Vec<f64> {
    let steps = count.saturating_sub(1).max(1) as f64;
    let (first, span) = (first as f64, (last - first) as f64);
    (0..count).map(|nth| (first + span * nth as f64 / steps) * unit).collect()
}
