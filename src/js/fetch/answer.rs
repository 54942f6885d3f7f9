//! Answers of a store, and the callbacks that take them.

use std::rc::Rc;

use js_sys::Uint8Array;

use crate::js::JsResult;
use crate::js::stores::batch_values::Values;
use crate::js::stores::readable_source::StoredBytes;
use crate::js::stores::store::Bytes;
use crate::network::ByteRange;

/// The bytes of an answer, or of a part of it.
#[derive(Clone)]
pub(crate) struct Answered {
    pub(crate) bytes: StoredBytes,
    /// Whether the bytes are the whole value although a part of it was requested.
    pub(crate) is_whole: bool,
    /// Length of the whole value in bytes, if it is known.
    pub(crate) whole: Option<u32>,
}

/// Answer to a request; `None` where nothing is stored.
pub(crate) type Fetched = JsResult<Option<Answered>>;

/// Data that came for a request, or for a run of requests.
pub(crate) enum Arrival<'a> {
    /// The answer, and the offset of the requested bytes in it.
    Answer(u64, &'a Fetched),
    /// Values of a run: the number of the first one in its batch (`nth`) and in the run (`place`), and their count.
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
    /// Requested bytes from a cache.
    pub(crate) fn of_array(bytes: Uint8Array) -> Self {
        Self { bytes: StoredBytes::Array(bytes), is_whole: false, whole: None }
    }

    /// The bytes of `range`, which start at `start` in the answer; a whole value stays whole.
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
