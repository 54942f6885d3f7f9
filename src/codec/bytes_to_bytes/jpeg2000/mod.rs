//! `imagecodecs_jpeg2k`: a JPEG 2000 image, as a codestream or a JP2 file, whose samples are the items of a chunk.
//!
//! The samples of a pixel lie one after the other, or with `planar` those of a component; they are little endian. Colour
//! spaces change nothing. Invariant: the size in the image's header is that of the chunk before anything is decoded.
//! Spec: <https://www.itu.int/rec/T-REC-T.800>
//!
//! ```json
//! { "name": "imagecodecs_jpeg2k", "configuration": { "level": 0, "reversible": true } }
//! ```

mod header;

use std::borrow::Cow;

use hayro_jpeg2000::{DecodeSettings, DecoderContext, Image};

use crate::codec::kinds::{BytesToBytesCodec, Named, Size};
use crate::error::{Error, Result};
use crate::metadata::{DataType, Extension};
use crate::output::memory::{buffer, to_memory};

pub(crate) use header::{ImageFault, ImageSize};

const NAME: &str = Jpeg2000::NAMES[0];

/// Configuration fields, of which all but `planar` and `skipres` are for the encoder or for speed.
const FIELDS: &[&str] = &[
    "level",
    "codecformat",
    "colorspace",
    "planar",
    "tile",
    "bitspersample",
    "resolutions",
    "reversible",
    "mct",
    "skipres",
    "verbose",
    "numthreads",
    "squeeze",
];

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Jpeg2000 {
    is_planar: bool,
}

impl BytesToBytesCodec for Jpeg2000 {
    fn parse(extension: &Extension) -> Result<Self> {
        let settings = extension.settings();
        settings.only_fields(FIELDS)?;
        let is_set = |field: &crate::metadata::Json<'_>| !field.value().is_null();
        if let Some(skipped) = settings.field("skipres").filter(is_set)
            && skipped.value().as_u64() != Some(0)
        {
            return Err(Error::Unsupported {
                feature: "a lower resolution of JPEG 2000 images".to_owned(),
                reason: format!("met at {}; expected 0", skipped.pointer()),
            });
        }
        let is_planar = match settings.field("planar").filter(is_set) {
            None => false,
            Some(planar) => planar.value().as_bool().ok_or_else(|| planar.expected("true or false"))?,
        };
        Ok(Self { is_planar })
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        let image = ImageSize::read(&encoded).map_err(|fault| refused(&fault, size))?;
        let width = image.sample_bytes();
        let bytes = image.pixels.saturating_mul(image.components as u64).saturating_mul(width as u64);
        let bytes = to_memory(bytes)?;
        size.check(NAME, bytes)?;
        let mut items = buffer(bytes)?;
        let pixels = bytes / width / image.components;
        let step = if self.is_planar { 1 } else { image.components };
        let least = if image.is_signed { 1 << (image.bits - 1) } else { 0 };
        let put = |component: usize, samples: &[f32]| {
            let first = if self.is_planar { component * pixels } else { component };
            let places = items.chunks_exact_mut(width).skip(first).step_by(step);
            for (place, sample) in places.zip(samples) {
                let item = integer(*sample, image.bits) - least;
                place.copy_from_slice(&item.to_le_bytes()[..width]);
            }
        };
        image.each_component(put).map_err(|fault| refused(&fault, size))?;
        Ok(Cow::Owned(items))
    }
}

impl Jpeg2000 {
    /// Checks the type of items of which the codec makes bytes.
    pub(crate) fn check_items(extension: &Extension, data_type: &DataType) -> Result<()> {
        if data_type.numeric().is_some() {
            return Ok(());
        }
        let reason = format!("{NAME:?} takes numbers, not {}", data_type.name());
        Err(Error::metadata(extension.pointer.as_str(), reason))
    }
}

impl ImageSize<'_> {
    /// Decodes the image, and calls `put` with the samples of each component.
    pub(crate) fn each_component(
        &self,
        mut put: impl FnMut(usize, &[f32]),
    ) -> std::result::Result<(), ImageFault> {
        const DAMAGED: ImageFault = ImageFault::Damaged("a damaged JPEG 2000 image");
        // Otherwise, what is missing of an image would be filled in.
        let settings =
            DecodeSettings { resolve_palette_indices: false, strict: true, target_resolution: None };
        let image = Image::new(self.codestream, &settings).map_err(|_| DAMAGED)?;
        if u64::from(image.width()) * u64::from(image.height()) != self.pixels {
            return Err(DAMAGED);
        }
        let mut context = DecoderContext::default();
        let decoded = image.decode(&mut context).map_err(|_| DAMAGED)?;
        let components = decoded.components();
        if components.len() != self.components
            || components.iter().any(|component| component.samples().len() as u64 != self.pixels)
        {
            return Err(DAMAGED);
        }
        components.iter().enumerate().for_each(|(nth, component)| put(nth, component.samples()));
        Ok(())
    }
}

/// The nearest whole number of so many bits.
#[expect(clippy::cast_possible_truncation, reason = "bounded by 2^24")]
pub(crate) fn integer(sample: f32, bits: u32) -> i32 {
    (sample.round_ties_even() as i32).clamp(0, (1 << bits) - 1)
}

fn refused(fault: &ImageFault, size: Size) -> Error {
    match fault {
        ImageFault::Damaged(words) => {
            Error::codec(NAME, (*words).to_owned(), format!("an image of {} bytes", size.limit()))
        }
        ImageFault::Lacking(feature) => Error::Unsupported {
            feature: (*feature).to_owned(),
            reason: format!("met in a chunk of the codec {NAME:?}"),
        },
    }
}
