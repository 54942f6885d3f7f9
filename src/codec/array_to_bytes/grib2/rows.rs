//! Order of rows and columns: north first, and longitudes from -180, by gribberish's rules.

use super::failure::Failure;
use super::octets::Octets;

/// The template of grids in degrees of latitude and longitude.
const DEGREES: u16 = 0;

/// Micro-degrees around the globe.
const GLOBE: i64 = 360_000_000;

/// Flags of the scanning mode: rows go west, rows go north, points next to each other lie in columns.
const WESTWARDS: u8 = 0x80;
const NORTHWARDS: u8 = 0x40;
const IN_COLUMNS: u8 = 0x20;

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
        let start = first_column(grid.signed32(51)?, grid.u32(64)?.into(), columns);
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

/// The column of the least longitude once those from 180 on count as negative; 0 where the grid is not around the globe, to
/// a quarter of a cell.
fn first_column(first: i64, step: i64, columns: usize) -> usize {
    let around = step * columns as i64;
    if columns < 2 || step == 0 || (around - GLOBE).abs() * 4 >= step {
        return 0;
    }
    let wrapped = |column: &usize| {
        let longitude = first + step * *column as i64;
        let longitude = if longitude >= GLOBE { longitude - GLOBE } else { longitude };
        if longitude >= GLOBE / 2 { longitude - GLOBE } else { longitude }
    };
    (0..columns).min_by_key(wrapped).unwrap_or(0)
}
