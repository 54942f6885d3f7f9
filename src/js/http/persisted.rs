//! Persistent cache of bytes, in a named cache of the browser's Cache API.
//!
//! Invariant: an entry serves only the range of the address for which it was stored; of an original file, whose parts say
//! where others lie, only that range of the same version of the file.

use js_sys::{Promise, Uint8Array};
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_futures::JsFuture;

use crate::network::ByteRange;

#[wasm_bindgen(raw_module = "../fetch/persisted.js")]
extern "C" {
    /// A persistent cache: of the values of a source, or of one file, whose version is the end of addresses.
    pub(crate) type Persisted;

    #[wasm_bindgen(constructor)]
    fn new(name: &str, version: Option<&str>) -> Persisted;

    #[wasm_bindgen(method, getter)]
    fn name(this: &Persisted) -> String;

    #[wasm_bindgen(method, getter)]
    fn version(this: &Persisted) -> Option<String>;

    /// Tells the version of the file from others, by what its host says of it and by its first bytes.
    #[wasm_bindgen(method)]
    pub(crate) fn tell(this: &Persisted, said: &str, head: &Uint8Array);

    #[wasm_bindgen(method)]
    fn find(this: &Persisted, address: &str) -> Promise;

    /// Stores bytes, without waiting for the end.
    #[wasm_bindgen(method)]
    pub(crate) fn keep(this: &Persisted, address: &str, bytes: &Uint8Array) -> Promise;

    #[wasm_bindgen(method)]
    fn clear(this: &Persisted) -> Promise;
}

impl Persisted {
    /// The cache of this name, of the values of a source.
    pub(crate) fn of_source(name: &str) -> Self {
        Self::new(name, Some(""))
    }

    /// Makes a cache of this name for one original file, whose version [`Persisted::tell`] is yet to say.
    pub(crate) fn of_file(&self) -> Self {
        Self::new(&self.name(), None)
    }

    /// The address under which a range of a value is cached; `None` while the version of its file is not known.
    pub(crate) fn address(&self, url: &str, range: &ByteRange) -> Option<String> {
        Some(address(url, range) + &self.version()?)
    }

    /// The bytes that are cached under an address, if there are any.
    pub(crate) async fn get(&self, address: &str) -> Option<Uint8Array> {
        JsFuture::from(self.find(address)).await.ok()?.dyn_into().ok()
    }

    /// Deletes the cache.
    pub(crate) async fn delete(&self) {
        let _ = JsFuture::from(self.clear()).await;
    }
}

/// The address under which a range is cached. The Cache API rejects partial responses, so the range is in the query.
fn address(url: &str, range: &ByteRange) -> String {
    let part = match range {
        ByteRange::All => return url.to_owned(),
        ByteRange::Span(span) | ByteRange::UpTo(span) => format!("{}-{}", span.start, span.end),
        ByteRange::From(start) => format!("{start}-"),
        ByteRange::Suffix(bytes) => format!("-{bytes}"),
    };
    let mark = if url.contains('?') { '&' } else { '?' };
    format!("{url}{mark}rectilinear-zarr-bytes={part}")
}
