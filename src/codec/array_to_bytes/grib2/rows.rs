//! Order of rows and columns: north first, and longitudes from -180, by gribberish's rules.

use super::octets::{Failure, Octets};

/// The template of grids in degrees of latitude and longitude.
pub(super) const DEGREES: u16 = 0;

/// Degrees of a unit of angles, unless the grid says another.
const MICRO: f64 = 1e-6;

/// Stands for a number that is not given.
const NOT_GIVEN: u32 = u32::MAX;

/// Flags of the scanning mode: rows go west, rows go north, points next to each other lie in columns.
pub(super) const WESTWARDS: u8 = 0x80;
pub(super) const NORTHWARDS: u8 = 0x40;
pub(super) const IN_COLUMNS: u8 = 0x20;

/// A grid in degrees; its angles are in units of their own.
#[derive(Debug, Clone, Copy)]
pub(super) struct Degrees {
    pub(super) columns: usize,
    pub(super) rows: usize,
    /// Degrees of a unit.
    pub(super) unit: f64,
    /// The first and the last latitude.
    pub(super) latitudes: (i64, i64),
    /// The first and the last longitude.
    pub(super) longitudes: (i64, i64),
    /// Longitude from one column to the next.
    pub(super) step: i64,
    pub(super) scanning: u8,
}

impl Degrees {
    /// The grid of a section 3 with this template.
    pub(super) fn read(grid: Octets<'_>) -> Result<Self, Failure> {
        let (angle, divisions) = (grid.u32(39)?, grid.u32(43)?);
        let is_given = |number| ![0, NOT_GIVEN].contains(&number);
        let is_own = is_given(angle) && is_given(divisions);
        Ok(Self {
            columns: grid.u32(31)? as usize,
            rows: grid.u32(35)? as usize,
            unit: if is_own { f64::from(angle) / f64::from(divisions) } else { MICRO },
            latitudes: (grid.signed32(47)?, grid.signed32(56)?),
            longitudes: (grid.signed32(51)?, grid.signed32(60)?),
            step: grid.u32(64)?.into(),
            scanning: grid.u8(72)?,
        })
    }
}

/// Reverses rows where the first one is the southernmost (`north_up`), and turns each so that longitudes rise from -180
/// (`from_west`) where the grid is in degrees and goes around the globe.
pub(super) fn arrange(
    grid: Octets<'_>,
    from_west: bool,
    north_up: bool,
    values: &mut [f64],
) -> Result<(), Failure> {
    if !from_west && !north_up {
        return Ok(());
    }
    let template = grid.u16(13)?;
    // The octet of the scanning mode; the numbers of columns and rows lie at one place in these templates.
    let scanning = match template {
        DEGREES => 72,
        10 => 60,
        20 | 30 => 65,
        _ => {
            let what = "north_up and adjust_longitude_range of GRIB2 grid definition template";
            return Err(Failure::Lacking(format!("{what} 3.{template}")));
        }
    };
    let scanning = grid.u8(scanning)?;
    let (columns, rows) = (grid.u32(31)? as usize, grid.u32(35)? as usize);
    if scanning & IN_COLUMNS != 0 {
        return Err(Failure::Lacking("north_up and adjust_longitude_range of points in columns".to_owned()));
    }
    if columns.checked_mul(rows) != Some(values.len()) || columns == 0 {
        return Err(Failure::Damaged("the grid has more or fewer points than the message"));
    }
    if from_west && template == DEGREES && scanning & WESTWARDS == 0 {
        let start = first_column(&Degrees::read(grid)?).unwrap_or_default();
        values.chunks_exact_mut(columns).for_each(|row| row.rotate_left(start));
    }
    if north_up && scanning & NORTHWARDS != 0 {
        let (mut top, mut bottom) = (0, rows - 1);
        while top < bottom {
            let (upper, lower) = values.split_at_mut(bottom * columns);
            upper[top * columns..][..columns].swap_with_slice(&mut lower[..columns]);
            (top, bottom) = (top + 1, bottom - 1);
        }
    }
    Ok(())
}

/// The column of the least longitude once those from 180 on count as negative; `None` where the grid is not around the
/// globe, to a quarter of a cell.
pub(super) fn first_column(degrees: &Degrees) -> Option<usize> {
    let Degrees { columns, step, unit, longitudes: (first, _), .. } = *degrees;
    let globe = (360.0 / unit).round() as i64;
    let around = step.checked_mul(i64::try_from(columns).ok()?)?;
    if columns < 2 || step == 0 || around.checked_sub(globe)?.abs().checked_mul(4)? >= step {
        return None;
    }
    let wrapped = |column: &usize| {
        let longitude = first + step * *column as i64;
        let longitude = if longitude >= globe { longitude - globe } else { longitude };
        if longitude >= globe / 2 { longitude - globe } else { longitude }
    };
    (0..columns).min_by_key(wrapped)
}
