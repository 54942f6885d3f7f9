//! Custom codecs: those of the page's registry and of an array's own that decode the array.

use js_sys::{Array as List, Promise};
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::js::JsResult;
use crate::js::convert::value::json;
use crate::js::support::loading::module;
use crate::metadata::{ArrayMetadata, Value};

#[wasm_bindgen(raw_module = "../codecs/registry.js")]
extern "C" {
    /// Whether the page has registered any codec.
    // Imports that need no glue would be looked for in the file by names that the build shortens: `catch` gives it glue.
    #[wasm_bindgen(catch, js_name = isUsed)]
    fn is_used() -> JsResult<bool>;
}

#[wasm_bindgen]
extern "C" {
    /// Finder of codecs (`src/web/codecs/custom-stages.js`).
    type Finder;

    #[wasm_bindgen(method, catch, js_name = customCodecs)]
    fn find(
        this: &Finder,
        query: &JsValue,
        registry: &JsValue,
        is_older: bool,
        fill: &JsValue,
    ) -> JsResult<Promise>;

    /// The codecs of one array.
    #[derive(Clone)]
    pub(crate) type CustomCodecs;

    /// The entries that stand for them, as JSON.
    #[wasm_bindgen(method, getter)]
    fn entries(this: &CustomCodecs) -> String;

    /// Their names in the metadata; in Zarr v2, with the prefix `numcodecs.`.
    #[wasm_bindgen(method, getter)]
    pub(crate) fn names(this: &CustomCodecs) -> List;
}

impl CustomCodecs {
    /// Whether an array may have custom codecs: a registry has some.
    pub(crate) fn may_decode(metadata: &ArrayMetadata, registry: &JsValue) -> JsResult<bool> {
        // Items of no size have a type that nobody has.
        Ok(metadata.data_type.item_size() > 0 && (!registry.is_undefined() || is_used()?))
    }

    /// Finds the codecs of an array; `None` where all are this package's, or nobody's. `fill` is the fill value as written.
    pub(crate) async fn found(
        metadata: &ArrayMetadata,
        registry: &JsValue,
        fill: &JsValue,
    ) -> JsResult<Option<Self>> {
        if !Self::may_decode(metadata, registry)? {
            return Ok(None);
        }
        let finder: Finder = module("custom").await?;
        let is_older = metadata.zarr_format == 2;
        let finding = finder.find(&json(&metadata.codecs_query()), registry, is_older, fill)?;
        let found = JsFuture::from(finding).await?;
        Ok(if found.is_undefined() { None } else { Some(found.unchecked_into()) })
    }

    /// The metadata with the entries that stand for the codecs.
    pub(crate) fn placed(&self, metadata: ArrayMetadata) -> ArrayMetadata {
        let entries = Value::parse(self.entries().as_bytes()).unwrap_or_default();
        ArrayMetadata { refusal: None, ..metadata }.with_custom(&entries)
    }
}
