//! Codecs that are others in other words, written as those: `ChunkyCodec`, and `imagecodecs_floatpred` where it
//! makes bytes of an array.

use std::borrow::Cow;

use super::array_to_array::floatpred;
use super::array_to_bytes::bytes;
use super::names::names_by_kind;
use crate::error::{Error, Result};
use crate::metadata::{Extension, Value};

/// The codecs of an array of this rank, without those in other words.
pub(super) fn expanded(codecs: &[Extension], rank: usize) -> Result<Cow<'_, [Extension]>> {
    if codecs.iter().all(|codec| ![bytes::CHUNKY, floatpred::NAME].contains(&codec.name.as_str())) {
        return Ok(Cow::Borrowed(codecs));
    }
    let mut all = Vec::with_capacity(codecs.len() + 2);
    let mut codecs = codecs.iter().peekable();
    while let Some(codec) = codecs.next() {
        match codec.name.as_str() {
            bytes::CHUNKY => {
                let order = (0..rank as u64).rev().collect();
                all.push(codec.replaced("transpose", Value::object([("order", order)])));
                let settings = codec.settings();
                settings.only_fields(&["endian"])?;
                let endian =
                    settings.field("endian").map_or("little".into(), |endian| endian.value().clone());
                all.push(codec.replaced(bytes::NAME, Value::object([("endian", endian)])));
            }
            floatpred::NAME => {
                all.push(codec.clone());
                // It reads bytes as they are stored, whatever byte order the next codec gives to items.
                let little = || Value::object([("endian", "little".into())]);
                match codecs.next_if(|next| !is_of_bytes(&next.name)) {
                    None => all.push(codec.replaced(bytes::NAME, little())),
                    Some(next) if next.name == bytes::NAME => {
                        let is_big =
                            next.settings().field("endian").is_some_and(|field| field.value() == "big");
                        all.push(if is_big { next.replaced(bytes::NAME, little()) } else { next.clone() });
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

/// Whether a codec turns bytes into bytes.
fn is_of_bytes(name: &str) -> bool {
    let [_, _, (_, of_bytes)] = names_by_kind();
    of_bytes.contains(&name)
}
