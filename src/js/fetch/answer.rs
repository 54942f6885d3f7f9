//! Answers of a store, and the callbacks that take them.

use std::rc::Rc;

use js_sys::Uint8Array;

use crate::js::JsResult;
use crate::js::stores::batch_values::Values;
use crate::js::stores::readable_source::StoredBytes;
use crate::js::stores::store::Bytes;
use crate::source::ByteRange;

/// The bytes of an answer, or of a part of it.
#[derive(Clone)]
pub(crate) struct Answered {
    pub(crate) bytes: StoredBytes,
    /// Whether they are all of a value of which a part was asked for.
    pub(crate) is_whole: bool,
    /// Length of the whole value, where it is known.
    pub(crate) whole: Option<u32>,
}

/// An answer; nothing where nothing is stored.
pub(crate) type Fetched = JsResult<Option<Answered>>;

/// Data that came for a request, or for a run of requests.
pub(crate) enum Arrival<'a> {
    /// The answer, and the place in it where the bytes that were asked for start.
    Answer(u64, &'a Fetched),
    /// Values of a run: the first of them in their batch and in the run, and how many they are.
    Values { values: &'a Rc<Values>, nth: usize, place: usize, count: usize },
}

/// Callback of a request or a run of requests.
pub(crate) type Waiter = Rc<dyn Fn(Arrival<'_>)>;

impl From<Bytes> for Answered {
    fn from(bytes: Bytes) -> Self {
        let is_whole = matches!(bytes, Bytes::Whole(_));
        let (Bytes::Asked(bytes) | Bytes::Whole(bytes)) = bytes;
        Self { bytes: StoredBytes::Array(bytes), is_whole, whole: None }
    }
}

impl Answered {
    /// Bytes that were asked for, as they were kept.
    pub(crate) fn of_array(bytes: Uint8Array) -> Self {
        Self { bytes: StoredBytes::Array(bytes), is_whole: false, whole: None }
    }

    /// The bytes that were asked for, which start there; of a whole value, all of it.
    pub(crate) fn part(&self, start: u64, range: &ByteRange) -> Self {
        match range {
            ByteRange::Span(span) if !self.is_whole => {
                let length = span.end - span.start;
                if start == 0 && length == u64::from(self.bytes.length()) {
                    return self.clone();
                }
                Self { bytes: self.bytes.part(start..start + length), ..*self }
            }
            _ => self.clone(),
        }
    }
}
