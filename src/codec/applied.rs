//! The configuration of `conditional`, and the headers of its chunks: which of a list of codecs were applied to each.
//!
//! Bit `i` of a header, counted from the lowest bit of the first byte, stands for the list's codec `i`; the other bits are
//! zero.

use crate::error::{Error, Result};
use crate::metadata::{CodecKind, CustomCodec, Extension, Value, codec_kind};

/// Name of the codec.
pub(super) const NAME: &str = "conditional";

/// Most bits of a header.
const MAX_HEADER_BITS: u64 = 1 << 13;

/// The configuration.
#[derive(Debug, Clone)]
pub(super) struct AppliedCodecs {
    /// The codecs, in the order of encoding.
    pub(super) listed: Vec<Extension>,
    pub(super) header_bytes: usize,
}

/// The codec that the specification's own example calls `shuffle`, with `element_size`; others write `elementsize`.
fn registered_shuffle(shuffle: &Extension) -> Result<Extension> {
    let settings = shuffle.settings();
    let Some(size) = settings.field("element_size") else {
        return Ok(shuffle.replaced("numcodecs.shuffle", settings.value().clone()));
    };
    settings.only_fields(&["element_size"])?;
    let configuration = Value::object([("elementsize", size.value().clone())]);
    Ok(shuffle.replaced("numcodecs.shuffle", configuration))
}

/// The name of a codec in the metadata, also where it is the page's.
fn written_name(codec: &Extension) -> String {
    CustomCodec::of(codec).map_or_else(|| codec.name.clone(), |custom| custom.name)
}

impl AppliedCodecs {
    pub(super) fn parse(extension: &Extension) -> Result<Self> {
        let settings = extension.settings();
        settings.only_fields(&["codecs", "header_bits"])?;
        let list = settings.required("codecs")?;
        let mut listed = Vec::new();
        for item in list.items()? {
            let mut inner = Extension::parse(item)?;
            if inner.name == "shuffle" {
                inner = registered_shuffle(&inner)?;
            }
            let kind = CustomCodec::of(&inner).map(|custom| custom.kind).or_else(|| codec_kind(&inner.name));
            if kind.is_some_and(|kind| kind != CodecKind::BytesToBytes) {
                return Err(Error::Unsupported {
                    feature: format!("codec {:?} within {NAME:?}", written_name(&inner)),
                    reason: format!("met at {}; its codecs must encode bytes as bytes", inner.pointer),
                });
            }
            listed.push(inner);
        }
        // Without codecs the header has no bytes.
        let least = listed.len() as u64;
        let header_bits = match settings.field("header_bits") {
            None => least.next_multiple_of(8),
            Some(field) => {
                let bits = field.integer(0)?;
                if bits % 8 != 0 || !(least..=MAX_HEADER_BITS).contains(&bits) {
                    let reason =
                        format!("a multiple of 8 from the number of codecs, {least}, to {MAX_HEADER_BITS}");
                    return Err(field.expected(&reason));
                }
                bits
            }
        };
        Ok(Self { listed, header_bytes: usize::try_from(header_bits / 8).unwrap_or(usize::MAX) })
    }

    /// Number of the codecs, with those within them.
    pub(super) fn count(&self) -> usize {
        let nested =
            self.listed.iter().filter(|codec| codec.name == NAME).filter_map(|codec| Self::parse(codec).ok());
        nested.map(|codecs| codecs.count()).sum::<usize>() + self.listed.len()
    }

    /// Whether each of the codecs was applied to a chunk, from the bytes at its start.
    ///
    /// # Errors
    /// [`Error::Codec`] where the chunk is shorter than a header, or a bit of its header stands for no codec.
    pub(super) fn applied(&self, chunk: &[u8]) -> Result<Vec<bool>> {
        let Some(header) = chunk.get(..self.header_bytes) else {
            let expected = format!("a header of {} bytes", self.header_bytes);
            return Err(Error::codec(NAME, chunk.len(), expected));
        };
        let mut bits: Vec<bool> =
            (0..8 * self.header_bytes).map(|bit| header[bit / 8] >> (bit % 8) & 1 == 1).collect();
        let count = self.listed.len();
        if let Some(more) = bits[count..].iter().position(|is_set| *is_set) {
            let bit = format!("bit {} of the header", count + more);
            return Err(Error::codec(NAME, bit, format!("{count} codecs")));
        }
        bits.truncate(count);
        Ok(bits)
    }
}
