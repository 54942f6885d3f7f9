//! Origin pool: the origins at which the files of a virtual store are, each with a driver of its own.
//!
//! Invariant: what the caller sends along to the virtual store's own host, headers and credentials, goes to no other.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AbortSignal, Url};

use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::value::shown;
use crate::js::fetch::store_driver::StoreDriver;
use crate::js::http::address::{has_host, shown as shown_url};
use crate::js::http::network::Network;
use crate::js::stores::store::Store;
use crate::source::{scheme, web_address};

/// Drivers of a virtual store's origins.
pub(crate) struct OriginPool {
    /// Address of the virtual store itself.
    own: Url,
    network: Network,
    /// By origin.
    drivers: RefCell<HashMap<String, Rc<StoreDriver>>>,
}

impl OriginPool {
    pub(crate) fn new(own: Url, network: Network) -> Self {
        Self { own, network, drivers: RefCell::default() }
    }

    /// Address of the virtual store itself.
    pub(crate) fn own(&self) -> &Url {
        &self.own
    }

    /// Location of a path, or a key, of the virtual store, as a person would name it.
    pub(crate) fn describe(&self, path: &str) -> String {
        format!("{}#{path}", shown_url(&self.own))
    }

    /// A number that is another one as soon as a value was found changed.
    pub(crate) fn epoch(&self) -> u64 {
        self.drivers.borrow().values().map(|host| host.store().epoch()).sum()
    }

    /// Forgets what was known of values.
    pub(crate) async fn refresh(&self, signal: &AbortSignal) -> JsResult<()> {
        let drivers: Vec<Rc<StoreDriver>> = self.drivers.borrow().values().cloned().collect();
        for host in drivers {
            host.store().refresh(signal).await?;
        }
        Ok(())
    }

    /// Address to ask for one that the index has: as the caller resolves it, or as the web does, from the virtual store's
    /// own on.
    pub(crate) fn address(&self, listed: &str, key: &str) -> JsResult<Url> {
        let resolved = match &self.network.resolve_url {
            Some(resolve) => resolve.call1(&JsValue::UNDEFINED, &listed.into())?,
            None => JsValue::UNDEFINED,
        };
        let address = if resolved.is_undefined() || resolved.is_null() {
            let scheme = || scheme(listed).map_or("", |(scheme, _)| scheme);
            web_address(listed).ok_or_else(|| self.unsupported(&format!("{}://", scheme()), listed, key))?
        } else if let Some(text) = resolved.as_string() {
            text
        } else if let Some(url) = resolved.dyn_ref::<Url>() {
            url.href()
        } else {
            let message = format!("resolveUrl gives a URL, text or undefined, not {}", shown(&resolved));
            return Err(js_sys::TypeError::new(&message).into());
        };
        let url = Url::new_with_base(&address, &self.own.href()).map_err(|_| {
            let reason = format!("{address:?} is no address; the list may be damaged");
            Error::Store { key: self.describe(key), status: None, range: None, reason }
        })?;
        if !has_host(&url) {
            return Err(self.unsupported(&url.protocol(), &address, key).into());
        }
        // A folder's query goes along to what is in it, as it does to plain Zarr's keys.
        let folder = self.own.pathname();
        let is_within = url.origin() == self.own.origin() && url.pathname().starts_with(&folder);
        if folder.ends_with('/') && is_within && url.search().is_empty() {
            url.set_search(&self.own.search());
        }
        Ok(url)
    }

    /// Error for an address in the index that no browser can ask.
    fn unsupported(&self, scheme: &str, listed: &str, key: &str) -> Error {
        // Of data:, it may be megabytes.
        let listed: String = listed.chars().take(200).collect();
        let reason = format!(
            "{} is said to be at {listed}, which no browser can ask; give the option resolveUrl, which makes another \
             address of it",
            self.describe(key)
        );
        Error::Unsupported { feature: format!("addresses of {scheme}"), reason }
    }

    /// Driver of an address' host.
    pub(crate) fn driver(&self, url: &Url) -> JsResult<Rc<StoreDriver>> {
        if let Some(host) = self.drivers.borrow().get(&url.origin()) {
            return Ok(Rc::clone(host));
        }
        let is_own = url.origin() == self.own.origin();
        let http = if is_own { self.network.http.clone() } else { self.network.http.for_strangers()? };
        let store = Store::host(&url.origin(), http, self.network.on_request.clone())?;
        let driver = StoreDriver::new(Rc::new(store), self.network.concurrency, self.network.joining);
        self.drivers.borrow_mut().insert(url.origin(), Rc::clone(&driver));
        Ok(driver)
    }
}
