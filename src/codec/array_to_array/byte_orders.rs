//! Byte orders of items between filters of numcodecs, which numpy's `view` ignores.
//!
//! Such a filter views its input as the type that it was configured with, byte order included. zarr-python gives it
//! memory in the byte order of the next codec. For example, `delta` with the type ">i4" before a little-endian `bytes`
//! reads each number with its bytes reversed. The decoders here calculate with little-endian numbers, so bytes are
//! reversed only where two byte orders meet.

use super::Step;
use crate::codec::kinds::ByteOrderUse;
use crate::metadata::Extension;

/// Sets `is_turned` in each step whose codec reads the bytes of its encoded items in reverse.
pub(crate) fn turn(steps: &mut [Step], codecs: &[&Extension], array_to_bytes: &str) {
    let mut orders = ByteOrders::default();
    for (place, codec) in codecs.iter().enumerate() {
        if let Some(place) = orders.note(place, steps[place].codec.byte_order(), codec) {
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
    fn note(&mut self, place: usize, reads: ByteOrderUse, codec: &Extension) -> Option<usize> {
        let settings = codec.settings();
        let order = |name| settings.field(name).and_then(|field| Some(is_big(field.value().as_str()?)));
        let (decoded, encoded, is_declared) = match reads {
            ByteOrderUse::Views { decoded, encoded, is_declared } => {
                (order(decoded), order(encoded), is_declared)
            }
            ByteOrderUse::Keeps => return None,
            ByteOrderUse::Any => {
                let turned = self.turned(self.declared);
                self.declared = false;
                return turned;
            }
        };
        let decoded = decoded.unwrap_or(self.declared);
        let turned = self.turned(decoded);
        self.viewer = Some((place, encoded.unwrap_or(decoded)));
        if is_declared {
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
