//! Byte orders of items between filters of numcodecs, which numpy's `view` ignores.
//!
//! Such a filter views its input as the type that it was configured with, byte order included. zarr-python gives it
//! memory in the byte order of the next codec. For example, `delta` with the type ">i4" before a little-endian `bytes`
//! reads each number with its bytes reversed. The decoders here calculate with little-endian numbers, so bytes are
//! reversed only where two byte orders meet.

use super::Step;
use super::numcodecs::{astype, delta, fixedscaleoffset, quantize};
use super::{bitround, reshape};
use crate::codec::array_to_array;
use crate::metadata::Extension;

/// Sets `is_turned` in each step whose codec reads the bytes of its encoded items in reverse.
pub(crate) fn turn(steps: &mut [Step], codecs: &[&Extension], array_to_bytes: &str) {
    let mut orders = ByteOrders::default();
    for (place, codec) in codecs.iter().enumerate() {
        if let Some(place) = orders.note(place, codec) {
            steps[place].is_turned = true;
        }
    }
    if let Some(place) = orders.end(array_to_bytes) {
        steps[place].is_turned = true;
    }
}

/// The byte orders met so far in a list of codecs; `true` is big endian.
#[derive(Default)]
struct ByteOrders {
    /// Byte order of the data type that zarr-python passes to the next codec.
    declared: bool,
    /// The last filter that views its memory: its index in the list, and the byte order that it reads.
    viewer: Option<(usize, bool)>,
}

impl ByteOrders {
    /// Adds the codec at an index; returns the index of an earlier codec whose encoded items are in the other order.
    fn note(&mut self, place: usize, codec: &Extension) -> Option<usize> {
        let settings = codec.settings();
        let order = |name| settings.field(name).and_then(|field| Some(is_big(field.value().as_str()?)));
        let (decoded, encoded) = match codec.name.as_str() {
            astype::NAME => (order("decode_dtype"), order("encode_dtype")),
            delta::NAME | fixedscaleoffset::NAME | quantize::NAME => (order("dtype"), order("astype")),
            // They move items, or leave them unchanged.
            bitround::NAME | bitround::NUMCODECS_NAME | reshape::NAME => return None,
            name if array_to_array::NAMES.contains(&name) => return None,
            // These calculate with numbers or single bytes, in any byte order.
            _ => {
                let turned = self.turned(self.declared);
                self.declared = false;
                return turned;
            }
        };
        let decoded = decoded.unwrap_or(self.declared);
        let turned = self.turned(decoded);
        self.viewer = Some((place, encoded.unwrap_or(decoded)));
        // zarr-python's Quantize does not pass its encoded type to the next codec.
        if codec.name != quantize::NAME {
            self.declared = encoded.unwrap_or(self.declared);
        }
        turned
    }

    /// Adds the array-to-bytes codec, as [`ByteOrders::note`] adds others.
    fn end(mut self, codec: &str) -> Option<usize> {
        let is_native = ["numcodecs.pcodec", "numcodecs.zfpy"].contains(&codec);
        self.turned(self.declared && !is_native)
    }

    /// Takes the last viewing filter, if it reads another byte order than `left`, in which the next codec leaves
    /// memory.
    fn turned(&mut self, left: bool) -> Option<usize> {
        self.viewer.take().filter(|(_, read)| *read != left).map(|(place, _)| place)
    }
}

/// Whether a data type, as numpy spells it, is big endian.
fn is_big(dtype: &str) -> bool {
    dtype.starts_with('>')
}
