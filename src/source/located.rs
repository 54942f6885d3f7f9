//! Locations of many keys at once, as JSON: what references to a file's chunks are written from.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::{ByteLocation, InputRequest, Resolution, VirtualStore};
use crate::error::Result;
use crate::metadata::Value;

/// Start of the question; the keys follow it, one a line.
const QUESTION: &str = "locate\n";

/// Bytes of a question that are asked for at once, about: a quarter of what is kept of a file.
const ASKED: u64 = 16 << 20;

/// Bytes of values that are no ranges of a file, beyond which an answer ends before the last key.
const INLINE: usize = 8 << 20;

/// Bytes of such values, up to which more is asked for before an answer.
const FEW: usize = 1 << 20;

/// Answers a question that is not about one key: where the keys that follow `locate` are, or one of the store's own.
///
/// # Errors
/// As [`VirtualStore::find`] and [`VirtualStore::answer`].
pub fn answered(store: &mut dyn VirtualStore, question: &str) -> Result<Resolution> {
    match question.strip_prefix(QUESTION) {
        Some(keys) => located(store, keys),
        None => store.answer(question),
    }
}

/// Looks up keys, one a line, in their order; asks for what any of them needs in one round.
///
/// The answer is a list of the first keys' locations, of at least one: null, `[url, start, end]`, `[url]` for a whole file,
/// or text that begins with `base64:`. A URL is empty for the store's own file.
fn located(store: &mut dyn VirtualStore, keys: &str) -> Result<Resolution> {
    let (mut places, mut inline) = (Vec::new(), 0);
    let (mut needs, mut asked) = (Vec::<InputRequest>::new(), 0);
    for key in keys.lines() {
        match store.find(key)? {
            Resolution::Place(place) => {
                // Beyond a key that is not known, places are looked up again.
                if needs.is_empty() {
                    inline += if let ByteLocation::Inline(bytes) = &place { bytes.len() } else { 0 };
                    places.push(listed(place));
                }
                if inline > INLINE {
                    break;
                }
            }
            Resolution::Needs(more) => {
                // What of the file was read for those values could be dropped for what follows.
                if needs.is_empty() && inline > FEW {
                    break;
                }
                for need in more {
                    if !needs.contains(&need) {
                        asked += need.length().unwrap_or(ASKED);
                        needs.push(need);
                    }
                }
                if asked > ASKED {
                    break;
                }
            }
        }
    }
    if needs.is_empty() {
        let answer = Value::Array(places).to_string();
        return Ok(Resolution::Place(ByteLocation::Inline(answer.into_bytes())));
    }
    Ok(Resolution::Needs(needs))
}

/// A location as JSON.
fn listed(place: ByteLocation) -> Value {
    let part = |url: String, start: u64, end: u64| {
        Value::list([Value::from(url.as_str()), start.into(), end.into()])
    };
    match place {
        ByteLocation::Missing => Value::Null,
        ByteLocation::Inline(bytes) => format!("base64:{}", STANDARD.encode(bytes)).into(),
        ByteLocation::File { url, span: None } => Value::list([Value::from(url.as_str())]),
        ByteLocation::File { url, span: Some(span) } | ByteLocation::Object { url, span, .. } => {
            part(url, span.start, span.end)
        }
    }
}
