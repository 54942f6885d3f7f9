//! `bitround`: numbers rounded to a number of mantissa bits; decoding leaves them unchanged.
//!
//! Spec: <https://github.com/zarr-developers/zarr-extensions/tree/main/codecs/bitround>
//!
//! ```json
//! { "name": "bitround", "configuration": { "keepbits": 10 } }
//! ```

use crate::codec::kinds::{ArrayToArrayCodec, ByteOrderUse, ChunkShapes, CodecInput, Named};
use crate::error::{Error, Result};
use crate::metadata::{Extension, Kind};
use crate::output::Decoded;

const NAME: &str = BitRound::NAMES[0];
const NUMCODECS_NAME: &str = BitRound::NAMES[1];

/// The codec, which has nothing to undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BitRound;

impl ArrayToArrayCodec for BitRound {
    const BYTE_ORDER: ByteOrderUse = ByteOrderUse::Keeps;

    fn parse(extension: &Extension, input: &CodecInput) -> Result<(Self, CodecInput)> {
        check(extension, input).map(|()| (Self, input.clone()))
    }

    fn decoded_strides(&self, encoded: &[usize]) -> Option<Vec<usize>> {
        Some(encoded.to_vec())
    }

    fn decode<'a>(&self, chunk: Decoded<'a>, _: ChunkShapes<'_>) -> Result<Decoded<'a>> {
        Ok(chunk)
    }
}

/// Checks the configuration, and that the data type can be rounded.
fn check(extension: &Extension, input: &CodecInput) -> Result<()> {
    let settings = extension.settings();
    settings.only_fields(&["keepbits"])?;
    // numcodecs allows 0 bits of the mantissa.
    settings.required("keepbits")?.integer(u64::from(extension.name == NAME))?;
    let kind = input.data_type.kind();
    if extension.name == NUMCODECS_NAME && matches!(kind, Kind::Complex(_) | Kind::Time { .. }) {
        return Err(Error::Unsupported {
            feature: format!("codec {NUMCODECS_NAME:?} of {}", input.data_type.name()),
            reason: format!("met at {}; numcodecs rounds floats only", extension.pointer),
        });
    }
    match kind {
        Kind::Int | Kind::UInt | Kind::Float | Kind::MiniFloat(_) | Kind::Complex(_) | Kind::Time { .. } => {
            Ok(())
        }
        _ => {
            let name = &extension.name;
            let reason = format!("{name} cannot decode {}: expected numbers", input.data_type.name());
            Err(Error::metadata(extension.pointer.as_str(), reason))
        }
    }
}
