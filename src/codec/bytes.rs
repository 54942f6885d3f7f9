//! `bytes`: items one after the other in C order, little or big endian.
//!
//! Spec: <https://zarr-specs.readthedocs.io/en/latest/v3/codecs/bytes/index.html>
//!
//! ```json
//! { "name": "bytes", "configuration": { "endian": "little" } }
//! ```

use std::borrow::Cow;

use crate::error::Result;
use crate::metadata::{DataType, Extension};

pub(super) const NAME: &str = "bytes";

/// The codec's configuration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Bytes {
    big_endian: bool,
}

impl Bytes {
    pub(super) fn parse(extension: &Extension, data_type: DataType) -> Result<Self> {
        let settings = extension.settings();
        settings.only_fields(&["endian"])?;
        let big_endian = match settings.field("endian") {
            Some(endian) => match endian.value().as_str() {
                Some("little") => false,
                Some("big") => true,
                _ => return Err(endian.expected("\"little\" or \"big\"")),
            },
            None if data_type.item_size() == 1 => false,
            None => {
                let reason = format!("the field \"endian\" is missing; {} needs it", data_type.name());
                return Err(settings.invalid(reason));
            }
        };
        Ok(Self { big_endian })
    }

    /// Items in little-endian order, the order of WebAssembly's memory and of every typed array in use.
    pub(super) fn decode(self, encoded: Cow<'_, [u8]>, item_size: usize) -> Cow<'_, [u8]> {
        if !self.big_endian || item_size == 1 {
            return encoded;
        }
        let mut items = encoded.into_owned();
        match item_size {
            2 => reverse_items::<2>(&mut items),
            4 => reverse_items::<4>(&mut items),
            8 => reverse_items::<8>(&mut items),
            _ => items.chunks_exact_mut(item_size).for_each(<[u8]>::reverse),
        }
        Cow::Owned(items)
    }
}

fn reverse_items<const SIZE: usize>(items: &mut [u8]) {
    items.as_chunks_mut::<SIZE>().0.iter_mut().for_each(|item| item.reverse());
}
