//! What a TIFF image says of itself in text: its tags, and the metadata and the missing value of GDAL.

use super::directory::{Directory, tag};
use super::xml::{Tag, plain};
use crate::metadata::{Map, Value};
use crate::source::original::{float_value, number_value};

/// Tags of text, by the names that TIFF gives them.
const TEXTS: [(u16, &str); 10] = [
    (tag::DOCUMENT_NAME, "DocumentName"),
    (tag::DESCRIPTION, "ImageDescription"),
    (tag::MAKE, "Make"),
    (tag::MODEL, "Model"),
    (tag::PAGE_NAME, "PageName"),
    (tag::SOFTWARE, "Software"),
    (tag::DATE_TIME, "DateTime"),
    (tag::ARTIST, "Artist"),
    (tag::HOST_COMPUTER, "HostComputer"),
    (tag::COPYRIGHT, "Copyright"),
];

/// Names of what is seen, by the numbers of the tag PhotometricInterpretation.
const PHOTOMETRIC: [(u64, &str); 7] = [
    (0, "miniswhite"),
    (1, "minisblack"),
    (2, "rgb"),
    (3, "palette"),
    (4, "mask"),
    (5, "separated"),
    (6, "ycbcr"),
];

/// Attributes of a group for what its first image says.
pub(super) fn described(directory: &Directory, is_ome: bool) -> Map {
    let mut found = Map::new();
    for (number, name) in TEXTS {
        if let Some(text) = directory.text(number).filter(|_| !(is_ome && number == tag::DESCRIPTION)) {
            found.insert(name.to_owned(), text.into());
        }
    }
    let photometric = directory.integer(tag::PHOTOMETRIC);
    if let Some((_, name)) = PHOTOMETRIC.iter().find(|(number, _)| Some(*number) == photometric) {
        found.insert("PhotometricInterpretation".to_owned(), (*name).into());
    }
    for item in items(directory) {
        if item.sample.is_none() && item.role.is_empty() {
            found.insert(item.name, item.text.into());
        }
    }
    found
}

/// An item of GDAL's metadata.
struct Item {
    name: String,
    /// Number of the band that it is of; `None` for the image.
    sample: Option<u64>,
    role: String,
    text: String,
}

fn items(directory: &Directory) -> Vec<Item> {
    let Some(text) = directory.text(tag::GDAL_METADATA) else { return Vec::new() };
    let items = Tag::all(&text).filter(|tag| tag.name == "Item" && !tag.is_end);
    items
        .map(|tag| Item {
            name: tag.get("name").unwrap_or_default(),
            sample: tag.number("sample"),
            role: tag.get("role").unwrap_or_default(),
            // GDAL escapes twice.
            text: plain(&tag.text()),
        })
        .collect()
}

/// Attributes of an array for what is said of its bands: scale, offset and units as CF names them. Those of several
/// bands are a list, unless all bands have the same.
pub(super) fn of_bands(directory: &Directory, samples: u64) -> Map {
    let items = items(directory);
    // Without items, what is said of one band is said of all.
    let count = if items.is_empty() { samples.min(1) } else { samples };
    let mut bands = vec![Map::new(); count as usize];
    for item in &items {
        let band = item.sample.and_then(|sample| bands.get_mut(usize::try_from(sample).ok()?));
        if let Some(own) = band {
            let (name, value): (&str, Value) = match item.role.as_str() {
                "scale" => ("scale_factor", number_value(&item.text)),
                "offset" => ("add_offset", number_value(&item.text)),
                "unittype" => ("units", item.text.as_str().into()),
                "description" => ("long_name", item.text.as_str().into()),
                _ => (item.name.as_str(), item.text.as_str().into()),
            };
            own.insert(name.to_owned(), value);
        }
    }
    let is_one = bands.iter().all(|band| *band == bands[0]);
    let mut found = if is_one { bands.first().cloned().unwrap_or_default() } else { Map::new() };
    if !is_one {
        for name in ["scale_factor", "add_offset", "units"] {
            if let Some(value) =
                bands[0].get(name).filter(|value| bands.iter().all(|band| band.get(name) == Some(value)))
            {
                found.insert(name.to_owned(), value.clone());
            }
        }
        found.insert("bands".to_owned(), Value::Array(bands.into_iter().map(Value::Object).collect()));
    }
    found
}

/// The missing value of an image as a value of its data type; `None` where it states none, or one that no item has.
pub(super) fn missing_value(directory: &Directory, data_type: &str) -> Option<Value> {
    let text = directory.text(tag::GDAL_NODATA)?;
    let text = text.trim();
    let number: f64 = match text.to_ascii_lowercase().as_str() {
        "nan" | "-nan" | "+nan" => f64::NAN,
        "inf" | "+inf" => f64::INFINITY,
        "-inf" => f64::NEG_INFINITY,
        _ => number_value(text).as_f64()?,
    };
    if data_type.starts_with("float") {
        return Some(if data_type == "float32" && number.is_finite() {
            float_value(f64::from(number as f32))
        } else {
            float_value(number)
        });
    }
    let (is_signed, bits) = data_type
        .strip_prefix("uint")
        .map_or((true, data_type.strip_prefix("int")), |bits| (false, Some(bits)));
    let bits: u32 = bits?.parse().ok()?;
    // Integers of 64 bits are written with all of their digits.
    let whole = text
        .parse::<i128>()
        .ok()
        .or_else(|| (number.fract() == 0.0 && number.abs() < 1e18).then_some(number as i128))?;
    let (least, most) = if is_signed {
        (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
    } else {
        (0, (1_i128 << bits) - 1)
    };
    let whole = Some(whole).filter(|whole| (least..=most).contains(whole))?;
    Some(match i64::try_from(whole) {
        Ok(whole) => whole.into(),
        Err(_) => u64::try_from(whole).ok()?.into(),
    })
}
