//! `conditional`: a header of bits before the payload says which of a list of codecs were applied to the chunk.
//!
//! Bit `i`, counted from the lowest bit of the first byte, stands for the list's codec `i`; the other bits are zero. It
//! refers to [`BytesToBytes`], of which it is one, because its codecs may be any of that kind.
//!
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/conditional>
//!
//! ```json
//! { "name": "conditional", "configuration": { "codecs": [{ "name": "zstd", "configuration": { "level": 0, "checksum": false } }], "header_bits": 8 } }
//! ```

use std::borrow::Cow;

use super::BytesToBytes;
use crate::codec::kinds::{BytesToBytesCodec, NO_TIME, Named, Size};
use crate::error::{Error, Result};
use crate::metadata::{Extension, Value};

const NAME: &str = Conditional::NAMES[0];

/// Most bits of a header.
const MAX_HEADER_BITS: u64 = 1 << 13;

/// The configuration.
#[derive(Debug, Clone)]
pub(crate) struct Conditional {
    codecs: Vec<BytesToBytes>,
    header_bytes: usize,
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

impl BytesToBytesCodec for Conditional {
    fn parse(extension: &Extension) -> Result<Self> {
        let settings = extension.settings();
        settings.only_fields(&["codecs", "header_bits"])?;
        let list = settings.required("codecs")?;
        let mut codecs = Vec::new();
        for item in list.items()? {
            let mut inner = Extension::parse(item)?;
            if inner.name == "shuffle" {
                inner = registered_shuffle(&inner)?;
            }
            codecs.push(BytesToBytes::parse(&inner)?.ok_or_else(|| Error::Unsupported {
                feature: format!("codec {:?} within {NAME:?}", inner.name),
                reason: format!(
                    "found at {}; its codecs must encode bytes as bytes, and none may have a module of its own or be of \
                     the page",
                    inner.pointer
                ),
            })?);
        }
        // Without codecs the header has no bytes.
        let least = codecs.len() as u64;
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
        Ok(Self { codecs, header_bytes: usize::try_from(header_bits / 8).unwrap_or(usize::MAX) })
    }

    fn encoded_size(&self, decoded: Size) -> Size {
        // Any of the codecs may have been left out, so each may have got the most that those before it give.
        let most = self
            .codecs
            .iter()
            .fold(decoded.limit(), |most, codec| most.max(codec.encoded_size(Size::AtMost(most)).limit()));
        Size::AtMost(most).plus(self.header_bytes)
    }

    fn decoded_rate(&self) -> u64 {
        self.codecs.iter().map(BytesToBytes::decoded_rate).min().unwrap_or(NO_TIME)
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        let Some((header, _)) = encoded.split_at_checked(self.header_bytes) else {
            return Err(Error::codec(
                NAME,
                encoded.len(),
                format!("a header of {} bytes", self.header_bytes),
            ));
        };
        let is_set = |bit: usize| header[bit / 8] >> (bit % 8) & 1 == 1;
        if let Some(bit) = (self.codecs.len()..8 * self.header_bytes).find(|bit| is_set(*bit)) {
            return Err(Error::codec(
                NAME,
                format!("bit {bit} of the header"),
                format!("{} codecs", self.codecs.len()),
            ));
        }
        let mut applied = Vec::new();
        let mut input = size;
        for (_, codec) in self.codecs.iter().enumerate().filter(|(nth, _)| is_set(*nth)) {
            applied.push((codec, input));
            input = codec.encoded_size(input);
        }
        let payload = match encoded {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[self.header_bytes..]),
            Cow::Owned(mut bytes) => {
                bytes.drain(..self.header_bytes);
                Cow::Owned(bytes)
            }
        };
        input.check(NAME, payload.len())?;
        applied.into_iter().rev().try_fold(payload, |bytes, (codec, size)| codec.decode(bytes, size))
    }
}
