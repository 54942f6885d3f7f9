//! Samples of a PNG image, as data template 41 packs points: gray, or the bytes of RGB and RGBA as one number.
//!
//! Interlaced images and palettes, which GRIB2 does not have, are refused.
//! Spec: <https://www.w3.org/TR/png-3/>

use rectilinear_zarr_kernels::decoders::grib2::{Scale, simple};

use super::octets::{Failure, Octets};
use crate::codec::bytes_to_bytes::inflate;
use crate::codec::kinds::Size;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
const CUT_SHORT: Failure = Failure::Damaged("the PNG image is cut short");

/// Bytes of a chunk beside its content: length, type and checksum.
const CHUNK_FRAME: usize = 12;

/// Unpacks an image of a pixel for each point.
pub(super) fn png(image: &[u8], scale: &Scale, points: &mut [f64]) -> Result<(), Failure> {
    let mut rest = image.strip_prefix(SIGNATURE).ok_or(Failure::Damaged("no PNG image"))?;
    let mut header = None;
    let mut compressed = Vec::new();
    loop {
        let length = Octets(rest).u32(1).map_err(|_| CUT_SHORT)? as usize;
        let content = rest.get(8..).and_then(|rest| rest.get(..length)).ok_or(CUT_SHORT)?;
        match &rest[4..8] {
            b"IHDR" => header = Some(ImageHeader::read(Octets(content), points.len())?),
            b"IDAT" => compressed.extend_from_slice(content),
            b"IEND" => break,
            _ => {}
        }
        rest = rest.get(length + CHUNK_FRAME..).ok_or(CUT_SHORT)?;
    }
    let header = header.ok_or(CUT_SHORT)?;
    let filtered = inflate::zlib("zlib", &compressed, Size::Exactly(header.rows * (header.row_bytes + 1)));
    let filtered = filtered.map_err(|_| Failure::Damaged("the PNG image does not decompress"))?;
    let samples = header.unfiltered(&filtered)?;
    for (row, points) in samples.chunks_exact(header.row_bytes).zip(points.chunks_exact_mut(header.width)) {
        simple(row, header.bits, scale, points)?;
    }
    Ok(())
}

/// Header of an image.
struct ImageHeader {
    rows: usize,
    /// Pixels of a row.
    width: usize,
    row_bytes: usize,
    /// Bits of a pixel.
    bits: u32,
}

impl ImageHeader {
    fn read(octets: Octets<'_>, count: usize) -> Result<Self, Failure> {
        let (width, rows) = (octets.u32(1)? as usize, octets.u32(5)? as usize);
        if width.checked_mul(rows) != Some(count) || count == 0 {
            return Err(Failure::Damaged("the PNG image has more or fewer pixels than there are points"));
        }
        let depth = u32::from(octets.u8(9)?);
        let bits = match (octets.u8(10)?, depth) {
            (0, 1 | 2 | 4 | 8 | 16) => depth,
            (2, 8) => 24,
            (6, 8) => 32,
            (colour, _) => {
                return Err(Failure::Lacking(format!("PNG images of colour type {colour} and {depth} bits")));
            }
        };
        if octets.u8(13)? != 0 {
            return Err(Failure::Lacking("interlaced PNG images".to_owned()));
        }
        let row_bytes = (width as u64 * u64::from(bits)).div_ceil(8) as usize;
        Ok(Self { rows, width, row_bytes, bits })
    }

    /// The rows' bytes, by undoing each row's filter.
    fn unfiltered(&self, filtered: &[u8]) -> Result<Vec<u8>, Failure> {
        let step = (self.bits as usize).div_ceil(8);
        let mut above = vec![0; self.row_bytes];
        let mut samples = Vec::with_capacity(self.rows * self.row_bytes);
        for row in filtered.chunks_exact(self.row_bytes + 1) {
            let start = samples.len();
            samples.extend_from_slice(&row[1..]);
            let row_of = &mut samples[start..];
            for at in 0..self.row_bytes {
                let left = if at < step { 0 } else { row_of[at - step] };
                let corner = if at < step { 0 } else { above[at - step] };
                let guess = match row[0] {
                    0 => 0,
                    1 => left,
                    2 => above[at],
                    3 => left.midpoint(above[at]),
                    4 => paeth(left, above[at], corner),
                    _ => return Err(Failure::Damaged("a row of the PNG image has no filter of PNG")),
                };
                row_of[at] = row_of[at].wrapping_add(guess);
            }
            above.copy_from_slice(row_of);
        }
        Ok(samples)
    }
}

/// The neighbour that is nearest to the sum of two less the third.
fn paeth(left: u8, above: u8, corner: u8) -> u8 {
    let distance = |of: u8| (i16::from(left) + i16::from(above) - i16::from(corner) - i16::from(of)).abs();
    [left, above, corner].into_iter().min_by_key(|&of| distance(of)).unwrap_or(left)
}
