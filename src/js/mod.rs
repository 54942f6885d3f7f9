//! The JavaScript side: the only room that names a WebAssembly crate, and the only one with `async`.
//!
//! It fetches what the planner asks for and turns finished bytes into typed arrays. Invariants: no
//! view of WebAssembly memory is handed out, no borrow is held across an await (methods clone an `Rc` and
//! return a `Promise`), every rejection is one of the errors of the public contract or `signal.reason`.
//!
//! Its rooms, in dependency order; each uses the rooms before it:
//!
//! - `convert`: values of JavaScript to Rust's and back.
//! - `support`: promises, aborts, time, errors, the loading of modules.
//! - `http`: one HTTP exchange at a time.
//! - `stores`: hosts and `Readable`s behind one face.
//! - `fetch`: the driver of one store's requests.
//! - `virtual_store`: stores whose values lie in files of other stores.
//! - `workers`: decoding in workers and in the module of extra codecs.
//! - `options`: what callers ask for, checked.
//! - `sources`: one array's chunks: caches, requests under way, decoders.
//! - `open`: an address becomes a store and a hierarchy.
//! - `output`: results, as typed arrays or as parts of a stream.
//! - `run`: the loop of one read.
//! - `class`: the classes that JavaScript holds.

mod class;
mod convert;
mod fetch;
mod http;
mod open;
mod options;
mod output;
mod run;
mod sources;
mod stores;
mod support;
mod virtual_store;
mod workers;

/// Result whose error can be thrown: a value that JavaScript gave, or an error of ours turned into one.
type JsResult<T> = Result<T, wasm_bindgen::JsValue>;
