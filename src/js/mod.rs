//! Bindings to JavaScript: the only folder that uses WebAssembly crates, and the only one with `async`.
//!
//! It fetches the bytes that the planner requests, and turns decoded chunks into typed arrays. Invariants:
//! JavaScript reads and writes WebAssembly memory only through views that wasm-bindgen makes of `&[u8]` and `&mut [u8]`,
//! and only until the call that got them returns; no borrow is held across an await (methods clone an `Rc` and return a
//! `Promise`); every rejection is one of the public errors or `signal.reason`.
//!
//! Its folders, in dependency order; each uses those before it:
//!
//! - `convert`: conversion between JavaScript values and Rust values.
//! - `support`: promises, aborts, time, errors, the loading of modules.
//! - `http`: one HTTP exchange.
//! - `stores`: one store, be it a host, a `Readable` or a virtual store, and its requests in flight.
//! - `virtual_store`: stores whose values are byte ranges in files of other stores.
//! - `workers`: decoding in workers and in the module of extra codecs.
//! - `options`: parsing and checks of callers' options.
//! - `chunks`: one array's chunks: caches, requests in flight, decoders.
//! - `open`: from an address to a store and a hierarchy.
//! - `output`: results, as typed arrays or as parts of a stream.
//! - `run`: the loop of one read.
//! - `class`: the classes that JavaScript holds.

mod chunks;
mod class;
mod convert;
mod http;
mod open;
mod options;
mod output;
mod run;
mod stores;
mod support;
mod virtual_store;
mod workers;

/// Result whose error can be thrown: a value that JavaScript threw, or a converted [`crate::Error`].
type JsResult<T> = Result<T, wasm_bindgen::JsValue>;
