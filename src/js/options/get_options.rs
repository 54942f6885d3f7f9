//! The options of `get` and other reads, parsed once and checked.

use js_sys::{Function, TypeError};
use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

use super::output_options::OutputOptions;
use crate::js::JsResult;
use crate::js::convert::option::{function, signal, text};

/// Order in which chunks are requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    Grid,
    Center,
}

/// Options of `get`.
pub(crate) struct GetOptions {
    pub(crate) signal: Option<AbortSignal>,
    pub(crate) on_progress: Option<Function>,
    pub(crate) order: Order,
    pub(crate) form: OutputOptions,
}

impl GetOptions {
    pub(crate) fn parse(options: &JsValue) -> JsResult<Self> {
        let order = match text(options, "order")?.as_deref() {
            None | Some("grid") => Order::Grid,
            Some("center") => Order::Center,
            Some(_) => return Err(TypeError::new("the option order must be \"grid\" or \"center\"").into()),
        };
        Ok(Self {
            signal: signal(options)?,
            on_progress: function(options, "onProgress")?,
            order,
            form: OutputOptions::parse(options)?,
        })
    }
}
