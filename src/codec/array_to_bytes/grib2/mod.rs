//! `gribberish`, and numcodecs' filters `grib` and `rawgrib`: a chunk is a GRIB2 message, of which the first field is read.
//!
//! Data templates 0, 2, 3, 4, 40 to 42. Missing points are NaN. The grid is looked at only where the configuration asks
//! for another order of rows or columns, or for the latitudes or longitudes of the points in place of their values.
//! Invariant: a message has as many points as the chunk has items, or is refused before memory is taken for them.
//! Spec: <https://www.nco.ncep.noaa.gov/pmb/docs/grib2/grib2_doc/>
//!
//! ```json
//! { "name": "gribberish", "configuration": { "var": "TMP", "adjust_longitude_range": true, "north_up": true } }
//! ```

mod coordinates;
mod message;
mod octets;
mod packing;
mod png;
mod rows;

use std::borrow::Cow;

use crate::codec::kinds::{ArraySpec, ArrayToBytesCodec, CodecInput, MAX_CONTENT_BYTES, Named, Size};
use crate::error::{Error, Result};
use crate::metadata::Extension;
use crate::output::Decoded;
use crate::output::memory::reserved;
use coordinates::Coordinate;
use message::Message;
use octets::Failure;
use rectilinear_zarr_kernels::numeric::Numeric;

/// The configuration of gribberish differs from those of kerchunk's filter, and gribscan's with and without its package.
const GRIBBERISH: &str = Grib2::NAMES[0];

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Grib2 {
    name: &'static str,
    /// Whether items are float64; else they are float32.
    is_double: bool,
    from_west: bool,
    north_up: bool,
    /// The coordinate that stands in place of the values.
    coordinate: Option<Coordinate>,
}

impl ArrayToBytesCodec for Grib2 {
    fn parse(extension: &Extension, input: &CodecInput) -> Result<Self> {
        let (name, settings, data_type) = (Self::named(extension), extension.settings(), &input.data_type);
        let flags = ["adjust_longitude_range", "north_up"];
        if name == GRIBBERISH {
            settings.only_fields(&["var", flags[0], flags[1]])?;
        } else {
            settings.only_fields(&["var", "dtype"])?;
        }
        let var = settings.field("var").filter(|var| !var.value().is_null());
        let coordinate = var.map(|var| var.string()).transpose()?.and_then(Coordinate::named);
        let flag = |name: &str| match settings.field(name) {
            None => Ok(false),
            Some(field) => field.value().as_bool().ok_or_else(|| field.expected("a boolean")),
        };
        let is_double = match data_type.numeric() {
            Some(Numeric::Float(64)) => true,
            Some(Numeric::Float(32)) => false,
            _ => {
                let reason = format!("{name:?} takes float32 and float64, not {}", data_type.name());
                return Err(Error::metadata(extension.pointer.as_str(), reason));
            }
        };
        let (from_west, north_up) = (flag(flags[0])?, flag(flags[1])?);
        Ok(Self { name, is_double, from_west, north_up, coordinate })
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn encoded_size(&self, spec: &ArraySpec<'_>, _: usize) -> Result<Size> {
        Ok(Size::Exactly(self.most_bytes(spec.items()?)).compressed())
    }

    fn decode<'a>(
        &self,
        encoded: Cow<'a, [u8]>,
        spec: &ArraySpec<'_>,
        strides: Vec<usize>,
    ) -> Result<Decoded<'a>> {
        let bytes = self.floats(&encoded, spec.items()?)?.into();
        Ok(Decoded { bytes, strides, ..Decoded::default() })
    }
}

impl Grib2 {
    /// Bytes that a message of so many items may have: floats of 64 bits, whatever the items are. Latitudes may be those
    /// of rows, in a message of all points.
    fn most_bytes(self, items: usize) -> usize {
        let least = if self.coordinate.is_some() { MAX_CONTENT_BYTES } else { 0 };
        items.saturating_mul(8).max(least)
    }

    /// Decodes a chunk of `items` items.
    fn floats(self, encoded: &[u8], items: usize) -> Result<Vec<u8>> {
        let values = self.values(encoded, items).map_err(|failure| match failure {
            Failure::Damaged(words) => Error::codec(self.name, words.to_owned(), format!("{items} points")),
            Failure::Points(found) => {
                Error::codec(self.name, format!("a message of {found} points"), format!("{items} points"))
            }
            Failure::Lacking(feature) => {
                Error::Unsupported { feature, reason: format!("met in a chunk of the codec {:?}", self.name) }
            }
        })?;
        let mut decoded = reserved(items.saturating_mul(if self.is_double { 8 } else { 4 }))?;
        for value in values {
            if self.is_double {
                decoded.extend_from_slice(&value.to_le_bytes());
            } else {
                decoded.extend_from_slice(&(value as f32).to_le_bytes());
            }
        }
        Ok(decoded)
    }

    /// Whether a metadata entry has one of the codec's names.
    pub(crate) fn is_named(extension: &Extension) -> bool {
        Self::NAMES.contains(&&*extension.name)
    }

    /// The module that unpacks a message where this one lacks its packing: JPEG 2000 images have one of their own.
    pub(crate) fn elsewhere(encoded: &[u8]) -> Option<&'static str> {
        let template = Message::read(encoded).ok()?.packing.u16(10).ok()?;
        (template == packing::JPEG2000 && !cfg!(feature = "jpeg2000")).then_some("jpeg2000")
    }

    fn values(self, encoded: &[u8], items: usize) -> std::result::Result<Vec<f64>, Failure> {
        let message = Message::read(encoded)?;
        if let Some(coordinate) = self.coordinate {
            return coordinate.values(message.grid, self.from_west, self.north_up, items);
        }
        let mut values = packing::values(&message, items)?;
        rows::arrange(message.grid, self.from_west, self.north_up, &mut values)?;
        Ok(values)
    }
}
