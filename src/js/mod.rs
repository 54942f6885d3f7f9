//! The JavaScript side: the only room that names a WebAssembly crate, and the only one with `async`.
//!
//! It fetches what the planner asks for and turns finished bytes into typed arrays. Invariants: no
//! view of WebAssembly memory is handed out, no borrow is held across an await (methods clone an `Rc` and
//! return a `Promise`), every rejection is one of the errors of the public contract or `signal.reason`.
//!
//! The JavaScript files beside this one are what must be JavaScript: when to compile the module.

mod abort;
mod address;
mod array;
mod background;
mod caches;
mod chunk_grid;
mod content;
mod decoder;
mod destination;
mod engine;
mod engine_values;
mod engine_wants;
mod error;
mod exchange;
mod family;
mod fetched;
mod form;
mod group;
mod http;
mod in_flight;
mod joining;
mod listing;
mod mailbox;
mod modules;
mod network;
mod numbers;
mod objects;
mod open;
mod open_settings;
mod opening;
mod option;
mod options;
mod origin_pool;
mod parcels;
mod parts;
mod persisted;
mod planned;
mod pool;
mod pool_returns;
mod probe;
mod progress;
mod promise;
mod rare;
mod read;
mod read_context;
mod readable;
mod readable_source;
mod reader;
mod readers;
mod reads;
mod region;
mod report;
mod request_handle;
mod run;
mod scatter;
mod selection;
mod store;
mod store_bytes;
mod stream;
mod system;
mod tell;
mod texture;
mod timer;
mod times;
mod told;
mod transfer;
mod transfer_events;
mod typed_array;
mod value;
mod values;
mod virtual_source;
mod waiting;
mod worker;
mod workers;

/// What can be thrown: a value that JavaScript gave, or an error of ours turned into one.
type JsResult<T> = Result<T, wasm_bindgen::JsValue>;
