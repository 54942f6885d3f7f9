//! Where a GeoTIFF image lies: its transform and its coordinate reference system, as attributes of Zarr's conventions
//! `spatial:` and `proj:`.
//!
//! Spec: <https://docs.ogc.org/is/19-008r4/19-008r4.html>

use super::directory::{Directory, tag};
use crate::metadata::{Map, Value};
use crate::source::original::float_value;

/// Keys of the directory of GeoKeys.
const RASTER_TYPE: u64 = 1025;
const CITATION: u64 = 1026;
const GEOGRAPHIC: u64 = 2048;
const PROJECTED: u64 = 3072;

/// The code of what no registry has.
const USER_DEFINED: u64 = 32767;

/// Place of an image on Earth.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct GeoPlace {
    /// Column and row to coordinates, from the outer corner of the first pixel: `[a, b, c, d, e, f]`.
    pub(super) transform: Option<[f64; 6]>,
    /// Code of the coordinate reference system, such as `EPSG:4326`.
    code: Option<String>,
    /// What the file says of a system without a code.
    citation: Option<String>,
}

impl GeoPlace {
    /// Reads the place of a directory's image; `None` where it has none.
    pub(super) fn of(directory: &Directory) -> Option<Self> {
        let keys = directory.integers(tag::GEO_KEYS);
        let key = |wanted: u64| keys.get(4..)?.chunks_exact(4).find(|entry| entry[0] == wanted);
        // The value stands in the entry where no other tag has it.
        let short = |wanted| key(wanted).filter(|entry| entry[1] == 0).map(|entry| entry[3]);
        let code =
            short(PROJECTED).or_else(|| short(GEOGRAPHIC)).filter(|code| *code > 0 && *code < USER_DEFINED);
        let citation =
            key(CITATION).filter(|entry| entry[1] == u64::from(tag::GEO_TEXTS)).and_then(|entry| {
                let texts = directory.text(tag::GEO_TEXTS)?;
                let end = entry[3].checked_add(entry[2])?;
                let text = texts
                    .get(usize::try_from(entry[3]).ok()?..usize::try_from(end).ok()?.min(texts.len()))?;
                Some(text.trim_end_matches('|').to_owned())
            });
        let transform = transform(directory).map(|transform| {
            // Coordinates are those of the middle of a pixel.
            if short(RASTER_TYPE) == Some(2) { moved(transform, -0.5) } else { transform }
        });
        let transform = transform.filter(|[a, b, _, d, e, _]| a * e != b * d);
        if transform.is_none() && keys.is_empty() {
            return None;
        }
        let citation = citation.filter(|text| code.is_none() && !text.is_empty());
        Some(Self { transform, code: code.map(|code| format!("EPSG:{code}")), citation })
    }

    /// Adds the system to the attributes of a group.
    pub(super) fn describe(&self, attributes: &mut Map) {
        for (name, text) in [("proj:code", &self.code), ("geotiff_citation", &self.citation)] {
            if let Some(text) = text {
                attributes.insert(name.to_owned(), text.as_str().into());
            }
        }
    }
}

/// The transform of an image of another size that covers the same box.
pub(super) fn scaled([a, b, c, d, e, f]: [f64; 6], across: f64, down: f64) -> Value {
    [a * across, b * down, c, d * across, e * down, f].into_iter().map(float_value).collect()
}

fn moved([a, b, c, d, e, f]: [f64; 6], by: f64) -> [f64; 6] {
    [a, b, c + by * (a + b), d, e, f + by * (d + e)]
}

/// The transform as it is stored: a matrix, or the size of a pixel and a point that two systems have in common.
fn transform(directory: &Directory) -> Option<[f64; 6]> {
    if let [a, b, _, c, d, e, _, f, ..] = directory.floats(tag::TRANSFORMATION)[..] {
        return Some([a, b, c, d, e, f]);
    }
    match (&directory.floats(tag::PIXEL_SCALE)[..], &directory.floats(tag::TIE_POINTS)[..]) {
        (&[width, height, ..], &[column, row, _, x, y, ..]) => {
            Some([width, 0.0, x - column * width, 0.0, -height, y + row * height])
        }
        _ => None,
    }
}
