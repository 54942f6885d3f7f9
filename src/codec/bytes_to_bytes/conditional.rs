//! `conditional`: a header of bits before the payload says which of a list of codecs were applied to the chunk.
//!
//! It refers to [`BytesToBytes`], of which it is one, because its codecs may be any of that kind. Where one of them is in
//! another module, each chunk has stages of its own ([`crate::codec::Stages`]).
//!
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/conditional>
//!
//! ```json
//! { "name": "conditional", "configuration": { "codecs": [{ "name": "zstd", "configuration": { "level": 0, "checksum": false } }], "header_bits": 8 } }
//! ```

use std::borrow::Cow;

use super::BytesToBytes;
use crate::codec::applied::{AppliedCodecs, NAME};
use crate::codec::elsewhere::unsupported;
use crate::codec::kinds::{BytesToBytesCodec, NO_TIME, Size};
use crate::error::{Gather, Result};
use crate::metadata::Extension;

/// The configuration.
#[derive(Debug, Clone)]
pub(crate) struct Conditional {
    listed: AppliedCodecs,
    codecs: Vec<BytesToBytes>,
}

impl BytesToBytesCodec for Conditional {
    fn parse(extension: &Extension) -> Result<Self> {
        let listed = AppliedCodecs::parse(extension)?;
        let parsed = |codec: &Extension| BytesToBytes::parse(codec)?.ok_or_else(|| unsupported(codec));
        let codecs = listed.listed.iter().map(parsed).gathered()?;
        Ok(Self { listed, codecs })
    }

    fn encoded_size(&self, decoded: Size) -> Size {
        // Any of the codecs may have been left out, so each may have got the most that those before it give.
        let most = self
            .codecs
            .iter()
            .fold(decoded.limit(), |most, codec| most.max(codec.encoded_size(Size::AtMost(most)).limit()));
        Size::AtMost(most).plus(self.listed.header_bytes)
    }

    fn decoded_rate(&self) -> u64 {
        self.codecs.iter().map(BytesToBytes::decoded_rate).min().unwrap_or(NO_TIME)
    }

    fn decode<'a>(&self, encoded: Cow<'a, [u8]>, size: Size) -> Result<Cow<'a, [u8]>> {
        let mut applied = Vec::new();
        let mut input = size;
        let is_applied = self.listed.applied(&encoded)?;
        for (codec, _) in self.codecs.iter().zip(is_applied).filter(|(_, is_applied)| *is_applied) {
            applied.push((codec, input));
            input = codec.encoded_size(input);
        }
        let header_bytes = self.listed.header_bytes;
        let payload = match encoded {
            Cow::Borrowed(bytes) => Cow::Borrowed(&bytes[header_bytes..]),
            Cow::Owned(mut bytes) => {
                bytes.drain(..header_bytes);
                Cow::Owned(bytes)
            }
        };
        input.check(NAME, payload.len())?;
        applied.into_iter().rev().try_fold(payload, |bytes, (codec, size)| codec.decode(bytes, size))
    }
}
