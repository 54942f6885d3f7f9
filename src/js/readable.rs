//! A zarrita `Readable` as a store: any object with `get(key, { signal })`, synchronous or not, a `Map` included.

use js_sys::{ArrayBuffer, Function, Promise, TypeError, Uint8Array};
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::AbortSignal;

use super::JsResult;
use super::store::Answer;
use super::value::{field, message, object, set, shown};
use crate::error::Error;

/// The object, and its method.
pub(super) struct ReadableStore {
    store: JsValue,
    get: Function,
}

impl ReadableStore {
    pub(super) fn new(store: &JsValue) -> JsResult<Self> {
        let get = field(store, "get").dyn_into::<Function>().map_err(|_| {
            TypeError::new(
                "the source is neither a URL nor a store: a store has a method get(key, { signal })",
            )
        })?;
        Ok(Self { store: store.clone(), get })
    }

    pub(super) async fn get(&self, key: &str, signal: &AbortSignal) -> Answer {
        Answer { bytes: self.bytes(key, signal).await, status: None }
    }

    async fn bytes(&self, key: &str, signal: &AbortSignal) -> JsResult<Option<Uint8Array>> {
        let options = object([("signal", signal.into())]);
        let called = self.get.call2(&self.store, &format!("/{key}").into(), &options);
        let answer = match called {
            Ok(answer) => JsFuture::from(Promise::resolve(&answer)).await,
            Err(thrown) => Err(thrown),
        };
        let value = answer.map_err(|cause| failure(key, &cause))?;
        if value.is_undefined() || value.is_null() {
            return Ok(None);
        }
        if let Some(bytes) = value.dyn_ref::<Uint8Array>() {
            return Ok(Some(bytes.clone()));
        }
        if value.is_instance_of::<ArrayBuffer>() {
            return Ok(Some(Uint8Array::new(&value)));
        }
        let reason =
            format!("the store's get answered with {}; expected a Uint8Array, or undefined", shown(&value));
        Err(Error::Store { key: format!("/{key}"), status: None, range: None, reason }.into())
    }
}

/// The store's own error stays readable as the cause.
fn failure(key: &str, cause: &JsValue) -> JsValue {
    let reason = format!("the store's get failed: {}", message(cause));
    let error = JsValue::from(Error::Store { key: format!("/{key}"), status: None, range: None, reason });
    set(&error, "cause", cause);
    error
}
