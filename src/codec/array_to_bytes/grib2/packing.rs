//! Unpacking by the data representation template of section 5, and by the bitmap of section 6.

use rectilinear_zarr_kernels::decoders::ccsds::Samples;
use rectilinear_zarr_kernels::decoders::grib2::complex::{Groups, Missing, complex};
use rectilinear_zarr_kernels::decoders::grib2::{MAX_BITS, Scale, aec, floats, simple};

use super::message::Message;
use super::octets::Failure;
use super::octets::Octets;
use super::png::png;
#[cfg(feature = "jpeg2000")]
use crate::codec::bytes_to_bytes::jpeg2000::{ImageFault, ImageSize};

/// The data template of JPEG 2000 images.
pub(super) const JPEG2000: u16 = 40;

/// The values of a message of so many points, missing ones as NaN, in the order in which they are stored.
pub(super) fn values(message: &Message<'_>, points: usize) -> Result<Vec<f64>, Failure> {
    let found = u64::from(message.grid.u32(7)?);
    if found != points as u64 {
        return Err(Failure::Points(found));
    }
    let packed = message.packing.u32(6)? as usize;
    let Some(bitmap) = bitmap(message.bitmap, points)? else {
        if packed != points {
            return Err(Failure::Points(packed as u64));
        }
        return unpack(message, packed);
    };
    let is_there = |nth: usize| bitmap[nth / 8] >> (7 - nth % 8) & 1 == 1;
    let there = (0..points).filter(|&nth| is_there(nth)).count();
    if packed != there {
        return Err(Failure::Damaged("the bitmap has more or fewer points than are packed"));
    }
    // Of no points, writers leave the image or the stream away.
    let unpacked = if there == 0 { Vec::new() } else { unpack(message, packed)? };
    let mut packed = unpacked.into_iter();
    let mut values = numbers(points)?;
    for (nth, value) in values.iter_mut().enumerate() {
        *value = if is_there(nth) { packed.next().unwrap_or(f64::NAN) } else { f64::NAN };
    }
    Ok(values)
}

/// A bit for each point that is there; nothing where all points are.
fn bitmap(section: Octets<'_>, points: usize) -> Result<Option<&[u8]>, Failure> {
    match section.u8(6)? {
        255 => Ok(None),
        0 => match section.from(7).get(..points.div_ceil(8)) {
            Some(bitmap) => Ok(Some(bitmap)),
            None => Err(Failure::Damaged("the bitmap is cut short")),
        },
        254 => Err(Failure::Damaged("the bitmap is that of an earlier field, and there is none")),
        number => Err(Failure::Lacking(format!("GRIB2's predefined bitmap {number}"))),
    }
}

/// Memory for so many numbers.
fn numbers(count: usize) -> Result<Vec<f64>, Failure> {
    let mut numbers = Vec::new();
    numbers.try_reserve_exact(count).map_err(|_| Failure::Damaged("too little memory"))?;
    numbers.resize(count, 0.0);
    Ok(numbers)
}

fn unpack(message: &Message<'_>, count: usize) -> Result<Vec<f64>, Failure> {
    let mut values = numbers(count)?;
    let (packing, data) = (message.packing, message.data.from(6));
    let template = packing.u16(10)?;
    if template == 4 {
        let is_double = match packing.u8(12)? {
            1 => false,
            2 => true,
            precision => return Err(Failure::Lacking(format!("GRIB2 floats of precision {precision}"))),
        };
        floats(data, is_double, &mut values)?;
        return Ok(values);
    }
    if !([0, 2, 3, 41, 42].contains(&template) || cfg!(feature = "jpeg2000") && template == JPEG2000) {
        let what = if template == JPEG2000 { " (JPEG 2000)" } else { "" };
        return Err(Failure::Lacking(format!("GRIB2 data representation template 5.{template}{what}")));
    }
    let bits = u32::from(packing.u8(20)?);
    if bits > MAX_BITS {
        return Err(Failure::Damaged("numbers of more than 32 bits"));
    }
    let reference = f64::from(packing.f32(12)?);
    let scale = Scale {
        reference,
        binary: power(2.0, packing.signed16(16)?),
        decimal: power(10.0, -packing.signed16(18)?),
    };
    let groups = if matches!(template, 2 | 3) { groups(packing, template, bits)? } else { None };
    match (template, groups) {
        (2 | 3, Some(groups)) => complex(data, &groups, &scale, &mut values)?,
        // Constant fields are the reference as it is: ecCodes, wgrib2 and GDAL leave the decimal scale out.
        (2 | 3, None) => values.fill(reference),
        _ if bits == 0 => values.fill(reference),
        #[cfg(feature = "jpeg2000")]
        (JPEG2000, _) => jpeg2000(data, &scale, &mut values)?,
        (41, _) => png(data, &scale, &mut values)?,
        (42, _) => {
            let (flags, block) = (packing.u8(22)?, u32::from(packing.u8(23)?));
            let samples = Samples { bits, block, interval: u32::from(packing.u16(24)?), flags };
            aec(data, &samples, &scale, &mut values)?;
        }
        _ => simple(data, bits, &scale, &mut values)?,
    }
    Ok(values)
}

/// Unpacks an image of a pixel for each point.
#[cfg(feature = "jpeg2000")]
fn jpeg2000(data: &[u8], scale: &Scale, points: &mut [f64]) -> Result<(), Failure> {
    let failure = |fault| match fault {
        ImageFault::Damaged(words) => Failure::Damaged(words),
        ImageFault::Lacking(feature) => Failure::Lacking(feature.to_owned()),
    };
    let image = ImageSize::read(data).map_err(failure)?;
    if image.pixels != points.len() as u64 || image.components != 1 {
        return Err(Failure::Damaged("the JPEG 2000 image has more or fewer pixels than there are points"));
    }
    let put = |_: usize, samples: &[f32]| {
        for (point, &sample) in points.iter_mut().zip(samples) {
            *point = scale.value(sample.into());
        }
    };
    image.each_component(put).map_err(failure)
}

/// Parameters of the templates of complex packing; nothing for a field without groups, which is constant.
fn groups(packing: Octets<'_>, template: u16, reference_bits: u32) -> Result<Option<Groups>, Failure> {
    let count = packing.u32(32)?;
    if count == 0 {
        return Ok(None);
    }
    let missing = match packing.u8(23)? {
        0 => Missing::Never,
        1 => Missing::Primary,
        2 => Missing::PrimaryAndSecondary,
        other => return Err(Failure::Lacking(format!("GRIB2 missing value management {other}"))),
    };
    let (order, first_value_bytes) = if template == 3 { (packing.u8(48)?, packing.u8(49)?) } else { (0, 0) };
    if template == 3 && ![1, 2].contains(&order) {
        return Err(Failure::Lacking(format!("GRIB2 spatial differences of order {order}")));
    }
    Ok(Some(Groups {
        count,
        reference_bits,
        width_reference: packing.u8(36)?.into(),
        width_bits: packing.u8(37)?.into(),
        length_reference: packing.u32(38)?,
        length_increment: packing.u8(42)?.into(),
        last_length: packing.u32(43)?,
        length_bits: packing.u8(47)?.into(),
        missing,
        order,
        first_value_bytes,
    }))
}

/// A power by repeated multiplication or division, which is how ecCodes rounds.
fn power(base: f64, exponent: i32) -> f64 {
    let one_more = |power: f64, _| if exponent < 0 { power / base } else { power * base };
    (0..exponent.unsigned_abs()).fold(1.0, one_more)
}
