//! `numcodecs.shuffle`: the first bytes of all elements, then their second bytes, and so on.
//!
//! `elementsize` is required: if it is missing, numcodecs assumes 4 and zarr-python 3 the item size, but both always
//! write it. A size of 1 or less leaves the bytes unchanged. Bytes after the last whole element, such as a checksum that
//! HDF5 wrote before it shuffled, stay at the end. Spec:
//! <https://numcodecs.readthedocs.io/en/stable/filter/shuffle.html>
//!
//! ```json
//! { "name": "numcodecs.shuffle", "configuration": { "elementsize": 4 } }
//! ```

use std::borrow::Cow;

use rectilinear_zarr_kernels::unshuffle;

use crate::codec::kinds::{BytesToBytesCodec, Named, Size};
use crate::error::Result;
use crate::metadata::Extension;
use crate::output::memory::{to_memory, unwritten};
use crate::parts::{Codecs, Loaded, later};

const NAME: &str = Shuffle::NAMES[0];

/// The codec's configuration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shuffle {
    element_size: usize,
    part: Loaded<Codecs>,
}

impl BytesToBytesCodec for Shuffle {
    fn parse(extension: &Extension) -> Result<Self> {
        let settings = extension.settings();
        settings.only_fields(&["elementsize"])?;
        let element_size = to_memory(settings.required("elementsize")?.integer(0)?)?;
        Ok(Self { element_size, part: Loaded::get()? })
    }

    fn encoded_size(&self, decoded: Size) -> Size {
        decoded
    }

    fn decoded_rate(&self) -> u64 {
        4000
    }

    /// Brings the bytes of each element together.
    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        size.check(NAME, encoded.len())?;
        if self.element_size <= 1 || encoded.is_empty() {
            return Ok(encoded);
        }
        unshuffled(self.part, self.element_size, &encoded).map(Cow::Owned)
    }
}

#[later]
fn unshuffled(_: Loaded<Codecs>, element_size: usize, encoded: &[u8]) -> Result<Vec<u8>> {
    let mut elements = unwritten(encoded.len())?;
    unshuffle::undo(element_size, encoded, &mut elements);
    Ok(elements)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::borrow::Cow;

    use super::{BytesToBytesCodec, Loaded, Shuffle, Size};

    #[test]
    fn every_element_size_undoes_what_the_definition_says() {
        for element_size in (1..20).chain([24, 32, 40]) {
            for count in [0, 1, 2, 7, 16, 33, 80] {
                let data: Vec<u8> = (0..element_size * count).map(|i| (i * 37 % 251) as u8).collect();
                let shuffled: Vec<u8> = (0..element_size)
                    .flat_map(|byte| data.iter().skip(byte).step_by(element_size).copied())
                    .collect();
                let decoded = Shuffle { element_size, part: Loaded::get().unwrap() }
                    .decode(Cow::Owned(shuffled), Size::Exactly(data.len()));
                assert_eq!(decoded.unwrap(), data, "{count} elements of {element_size} bytes");
            }
        }
    }

    #[test]
    fn a_part_of_an_element_stays_at_the_end_as_hdf5_leaves_it() {
        let decode = |bytes, size| {
            Shuffle { element_size: 4, part: Loaded::get().unwrap() }.decode(Cow::Borrowed(bytes), size)
        };
        let shuffled = [1, 5, 2, 6, 3, 7, 4, 8, 9, 10];
        assert_eq!(*decode(&shuffled, Size::Exactly(10)).unwrap(), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(*decode(&[1, 2, 3], Size::AtMost(8)).unwrap(), [1, 2, 3]);
        assert!(decode(&shuffled, Size::Exactly(8)).is_err());
    }
}
