//! Filters of HDF5 that no codec of Zarr is: szip, nbit and scaleoffset of the library itself, `hdf5.lzf` of h5py, and
//! `hdf5.lz4` and `hdf5.bitshuffle`, which plugins write. Their configuration is the values that the file states for the
//! filter; `hdf5.nbit` has one more field, which makes numbers of all bits of the items.
//!
//! Specs: <https://support.hdfgroup.org/documentation/hdf5/latest/_f_m_t3.html#FilterMessage>, and for filters from 32000 on
//! <https://github.com/HDFGroup/hdf5_plugins/blob/master/docs/RegisteredFilterPlugins.md>
//!
//! ```json
//! { "name": "hdf5.bitshuffle", "configuration": { "values": [0, 4, 4, 0, 2] } }
//! ```

mod bitshuffle;
mod blocks;
mod lz4_blocks;
mod nbit;
mod scale_offset;
mod szip;

use std::borrow::Cow;

use rectilinear_zarr_kernels::decoders::lzf;

use self::bitshuffle::Bitshuffle;
use self::nbit::Nbit;
use self::scale_offset::ScaleOffset;
use self::szip::Szip;
use crate::codec::kinds::{BytesToBytesCodec, Named, Size};
use crate::error::{Error, Gather, Result};
use crate::metadata::Extension;
use crate::output::memory::unwritten;

/// The filter, by its name.
#[derive(Debug, Clone)]
pub(crate) struct Hdf5Filter {
    name: &'static str,
    form: Form,
}

#[derive(Debug, Clone)]
enum Form {
    Bitshuffle(Bitshuffle),
    Lz4,
    Lzf,
    Nbit(Nbit),
    ScaleOffset(ScaleOffset),
    Szip(Szip),
}

impl BytesToBytesCodec for Hdf5Filter {
    fn parse(extension: &Extension) -> Result<Self> {
        let (name, settings) = (Self::named(extension), extension.settings());
        settings.only_fields(if name == "hdf5.nbit" { &["values", "signed"] } else { &["values"] })?;
        // The values of these are for the compressor.
        match name {
            "hdf5.lz4" => return Ok(Self { name, form: Form::Lz4 }),
            "hdf5.lzf" => return Ok(Self { name, form: Form::Lzf }),
            _ => {}
        }
        let field = settings.required("values")?;
        let values: Vec<u32> = field
            .items()?
            .map(|value| {
                let number = value.integer(0)?;
                u32::try_from(number).map_err(|_| value.expected("a number below 2^32"))
            })
            .gathered()?;
        let form = match name {
            "hdf5.bitshuffle" => Bitshuffle::new(&values).map(Form::Bitshuffle),
            "hdf5.nbit" => {
                let is_signed = match settings.field("signed") {
                    None => None,
                    Some(field) => {
                        let flag = field.value().as_bool();
                        Some(flag.ok_or_else(|| field.expected("true or false"))?)
                    }
                };
                Nbit::new(&values, is_signed).map(Form::Nbit)
            }
            "hdf5.scaleoffset" => ScaleOffset::new(&values).map(Form::ScaleOffset),
            _ => Szip::new(&values).map(Form::Szip),
        };
        let expected = match name {
            "hdf5.bitshuffle" => bitshuffle::VALUES,
            "hdf5.nbit" => nbit::VALUES,
            "hdf5.scaleoffset" => scale_offset::VALUES,
            _ => szip::VALUES,
        };
        Ok(Self { name, form: form.ok_or_else(|| field.expected(expected))? })
    }

    fn name(&self) -> &'static str {
        self.name
    }

    fn encoded_size(&self, decoded: Size) -> Size {
        match &self.form {
            Form::Bitshuffle(filter) if !filter.compresses() => decoded,
            _ => decoded.compressed(),
        }
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        let encoded = &*encoded;
        let decoded = match &self.form {
            Form::Bitshuffle(filter) => filter.decode(self.name, encoded, size),
            Form::Lz4 => lz4_blocks::decode(self.name, encoded, size),
            Form::Lzf => unpacked(self.name, encoded, size),
            Form::Nbit(filter) => filter.decode(self.name, encoded, size),
            Form::ScaleOffset(filter) => filter.decode(self.name, encoded, size),
            Form::Szip(filter) => filter.decode(self.name, encoded, size),
        };
        decoded.map(Cow::Owned)
    }
}

/// The content of an LZF stream.
fn unpacked(codec: &'static str, stream: &[u8], size: Size) -> Result<Vec<u8>> {
    // No memory is allocated for an impossible length.
    let most = stream.len().saturating_mul(lzf::MOST_EXPANSION);
    let room = size.limit().min(most);
    if room < size.limit() && matches!(size, Size::Exactly(_)) {
        return Err(Error::codec(codec, format!("a stream of {} bytes", stream.len()), size.limit()));
    }
    let mut content = unwritten(room)?;
    let length = lzf::decode(stream, &mut content)
        .ok_or_else(|| Error::codec(codec, "a damaged stream", format!("{room} bytes")))?;
    size.check(codec, length)?;
    content.truncate(length);
    Ok(content)
}
