//! The third module: says where the bytes of Zarr are in systems beside it, and nothing else.
//!
//! Invariant: it is told what it needs and asks for nothing; what goes in and out is bytes, text, numbers and plain options.
#![cfg(target_arch = "wasm32")]

use rectilinear_zarr::error::{Error, Result};
use rectilinear_zarr::source::{ByteLocation, Resolution, VirtualStore, system};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

/// One system, and what it was told.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Listing(Result<Box<dyn VirtualStore>>);

/// A system of a format, which was told nothing yet, with the options of a caller.
#[wasm_bindgen]
#[must_use]
pub fn listing(format: &str, options: JsValue) -> Listing {
    let options = serde_wasm_bindgen::from_value(options).map_err(|error| Error::Unsupported {
        feature: format!("these options of {format}"),
        reason: error.to_string(),
    });
    Listing(options.and_then(|options| system(format, &options)))
}

#[wasm_bindgen]
impl Listing {
    /// Inputs that it has to be told before it can say of any key whether it is there.
    pub fn needs(&mut self) -> Vec<u8> {
        let needs = self.system().and_then(VirtualStore::needs);
        Resolution::packed(&needs.map(Resolution::Needs))
    }

    /// Where the bytes of a key are.
    pub fn find(&mut self, key: &str) -> Vec<u8> {
        let found = self.system().and_then(|system| system.find(key));
        Resolution::packed(&found)
    }

    /// Answer to a question beside keys.
    pub fn answer(&mut self, question: &str) -> Vec<u8> {
        let found = self.system().and_then(|system| system.answer(question));
        Resolution::packed(&found)
    }

    /// This system, to be told anew.
    #[must_use]
    pub fn anew(&mut self) -> Listing {
        Listing(self.system().map(|system| system.anew()))
    }

    /// Tells what is at the place of a need.
    pub fn tell(&mut self, number: f64, bytes: Option<Vec<u8>>) -> Vec<u8> {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "needs' numbers are below 2^53"
        )]
        let number = number as u64;
        let told = self.system().and_then(|system| system.provide(number, bytes.as_deref()));
        Resolution::packed(&told.map(|()| Resolution::Place(ByteLocation::Missing)))
    }
}

impl Listing {
    fn system(&mut self) -> Result<&mut (dyn VirtualStore + 'static)> {
        match &mut self.0 {
            Ok(system) => Ok(&mut **system),
            Err(error) => Err(error.clone()),
        }
    }
}
