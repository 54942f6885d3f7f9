//! Virtual stores module: looks up the locations of Zarr keys in the formats that a Cargo feature selects, and does
//! nothing else.
//!
//! Invariant: it fetches nothing. Its inputs are provided, and only bytes, text, numbers and plain options cross.
#![cfg(all(target_arch = "wasm32", any(feature = "files", feature = "hdf5", feature = "systems")))]

use rectilinear_zarr::error::{Error, Result};
use rectilinear_zarr::metadata::Value;
use rectilinear_zarr::source::{ByteLocation, Resolution, VirtualStore, answered, system};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// A virtual store and the inputs that it was provided.
#[wasm_bindgen]
#[derive(Debug)]
pub struct VirtualIndex {
    /// The store, or the error of opening it.
    system: Result<Box<dyn VirtualStore>>,
    /// Inputs that are copied, with their numbers.
    inputs: Vec<(u64, Vec<u8>)>,
}

/// Creates the virtual store of a format, with the caller's options.
#[wasm_bindgen(js_name = virtualIndex)]
#[must_use]
pub fn virtual_index(format: &str, options: JsValue) -> VirtualIndex {
    VirtualIndex::new(parsed(format, options).and_then(|options| system(format, &options)))
}

#[cfg(feature = "systems")]
fn parsed(format: &str, options: JsValue) -> Result<Value> {
    serde_wasm_bindgen::from_value(options).map_err(|error| Error::Unsupported {
        feature: format!("the given options for format {format:?}"),
        reason: error.to_string(),
    })
}

/// Original files have no options.
#[cfg(not(feature = "systems"))]
fn parsed(_format: &str, _options: JsValue) -> Result<Value> {
    Ok(Value::Null)
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

    /// Lists `snapshots`, `refs`, or the locations of keys; returns a packed [`Resolution`].
    pub fn answer(&mut self, question: &str) -> Vec<u8> {
        let found = self.system().and_then(|system| answered(system, question));
        Resolution::packed(&found)
    }

    /// A copy without the inputs that may have changed.
    #[must_use]
    pub fn anew(&mut self) -> VirtualIndex {
        Self::new(self.system().map(|system| system.anew()))
    }

    /// Copies a piece of an input of `length` bytes, which is at a place in it; without a piece, its file is missing.
    /// Beyond the input's end, does a step of the work on it. Returns a packed [`Resolution`]: an error, one with needs
    /// while there is more to do, and an empty one at the end.
    pub fn provide(&mut self, number: f64, piece: Option<Vec<u8>>, at: usize, length: usize) -> Vec<u8> {
        let is_done = self.provided(whole(number), piece, at, length);
        let none = |is_done| {
            if is_done { Resolution::Place(ByteLocation::Missing) } else { Resolution::Needs(Vec::new()) }
        };
        Resolution::packed(&is_done.map(none))
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
        Self { system, inputs: Vec::new() }
    }

    fn provided(&mut self, number: u64, piece: Option<Vec<u8>>, at: usize, length: usize) -> Result<bool> {
        if at > length {
            return self.system()?.work(number);
        }
        let known = self.inputs.iter().position(|(known, _)| *known == number);
        let mut input = known.map(|known| self.inputs.swap_remove(known).1).unwrap_or_default();
        let Some(piece) = piece else { return self.system()?.provide(number, None).map(|()| false) };
        if at == 0 {
            // A read that left may have copied a part.
            input.clear();
            input.reserve_exact(length);
        }
        if input.len() != at {
            // Pieces of two transfers of one input would make another.
            return Err(Error::metadata("", "its pieces came in another order"));
        }
        input.extend_from_slice(&piece);
        if input.len() < length {
            self.inputs.push((number, input));
        } else {
            self.system()?.provide(number, Some(input))?;
        }
        Ok(false)
    }

    fn system(&mut self) -> Result<&mut (dyn VirtualStore + 'static)> {
        match &mut self.system {
            Ok(system) => Ok(&mut **system),
            Err(error) => Err(error.clone()),
        }
    }
}
