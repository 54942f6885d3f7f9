//! Chunks that are decoded where arrays are read, as their codecs are not in this module.
//!
//! Texts and lists of any length are references in chunks, so what they refer to is known only once their chunk is decoded.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;

use crate::metadata::Value;
use crate::network::ByteRange;
use crate::source::{Encoding, InputRequest};

/// Bit of the numbers of these inputs, whose other bits are the place in the file; those of pages are lower.
const MARK: u64 = 1 << 52;

/// Most bytes that are kept: 48 MiB, more than those of the chunks that are located in one round.
const MOST_KEPT: usize = 48 << 20;

/// Decoded chunks, of which the oldest are dropped; they are asked for again.
#[derive(Default)]
pub(super) struct DecodedChunks {
    chunks: HashMap<u64, Rc<[u8]>>,
    /// Numbers of the chunks, the oldest first.
    order: VecDeque<u64>,
    bytes: usize,
}

impl DecodedChunks {
    /// Whether an input of this number is a decoded chunk.
    pub(super) fn has_number(number: u64) -> bool {
        number & MARK != 0
    }

    /// The decoded chunk at an offset of the file.
    pub(super) fn get(&self, offset: u64) -> Option<Rc<[u8]>> {
        self.chunks.get(&(MARK | offset)).map(Rc::clone)
    }

    /// The request for a chunk of `size` bytes, which these codecs decode to `bytes` bytes.
    pub(super) fn request(offset: u64, size: u64, bytes: u64, codecs: Vec<Value>) -> InputRequest {
        let shape = || Value::list([bytes.into()]);
        let grid = Value::object([
            ("name", "regular".into()),
            ("configuration", Value::object([("chunk_shape", shape())])),
        ]);
        let mut all = vec![Value::object([("name", "bytes".into())])];
        all.extend(codecs);
        let document = Value::object([
            ("zarr_format", 3_u64.into()),
            ("node_type", "array".into()),
            ("shape", shape()),
            ("data_type", "uint8".into()),
            ("chunk_grid", grid),
            ("chunk_key_encoding", Value::object([("name", "default".into())])),
            ("fill_value", 0_u64.into()),
            ("codecs", Value::Array(all)),
        ]);
        let range = ByteRange::Span(offset..offset.saturating_add(size));
        let encoding = Some(Encoding { document: document.to_string(), bytes });
        InputRequest { encoding, ..InputRequest::plain(MARK | offset, String::new(), range) }
    }

    /// Keeps a decoded chunk.
    pub(super) fn provide(&mut self, number: u64, chunk: &[u8]) {
        self.bytes += chunk.len();
        match self.chunks.insert(number, chunk.into()) {
            Some(former) => self.bytes -= former.len(),
            None => self.order.push_back(number),
        }
        while self.bytes > MOST_KEPT && self.order.len() > 1 {
            let oldest = self.order.pop_front().and_then(|number| self.chunks.remove(&number));
            self.bytes -= oldest.map_or(0, |chunk| chunk.len());
        }
    }
}
