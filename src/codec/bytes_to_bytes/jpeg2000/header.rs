//! The header of a JPEG 2000 image, read before anything is decoded: a damaged one can claim gigabytes.
//!
//! The decoder is given the bare codestream, so that no colour space of a JP2 file changes samples.
//! Spec: <https://www.itu.int/rec/T-REC-T.800>, annexes A and I

/// Why an image is not decoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ImageFault {
    /// The damage, in words.
    Damaged(&'static str),
    /// A part of JPEG 2000 that is not read.
    Lacking(&'static str),
}

const CUT_SHORT: ImageFault = ImageFault::Damaged("a JPEG 2000 image that is cut short");

/// Start of a codestream: its first marker, and that of its sizes.
const START: &[u8] = &[0xff, 0x4f, 0xff, 0x51];

/// Start of a JP2 file.
const SIGNATURE: &[u8] = b"\0\0\0\x0cjP  ";

/// Most bits of a sample: those that float32, which the decoder calculates with, holds exactly.
const MAX_BITS: u32 = 24;

/// Most tiles of an image.
const MAX_TILES: u64 = 65_535;

/// Size and samples of an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ImageSize<'a> {
    pub(super) codestream: &'a [u8],
    /// Number of pixels.
    pub(crate) pixels: u64,
    /// Samples of a pixel.
    pub(crate) components: usize,
    /// Bits of a sample.
    pub(super) bits: u32,
    pub(super) is_signed: bool,
}

impl<'a> ImageSize<'a> {
    /// Reads the sizes of a codestream, or of the one in a JP2 file.
    pub(crate) fn read(image: &'a [u8]) -> Result<Self, ImageFault> {
        let codestream = if image.starts_with(SIGNATURE) { codestream_of(image)? } else { image };
        let Some(rest) = codestream.strip_prefix(START) else {
            return Err(ImageFault::Damaged("no JPEG 2000 image"));
        };
        // After the segment's length: capabilities, then eight numbers of 32 bits, then the number of components.
        let u16_at =
            |at: usize| rest.get(at..).and_then(<[u8]>::first_chunk).map(|two| u16::from_be_bytes(*two));
        let u32_at =
            |at: usize| rest.get(at..).and_then(<[u8]>::first_chunk).map(|four| u32::from_be_bytes(*four));
        if u16_at(2).ok_or(CUT_SHORT)? & 0x4000 != 0 {
            return Err(ImageFault::Lacking("high throughput JPEG 2000 (HTJ2K)"));
        }
        let mut sizes = [0u32; 8];
        for (nth, size) in sizes.iter_mut().enumerate() {
            *size = u32_at(4 + 4 * nth).ok_or(CUT_SHORT)?;
        }
        let [right, bottom, left, top, tile_width, tile_height, tile_left, tile_top] = sizes;
        let tiles = |end: u32, start: u32, edge: u32| {
            end.checked_sub(start).map(|length| length.div_ceil(edge.max(1)))
        };
        let (Some(width), Some(height), Some(columns), Some(rows)) = (
            right.checked_sub(left).filter(|&width| width > 0),
            bottom.checked_sub(top).filter(|&height| height > 0),
            tiles(right, tile_left, tile_width),
            tiles(bottom, tile_top, tile_height),
        ) else {
            return Err(ImageFault::Damaged("a JPEG 2000 image without pixels"));
        };
        if u64::from(columns) * u64::from(rows) > MAX_TILES {
            return Err(ImageFault::Damaged("a JPEG 2000 image of more than 65,535 tiles"));
        }
        let components = usize::from(u16_at(36).ok_or(CUT_SHORT)?);
        let kinds = rest.get(38..38 + 3 * components).ok_or(CUT_SHORT)?.as_chunks::<3>().0;
        let Some(&first) = kinds.first() else {
            return Err(ImageFault::Damaged("a JPEG 2000 image without components"));
        };
        if kinds.iter().any(|kind| *kind != first || kind[1..] != [1, 1]) {
            return Err(ImageFault::Lacking("JPEG 2000 components of different sizes or types"));
        }
        let (bits, is_signed) = (u32::from(first[0] & 0x7f) + 1, first[0] & 0x80 != 0);
        if bits > MAX_BITS {
            return Err(ImageFault::Lacking("JPEG 2000 samples of more than 24 bits"));
        }
        Ok(Self { codestream, pixels: u64::from(width) * u64::from(height), components, bits, is_signed })
    }

    /// Bytes of a sample in memory: one, two or four.
    pub(super) fn sample_bytes(&self) -> usize {
        self.bits.div_ceil(8).next_power_of_two() as usize
    }
}

/// The codestream in the boxes of a JP2 file.
fn codestream_of(file: &[u8]) -> Result<&[u8], ImageFault> {
    let mut rest = file;
    loop {
        let (length, after) = rest.split_first_chunk().ok_or(CUT_SHORT)?;
        let (kind, mut content) = after.split_first_chunk::<4>().ok_or(CUT_SHORT)?;
        // 0: the box reaches to the end of the file; 1: its length has 64 bits and follows.
        let mut length = u64::from(u32::from_be_bytes(*length));
        let mut head = 8;
        if length == 1 {
            let (long, after) = content.split_first_chunk().ok_or(CUT_SHORT)?;
            (length, content, head) = (u64::from_be_bytes(*long), after, 16);
        }
        if kind == b"jp2c" {
            return Ok(content);
        }
        // A palette is in the box of headers, whose boxes are not otherwise of interest.
        if kind == b"jp2h" && content.get(..length.saturating_sub(head) as usize).is_some_and(has_palette) {
            return Err(ImageFault::Lacking("JPEG 2000 images with a palette"));
        }
        let length =
            usize::try_from(length).ok().filter(|&length| length >= head as usize).ok_or(CUT_SHORT)?;
        rest = rest.get(length..).ok_or(CUT_SHORT)?;
    }
}

fn has_palette(boxes: &[u8]) -> bool {
    boxes.windows(4).any(|kind| kind == b"pclr")
}
