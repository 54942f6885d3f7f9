//! Byte orders of items in memory between filters of numcodecs, which numpy's `view` does not respect.
//!
//! Such a filter reads the memory that it is given as the type that it was configured with. zarr-python gives it memory
//! in the byte order of the codec behind it: so `delta` with the type ">i4" alone, followed by `bytes`, reads each number
//! with its bytes turned. Our decoders calculate with little-endian numbers, so only the places where two orders meet
//! matter; there the bytes of each item are turned.

use super::Step;
use super::numcodecs::{astype, delta, fixedscaleoffset, quantize};
use super::{bitround, reshape};
use crate::codec::array_to_array;
use crate::metadata::Extension;

/// Notes in each step, of the codec at the same place in the list, whether it reads the bytes of items in reverse.
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
    /// Order of the data type that zarr-python gives to the next codec.
    declared: bool,
    /// The last filter that views its memory: its place among the codecs from arrays to arrays, and the order it reads.
    viewer: Option<(usize, bool)>,
}

impl ByteOrders {
    /// Notes the codec at a place; gives the place of an earlier one whose encoded items it leaves in the other order.
    fn note(&mut self, place: usize, codec: &Extension) -> Option<usize> {
        let settings = codec.settings();
        let order = |name| settings.field(name).and_then(|field| Some(is_big(field.value().as_str()?)));
        let (decoded, encoded) = match codec.name.as_str() {
            astype::NAME => (order("decode_dtype"), order("encode_dtype")),
            delta::NAME | fixedscaleoffset::NAME | quantize::NAME => (order("dtype"), order("astype")),
            // They move items, or leave them alone.
            bitround::NAME | bitround::NUMCODECS_NAME | reshape::NAME => return None,
            name if array_to_array::NAMES.contains(&name) => return None,
            // These calculate with numbers, or with single bytes, whatever the order.
            _ => {
                let turned = self.turned(self.declared);
                self.declared = false;
                return turned;
            }
        };
        let decoded = decoded.unwrap_or(self.declared);
        let turned = self.turned(decoded);
        self.viewer = Some((place, encoded.unwrap_or(decoded)));
        // zarr-python's Quantize does not tell the codec behind it what it encodes to.
        if codec.name != quantize::NAME {
            self.declared = encoded.unwrap_or(self.declared);
        }
        turned
    }

    /// Notes the codec from arrays to bytes, as [`ByteOrders::note`] does others.
    fn end(mut self, codec: &str) -> Option<usize> {
        let is_native = ["numcodecs.pcodec", "numcodecs.zfpy"].contains(&codec);
        self.turned(self.declared && !is_native)
    }

    /// The filter that reads its memory in another order than this one, which the codec behind it leaves.
    fn turned(&mut self, left: bool) -> Option<usize> {
        self.viewer.take().filter(|(_, read)| *read != left).map(|(place, _)| place)
    }
}

/// Whether a data type, as numpy spells it, is big endian.
fn is_big(dtype: &str) -> bool {
    dtype.starts_with('>')
}
