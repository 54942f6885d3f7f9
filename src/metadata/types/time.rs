//! The data types `numpy.datetime64` and `numpy.timedelta64`: a signed number of steps, each `scale_factor` units long.
//!
//! Specs: <https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/numpy.datetime64> and
//! <https://github.com/zarr-developers/zarr-extensions/tree/main/data-types/numpy.timedelta64>

use super::data_type::{DataType, Kind};
use crate::error::Result;
use crate::metadata::extension::Extension;

/// The most units in a step, which numpy stores in 32 bits.
const MAX_SCALE: u64 = (1 << 31) - 1;

const UNITS: [&str; 15] =
    ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "μs", "ns", "ps", "fs", "as", "generic"];

/// Reads the configuration of a time type.
pub(crate) fn parse(extension: &Extension) -> Result<DataType> {
    let settings = extension.settings();
    settings.only_fields(&["unit", "scale_factor"])?;
    let unit = settings.required("unit")?;
    if !UNITS.contains(&unit.string()?) {
        return Err(unit.expected(&format!("one of {}", UNITS.join(", "))));
    }
    let scale = match settings.field("scale_factor") {
        None => 1,
        Some(field) => field.integer(1)?,
    };
    if scale > MAX_SCALE {
        return Err(settings.required("scale_factor")?.expected(&format!("an integer up to {MAX_SCALE}")));
    }
    Ok(time(&extension.name, unit.string()?, scale))
}

fn time(name: &str, unit: &str, scale: u64) -> DataType {
    // Both names of the microsecond are registered; numpy uses "us".
    let unit = if unit == "μs" { "us" } else { unit }.to_owned();
    DataType::new(name, Kind::Time { unit, scale }, 8)
}

/// The time type of numpy's suffix, such as `[10us]`; an empty suffix is the unit "generic".
pub(crate) fn of_numpy(name: &str, suffix: &str) -> Option<DataType> {
    let (scale, unit) = match suffix {
        "" => ("", "generic"),
        _ => {
            let step = suffix.strip_prefix('[')?.strip_suffix(']')?;
            step.split_at(step.find(|letter: char| !letter.is_ascii_digit())?)
        }
    };
    let scale = if scale.is_empty() { 1 } else { scale.parse().ok()? };
    if !UNITS.contains(&unit) || !(1..=MAX_SCALE).contains(&scale) {
        return None;
    }
    Some(time(name, unit, scale))
}
