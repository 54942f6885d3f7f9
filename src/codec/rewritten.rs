//! Aliases: `ChunkyCodec`, and `imagecodecs_floatpred` where it makes bytes of an array, as the codecs that they stand for.

use std::borrow::Cow;

use crate::error::{Error, Result};
use crate::metadata::{CodecKind, Extension, Value, codec_kind};

/// virtual-tiff's codec of pixels with several samples: items in Fortran order.
const CHUNKY: &str = "ChunkyCodec";
const FLOATPRED: &str = "imagecodecs_floatpred";
const BYTES: &str = "bytes";

/// The codecs of an array of this rank, without aliases.
pub(super) fn rewritten(codecs: &[Extension], rank: usize) -> Result<Cow<'_, [Extension]>> {
    if codecs.iter().all(|codec| ![CHUNKY, FLOATPRED].contains(&codec.name.as_str())) {
        return Ok(Cow::Borrowed(codecs));
    }
    let mut all = Vec::with_capacity(codecs.len() + 2);
    let mut codecs = codecs.iter().peekable();
    while let Some(codec) = codecs.next() {
        match codec.name.as_str() {
            CHUNKY => {
                let order = (0..rank as u64).rev().collect();
                all.push(codec.replaced("transpose", Value::object([("order", order)])));
                let settings = codec.settings();
                settings.only_fields(&["endian"])?;
                let endian =
                    settings.field("endian").map_or("little".into(), |endian| endian.value().clone());
                all.push(codec.replaced(BYTES, Value::object([("endian", endian)])));
            }
            FLOATPRED => {
                all.push(codec.clone());
                // It reads bytes as they are stored, whatever byte order the next codec gives to items.
                let little = || Value::object([("endian", "little".into())]);
                match codecs.next_if(|next| codec_kind(&next.name) != Some(CodecKind::BytesToBytes)) {
                    None => all.push(codec.replaced(BYTES, little())),
                    Some(next) if next.name == BYTES => {
                        let is_big =
                            next.settings().field("endian").is_some_and(|field| field.value() == "big");
                        all.push(if is_big { next.replaced(BYTES, little()) } else { next.clone() });
                    }
                    Some(next) => {
                        return Err(Error::Unsupported {
                            feature: format!("codec {:?} before {:?}", codec.name, next.name),
                            reason: format!(
                                "met at {}; expected \"bytes\" after it, or codecs from bytes to bytes",
                                next.pointer
                            ),
                        });
                    }
                }
            }
            _ => all.push(codec.clone()),
        }
    }
    Ok(Cow::Owned(all))
}
