//! Decoding of several chunks of one shape, one after the other, to one buffer.
//!
//! Invariant: the result has exactly the items of these chunks, or is `None`. The caller then decodes the chunks one by
//! one, which finds the damaged chunk and the error.

use std::borrow::Cow;

use rectilinear_zarr_kernels::room;

use super::pipeline::Pipeline;
use super::size::Size;
use crate::output::Decoded;
use crate::output::memory::give_back;

impl Pipeline {
    /// Whether chunks of this shape can be decoded to one buffer: no codec changes their items.
    #[must_use]
    pub fn decodes_rows(&self, shape: &[u64]) -> bool {
        self.item_strides(shape).is_some()
    }

    /// Decodes chunks that lie one after the other in `encoded` and have these lengths in bytes.
    ///
    /// The items are decoded to `memory`, which grows as needed. Chunks that are stored as uncompressed items are
    /// borrowed from `encoded`.
    #[must_use]
    pub fn decode_row<'a>(
        &self,
        encoded: &'a [u8],
        lengths: &[u32],
        shape: &[u64],
        memory: &'a mut Vec<u8>,
    ) -> Option<Decoded<'a>> {
        let resolved = self.resolved(shape).ok()?;
        let layout = resolved.layout().ok()?;
        let (Some(strides), Size::Exactly(size @ 1..)) = (&layout.item_strides, layout.sizes[0]) else {
            return None;
        };
        let whole = size.checked_mul(lengths.len()).filter(|&whole| whole > 0)?;
        let strides = strides.clone();
        if self.bytes_to_bytes.is_empty() {
            let are_items = lengths.iter().all(|&length| length as usize == size);
            let items = encoded.get(..whole).filter(|_| are_items)?;
            return Some(self.decode_items(Cow::Borrowed(items), strides));
        }
        if memory.len() < whole {
            room::resize(memory, whole);
        }
        let mut rest = encoded;
        for (&length, items) in lengths.iter().zip(memory.chunks_exact_mut(size)) {
            let (chunk, after) = rest.split_at_checked(length as usize)?;
            let chunk = self.decode_bytes(Cow::Borrowed(chunk), &layout.sizes).ok()?;
            items.copy_from_slice(&chunk);
            if let Cow::Owned(chunk) = chunk {
                give_back(chunk);
            }
            rest = after;
        }
        Some(self.decode_items(Cow::Borrowed(&memory[..whole]), strides))
    }
}
