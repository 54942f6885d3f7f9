//! Bytes that a store answered with: those of an answer of its own, or of a value in a batch that JavaScript requested
//! from a `Readable`.

use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

use js_sys::{Function, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::js::JsResult;
use crate::js::convert::bytes::{copied, subarray};
use crate::network::{ByteRange, Request};

#[wasm_bindgen(raw_module = "../bridge/batch-sender.js")]
extern "C" {
    /// Store whose values are requested in batches.
    pub(crate) type BatchSender;

    #[wasm_bindgen(constructor)]
    pub(crate) fn new(
        store: &JsValue,
        get: &Function,
        get_range: Option<&Function>,
        answered: &Closure<dyn FnMut(Vec<i32>)>,
        on_request: Option<&Function>,
    ) -> BatchSender;

    #[wasm_bindgen(method)]
    pub(crate) fn ask(this: &BatchSender, keys: &str, ranges: &[f64], most: usize) -> Batch;

    #[wasm_bindgen(method)]
    pub(crate) fn close(this: &BatchSender);

    /// Values that were requested together.
    pub(crate) type Batch;

    #[wasm_bindgen(method)]
    pub(crate) fn states(this: &Batch) -> Vec<i32>;

    #[wasm_bindgen(method)]
    pub(crate) fn answer(this: &Batch, nth: usize) -> JsValue;

    #[wasm_bindgen(method, js_name = isThrown)]
    pub(crate) fn is_thrown(this: &Batch, nth: usize) -> bool;

    #[wasm_bindgen(method)]
    pub(crate) fn abort(this: &Batch, nth: usize);

    #[wasm_bindgen(method)]
    fn copy(this: &Batch, nth: usize, start: u32, buffer: &mut [u8]) -> u32;

    #[wasm_bindgen(method, js_name = copyRow)]
    fn copy_row(this: &Batch, nth: usize, count: usize, buffer: &mut [u8]) -> bool;

    #[wasm_bindgen(method, catch)]
    fn scatter(
        this: &Batch,
        nth: usize,
        start: u32,
        length: u32,
        target: &JsValue,
        walk: &[i32],
    ) -> JsResult<bool>;

    #[wasm_bindgen(method)]
    fn part(this: &Batch, nth: usize, start: u32, length: u32) -> Uint8Array;

    #[wasm_bindgen(method, js_name = toCached)]
    fn to_cached(this: &Batch, nth: usize, start: u32, length: u32) -> Uint8Array;
}

#[wasm_bindgen(raw_module = "../bridge/batch.js")]
extern "C" {
    /// A store's answer as a `Uint8Array` if it is bytes, of any realm; any other answer as it is. Without `catch`, the
    /// module would import the function itself, for which bundlers keep all of the file's names.
    #[wasm_bindgen(catch, js_name = bytesOf)]
    pub(crate) fn bytes_of(answer: &JsValue) -> JsResult<JsValue>;
}

#[wasm_bindgen(raw_module = "../bridge/scatter.js")]
extern "C" {
    #[wasm_bindgen(catch, js_name = scatter)]
    fn scatter_bytes(source: &Uint8Array, target: &JsValue, walk: &[i32]) -> JsResult<()>;
}

/// State of a value of a batch.
pub(crate) enum ValueState {
    Missing,
    /// The answer is a promise that is not settled yet.
    Late,
    /// The store threw an error, or answered with something else than bytes.
    Failed,
    /// Number of bytes that came, and the length of the whole value if it is known.
    There(u32, Option<u32>),
}

impl ValueState {
    /// State from its two numbers in JavaScript: a length or a negative code, and the length of the whole value.
    pub(crate) fn of(length: i32, whole: i32) -> Self {
        match (u32::try_from(length), length) {
            (Ok(length), _) => Self::There(length, u32::try_from(whole).ok()),
            (_, -1) => Self::Missing,
            (_, -2) => Self::Late,
            _ => Self::Failed,
        }
    }
}

/// Requests of a batch, in the form in which JavaScript takes them.
#[derive(Default)]
pub(crate) struct ValueRequests {
    keys: String,
    ranges: Vec<f64>,
}

impl ValueRequests {
    /// Adds the requests of one flight: one, or a run of `count` whose keys end with consecutive numbers.
    #[expect(clippy::cast_precision_loss, reason = "values of stores are shorter than 2^53 bytes")]
    pub(crate) fn add(&mut self, flight: u64, request: &Request, count: usize) {
        self.keys.push_str(&request.key);
        self.keys.push('\0');
        let (offset, length) = match &request.range {
            // Only HTTP stores get requests for all bytes from an offset on.
            ByteRange::All | ByteRange::From(_) => (0.0, -1.0),
            ByteRange::Span(span) | ByteRange::UpTo(span) => {
                (span.start as f64, (span.end - span.start) as f64)
            }
            ByteRange::Suffix(bytes) => (-1.0, *bytes as f64),
        };
        self.ranges.extend([flight as f64, count as f64, offset, length]);
    }

    /// Sends the requests, until `most` values are late.
    pub(crate) fn send(&self, source: &BatchSender, most: usize) -> Rc<Batch> {
        Rc::new(source.ask(&self.keys, &self.ranges, most))
    }
}

/// Bytes that a store answered with.
#[derive(Clone)]
pub(crate) enum StoredBytes {
    /// A typed array.
    Array(Uint8Array),
    /// Bytes of a value of a batch.
    InBatch(BatchBytes),
}

/// Bytes of a value of a batch.
#[derive(Clone)]
pub(crate) struct BatchBytes {
    batch: Rc<Batch>,
    /// Number of the value.
    nth: usize,
    /// Where the bytes start in the value.
    start: u32,
    length: u32,
}

impl StoredBytes {
    pub(crate) fn length(&self) -> u32 {
        match self {
            Self::Array(bytes) => bytes.length(),
            Self::InBatch(value) => value.length,
        }
    }

    /// A part of the bytes, clipped to their length.
    pub(crate) fn part(&self, part: Range<u64>) -> Self {
        match self {
            Self::Array(bytes) => Self::Array(subarray(bytes, part)),
            Self::InBatch(value) => {
                let bound = |at: u64| u32::try_from(at).unwrap_or(u32::MAX).min(value.length);
                let [from, to] = [part.start, part.end].map(bound);
                let (start, length) = (value.start + from, to.saturating_sub(from));
                Self::InBatch(BatchBytes { batch: Rc::clone(&value.batch), nth: value.nth, start, length })
            }
        }
    }

    /// All bytes as a typed array, without a copy.
    pub(crate) fn array(&self) -> Uint8Array {
        match self {
            Self::Array(bytes) => bytes.clone(),
            Self::InBatch(BatchBytes { batch, nth, start, length }) => batch.part(*nth, *start, *length),
        }
    }

    /// Copy of the bytes in WebAssembly's memory.
    pub(crate) fn to_vec(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        let length = self.copy_to(&mut bytes);
        bytes.truncate(length);
        bytes
    }

    /// Array of the bytes for a cache: a copy where they are less than half of their buffer.
    pub(crate) fn to_cached(&self) -> Uint8Array {
        match self {
            Self::Array(bytes) if bytes.length() >= bytes.buffer().byte_length() / 2 => bytes.clone(),
            Self::Array(bytes) => Uint8Array::new_from_slice(&copied(bytes)),
            Self::InBatch(BatchBytes { batch, nth, start, length }) => batch.to_cached(*nth, *start, *length),
        }
    }

    /// Copies the bytes to the beginning of a buffer, which grows if it is too short; returns the number of bytes
    /// copied, which is less than the length where the store's owner transferred the buffer.
    pub(crate) fn copy_to(&self, buffer: &mut Vec<u8>) -> usize {
        let length = self.length() as usize;
        if buffer.len() < length {
            rectilinear_zarr_kernels::for_speed::resize(buffer, length);
        }
        match self {
            Self::Array(bytes) if length > 0 => bytes.copy_to(&mut buffer[..length]),
            Self::Array(_) => {}
            Self::InBatch(BatchBytes { batch, nth, start, length }) => {
                return batch.copy(*nth, *start, &mut buffer[..*length as usize]) as usize;
            }
        }
        length
    }

    /// Copies words of the bytes to their places in a result; returns whether the bytes still have their length.
    pub(crate) fn scatter(&self, words: &JsValue, walk: &[i32]) -> JsResult<bool> {
        match self {
            Self::Array(bytes) => scatter_bytes(bytes, words, walk).map(|()| true),
            Self::InBatch(BatchBytes { batch, nth, start, length }) => {
                batch.scatter(*nth, *start, *length, words, walk)
            }
        }
    }
}

impl Batch {
    /// Copies `count` values, of `length` bytes together, one after the other to the beginning of a buffer; returns
    /// whether each still has its length.
    pub(crate) fn copy_all(&self, nth: usize, count: usize, length: usize, buffer: &mut [u8]) -> bool {
        buffer.get_mut(..length).is_some_and(|buffer| self.copy_row(nth, count, buffer))
    }
}

/// Values of a batch that belong to one flight.
pub(crate) struct SentValues {
    pub(crate) values: Rc<Values>,
    /// Number of the first value in the batch.
    pub(crate) nth: usize,
    /// The request, or the first request of a run.
    pub(crate) request: Request,
    pub(crate) is_run: bool,
}

/// Values that were requested together: those that came, and those that are late.
pub(crate) struct Values {
    pub(crate) batch: Rc<Batch>,
    states: RefCell<Vec<i32>>,
}

impl Values {
    pub(crate) fn new(batch: Rc<Batch>) -> Self {
        let states = RefCell::new(batch.states());
        Self { batch, states }
    }

    /// The number of values.
    pub(crate) fn len(&self) -> usize {
        self.states.borrow().len() / 2
    }

    /// The `length` bytes of a value that came.
    pub(crate) fn stored(&self, nth: usize, length: u32) -> StoredBytes {
        StoredBytes::InBatch(BatchBytes { batch: Rc::clone(&self.batch), nth, start: 0, length })
    }

    /// State of a value.
    pub(crate) fn state(&self, nth: usize) -> ValueState {
        let states = self.states.borrow();
        ValueState::of(states[2 * nth], states[2 * nth + 1])
    }

    /// Sets the state of a value that was late.
    pub(crate) fn note(&self, nth: usize, state: &[i32]) {
        self.states.borrow_mut()[2 * nth..2 * nth + 2].copy_from_slice(state);
    }

    /// Lengths in bytes of at most `count` values from `nth` on, up to the first that did not come and to `most` bytes
    /// together.
    pub(crate) fn lengths(&self, nth: usize, count: usize, most: usize) -> Vec<u32> {
        let states = self.states.borrow();
        let lengths = states[2 * nth..].iter().step_by(2).take(count);
        let mut total = 0;
        let fits = |length: &u32| {
            total += *length as usize;
            total <= most
        };
        lengths.map_while(|&length| u32::try_from(length).ok()).take_while(fits).collect()
    }
}
