//! Virtual stores module: looks up the locations of Zarr keys in kerchunk, Icechunk and cfdb, and does nothing else.
//!
//! Invariant: it fetches nothing. Its inputs are provided, and only bytes, text, numbers and plain options cross.
#![cfg(target_arch = "wasm32")]

use rectilinear_zarr::error::{Error, Result};
use rectilinear_zarr::source::{ByteLocation, Resolution, VirtualStore, system};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A virtual store and the inputs that it was provided, or the error of opening it.
#[wasm_bindgen]
#[derive(Debug)]
pub struct VirtualIndex(Result<Box<dyn VirtualStore>>);

/// Creates the virtual store of a format, with the caller's options.
#[wasm_bindgen(js_name = virtualIndex)]
#[must_use]
pub fn virtual_index(format: &str, options: JsValue) -> VirtualIndex {
    let options = serde_wasm_bindgen::from_value(options).map_err(|error| Error::Unsupported {
        feature: format!("the given options for format {format:?}"),
        reason: error.to_string(),
    });
    VirtualIndex(options.and_then(|options| system(format, &options)))
}

#[wasm_bindgen]
impl VirtualIndex {
    /// Packed requests for the inputs that every look-up needs.
    pub fn needs(&mut self) -> Vec<u8> {
        let needs = self.system().and_then(VirtualStore::needs);
        Resolution::packed(&needs.map(Resolution::Needs))
    }

    /// Looks up the location of a key's bytes; returns a packed [`Resolution`].
    pub fn find(&mut self, key: &str) -> Vec<u8> {
        let found = self.system().and_then(|system| system.find(key));
        Resolution::packed(&found)
    }

    /// Lists `snapshots` or `refs`; returns a packed [`Resolution`].
    pub fn answer(&mut self, question: &str) -> Vec<u8> {
        let found = self.system().and_then(|system| system.answer(question));
        Resolution::packed(&found)
    }

    /// A copy without the inputs that may have changed.
    #[must_use]
    pub fn anew(&mut self) -> VirtualIndex {
        VirtualIndex(self.system().map(|system| system.anew()))
    }

    /// Provides the input of this number; returns a packed [`Resolution`] that is an error or empty.
    pub fn provide(&mut self, number: f64, bytes: Option<Vec<u8>>) -> Vec<u8> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "numbers of inputs are below 2^53"
        )]
        let number = number as u64;
        let provided = self.system().and_then(|system| system.provide(number, bytes.as_deref()));
        Resolution::packed(&provided.map(|()| Resolution::Place(ByteLocation::Missing)))
    }
}

impl VirtualIndex {
    fn system(&mut self) -> Result<&mut (dyn VirtualStore + 'static)> {
        match &mut self.0 {
            Ok(system) => Ok(&mut **system),
            Err(error) => Err(error.clone()),
        }
    }
}
