//! Lengths of Zstandard frames and bounds on their content, found without decoding.

pub(in crate::codec) const NAME: &str = "zstd";

/// The largest content of a block (RFC 8878, section 3.1.1.2.4): 128 KiB.
const MAX_BLOCK_BYTES: usize = 128 << 10;

/// Length of a frame, and bounds on its content.
pub(crate) struct ZstdFrame {
    /// Whether the frame is not a skippable one.
    pub(crate) is_data: bool,
    /// Bytes of the frame.
    pub(crate) length: usize,
    /// The least bytes of content: those of its blocks of known size, or the size in the frame's header.
    pub(crate) least: usize,
    /// The most bytes of content.
    pub(crate) most: usize,
}

/// The frame at the start of the bytes; `None` where it is truncated.
///
/// The block headers are read here (RFC 8878, section 3.1) because zrip does not check the length of a skippable frame:
/// with a length of 2^32 - 8, it never returns.
pub(crate) fn next_frame(bytes: &[u8]) -> Option<ZstdFrame> {
    let magic = u32::from_le_bytes(*bytes.first_chunk()?);
    if magic & 0xffff_fff0 == 0x184d_2a50 {
        let length = u32::from_le_bytes(*bytes[4..].first_chunk()?);
        let total = usize::try_from(length).ok()?.checked_add(8)?;
        return (total <= bytes.len()).then_some(ZstdFrame {
            is_data: false,
            length: total,
            least: 0,
            most: 0,
        });
    }
    if magic != 0xfd2f_b528 {
        return None;
    }
    let descriptor = *bytes.get(4)?;
    let single_segment = descriptor & 0x20 != 0;
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 3)];
    let content_size = match descriptor >> 6 {
        0 => usize::from(single_segment),
        1 => 2,
        2 => 4,
        _ => 8,
    };
    let start = 5 + usize::from(!single_segment) + dictionary;
    let mut at = start + content_size;
    let announced = announced(bytes.get(start..at)?);
    let (mut least, mut most) = (0_usize, 0_usize);
    loop {
        let header = bytes.get(at..at + 3)?;
        let header = u32::from_le_bytes([header[0], header[1], header[2], 0]);
        let block = usize::try_from(header >> 3).ok()?;
        // Uncompressed, one repeated byte, compressed.
        let (stored, content) = match header >> 1 & 3 {
            0 => (block, block..=block),
            1 => (1, block..=block),
            _ => (block, 0..=MAX_BLOCK_BYTES),
        };
        least = least.saturating_add(*content.start());
        most = most.saturating_add(*content.end());
        at += 3 + stored;
        if header & 1 == 1 {
            break;
        }
    }
    if let Some(announced) = announced {
        (least, most) = (least.max(announced), most.min(announced));
    }
    at += if descriptor & 4 == 0 { 0 } else { 4 };
    (at <= bytes.len()).then_some(ZstdFrame { is_data: true, length: at, least, most })
}

/// Content size in a frame's header, if there is one; saturates at `usize::MAX`.
fn announced(field: &[u8]) -> Option<usize> {
    let mut number = [0; 8];
    number.get_mut(..field.len())?.copy_from_slice(field);
    // Two bytes count from 256, because one byte holds smaller numbers.
    let number = u64::from_le_bytes(number) + if field.len() == 2 { 256 } else { 0 };
    (!field.is_empty()).then(|| usize::try_from(number).unwrap_or(usize::MAX))
}
