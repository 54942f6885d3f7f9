//! What an array has decoded by workers, and what it decodes itself.
//!
//! Invariant: where a chunk is decoded changes neither the items nor the errors.

use std::cell::OnceCell;
use std::rc::Rc;

use js_sys::{TypeError, Uint8Array};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use super::JsResult;
use super::content::Done;
use super::parcels::Packed;
use super::pool::Pool;
use super::value::{field, number, shown};
use crate::read::{Array, Job};

/// The most workers that are started unless the caller says otherwise.
///
/// The reason: each takes some megabytes, and putting chunks in their places is left to this thread, which keeps up with
/// about so many.
const MOST: u32 = 4;

/// The most workers that a caller may ask for.
const LIMIT: u64 = 64;

/// Bytes of chunks, decoded, that have to be on their way at once for workers to be started, or used once they are.
///
/// Measured: a worker is ready some 100 ms after it was asked for, and a chunk takes 0.2 ms longer by way of it than here,
/// where gzip takes 1.4 ms for 256 KiB, and 5.6 for 1 MiB.
#[derive(Clone, Copy)]
struct Line {
    start: u64,
    send: u64,
}

/// Unless the caller says otherwise.
const LINE: Line = Line { start: 8 << 20, send: 512 << 10 };

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(thread_local_v2, js_namespace = navigator, js_name = hardwareConcurrency)]
    static PROCESSORS: Option<u32>;
}

/// How many workers an array may have, and from which line on.
#[derive(Clone, Copy)]
pub(super) struct Wish {
    count: usize,
    line: Line,
}

impl Wish {
    /// The option `workers`.
    pub(super) fn parse(options: &JsValue) -> JsResult<Self> {
        let value = field(options, "workers");
        if value.is_undefined() || value.is_null() || value.as_string().is_some_and(|text| text == "auto") {
            let count = PROCESSORS.with(|processors| processors.unwrap_or(1)).clamp(1, MOST);
            return Ok(Self { count: count as usize, line: LINE });
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "an integer up to 64")]
        match value.as_f64().filter(|count| count.fract() == 0.0 && (0.0..=number(LIMIT)).contains(count)) {
            Some(count) => Ok(Self { count: count as usize, line: Line { start: 0, send: 0 } }),
            None => {
                let message = format!(
                    "the option workers is \"auto\" or an integer from 0 to {LIMIT}, not {}",
                    shown(&value)
                );
                Err(TypeError::new(&message).into())
            }
        }
    }
}

/// An array's share in the page's workers.
pub(super) struct Workers {
    pool: Rc<Pool>,
    line: Line,
    description: OnceCell<Rc<Vec<u8>>>,
}

/// Counts a chunk among those on their way.
pub(super) struct Expected<'a> {
    pool: &'a Pool,
    bytes: u64,
}

impl Drop for Expected<'_> {
    fn drop(&mut self) {
        self.pool.expected.set(self.pool.expected.get().saturating_sub(self.bytes));
    }
}

impl Workers {
    /// Nothing where the caller wants none, or there can be none.
    pub(super) fn new(wish: Wish) -> Option<Self> {
        let pool = Pool::shared(wish.count)?;
        Some(Self { pool, line: wish.line, description: OnceCell::new() })
    }

    /// Whether a read of chunks of so many bytes is to go the way that workers have a part in.
    pub(super) fn are_for(&self, bytes: u64) -> bool {
        bytes >= self.line.start
    }

    /// Counts a chunk of so many bytes among those on their way.
    pub(super) fn expect(&self, bytes: u64) -> Expected<'_> {
        self.pool.expected.set(self.pool.expected.get().saturating_add(bytes));
        Expected { pool: &self.pool, bytes }
    }

    /// Has a job done by a worker; nothing where it is better done here.
    pub(super) async fn decode(
        &self,
        array: &Array,
        job: Job<'_>,
        encoded: &Uint8Array,
        bytes: u64,
    ) -> Option<Done> {
        let expected = self.pool.expected.get();
        if expected >= self.line.start {
            self.pool.fill();
        }
        if !self.pool.is_ready() || (expected < self.line.send && self.pool.is_idle()) {
            return None;
        }
        let description = self.description.get_or_init(|| Rc::new(array.description()));
        self.pool.run(Packed::new(description, job, encoded), bytes).await
    }
}
