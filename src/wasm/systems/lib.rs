//! Virtual stores module: looks up the locations of Zarr keys in kerchunk, Icechunk and cfdb, and does nothing else.
//!
//! Invariant: it fetches nothing. Its inputs are provided, and only bytes, text, numbers and plain options cross.
#![cfg(target_arch = "wasm32")]

use std::collections::BTreeMap;

use rectilinear_zarr::error::{Error, Result};
use rectilinear_zarr::source::{ByteLocation, Resolution, VirtualStore, system};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A virtual store and the inputs that it was provided.
#[wasm_bindgen]
#[derive(Debug)]
pub struct VirtualIndex {
    /// The store, or the error of opening it.
    system: Result<Box<dyn VirtualStore>>,
    /// Inputs that are copied, by number.
    inputs: BTreeMap<u64, Vec<u8>>,
}

/// Creates the virtual store of a format, with the caller's options.
#[wasm_bindgen(js_name = virtualIndex)]
#[must_use]
pub fn virtual_index(format: &str, options: JsValue) -> VirtualIndex {
    let options = serde_wasm_bindgen::from_value(options).map_err(|error| Error::Unsupported {
        feature: format!("the given options for format {format:?}"),
        reason: error.to_string(),
    });
    VirtualIndex::new(options.and_then(|options| system(format, &options)))
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
        Self::new(self.system().map(|system| system.anew()))
    }

    /// Copies a piece of an input of `length` bytes, in order: a long input takes time.
    pub fn append(&mut self, number: f64, piece: &[u8], length: usize) {
        let input = self.inputs.entry(whole(number)).or_default();
        if input.is_empty() {
            input.reserve_exact(length);
        }
        input.extend_from_slice(piece);
    }

    /// Provides the input of this number that was copied, or says that its file is missing; returns a packed
    /// [`Resolution`] that is an error or empty.
    pub fn provide(&mut self, number: f64, is_there: bool) -> Vec<u8> {
        let number = whole(number);
        let bytes = self.inputs.remove(&number).unwrap_or_default();
        let provided = self.system().and_then(|system| system.provide(number, is_there.then_some(bytes)));
        Resolution::packed(&provided.map(|()| Resolution::Place(ByteLocation::Missing)))
    }

    /// Does a step of the work on an input; returns a packed [`Resolution`]: an error, one with needs while there is
    /// more to do, and an empty one at the end.
    pub fn work(&mut self, number: f64) -> Vec<u8> {
        let is_done = self.system().and_then(|system| system.work(whole(number)));
        let none = |is_done| {
            if is_done { Resolution::Place(ByteLocation::Missing) } else { Resolution::Needs(Vec::new()) }
        };
        Resolution::packed(&is_done.map(none))
    }

    /// Drops what was copied of an input.
    pub fn forget(&mut self, number: f64) {
        self.inputs.remove(&whole(number));
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "numbers of inputs are below 2^53"
)]
fn whole(number: f64) -> u64 {
    number as u64
}

impl VirtualIndex {
    fn new(system: Result<Box<dyn VirtualStore>>) -> Self {
        Self { system, inputs: BTreeMap::new() }
    }

    fn system(&mut self) -> Result<&mut (dyn VirtualStore + 'static)> {
        match &mut self.system {
            Ok(system) => Ok(&mut **system),
            Err(error) => Err(error.clone()),
        }
    }
}
