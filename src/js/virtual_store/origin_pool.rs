//! Origin pool: the origins of a virtual store's files, each with a driver of its own.
//!
//! Invariant: the caller's headers and credentials are sent only to the origin of the virtual store itself.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use web_sys::{AbortSignal, Url};

use crate::error::Error;
use crate::js::JsResult;
use crate::js::convert::value::shown;
use crate::js::http::http_store::{has_host, shown as shown_url};
use crate::js::http::options::NetworkOptions;
use crate::js::stores::store::{Store, address_of};
use crate::js::stores::store_driver::StoreDriver;
use crate::network::{scheme, web_address};

/// Drivers of a virtual store's origins.
pub(crate) struct OriginPool {
    /// Address of the virtual store itself.
    own: Url,
    network: NetworkOptions,
    /// Drivers by origin.
    drivers: RefCell<HashMap<String, Rc<StoreDriver>>>,
    /// Requests that each origin may have in flight beside the usual number.
    more: Cell<i32>,
}

impl OriginPool {
    pub(crate) fn new(own: Url, network: NetworkOptions) -> Self {
        Self { own, network, drivers: RefCell::default(), more: Cell::new(0) }
    }

    /// Address of the virtual store itself.
    pub(crate) fn own(&self) -> &Url {
        &self.own
    }

    /// Lets the browser's persistent cache tell versions of the virtual store's one file apart.
    pub(crate) fn tell_versions(&mut self) {
        if let Some(persisted) = &mut self.network.http.persisted {
            *persisted = Rc::new(persisted.of_file());
        }
    }

    /// Tells the version of the virtual store's one file, by its first bytes.
    pub(crate) fn tell_version(&self, head: &Uint8Array) {
        if let (Some(persisted), Ok(host)) = (&self.network.http.persisted, self.driver(&self.own)) {
            persisted.tell(&host.store().said_version(&self.own.href()), head);
        }
    }

    /// Address of a path or a key of the virtual store for messages.
    pub(crate) fn describe(&self, path: &str) -> String {
        format!("{}#{path}", shown_url(&self.own))
    }

    /// Number that changes when a value is found to have changed.
    pub(crate) fn epoch(&self) -> u64 {
        self.drivers.borrow().values().map(|host| host.store().epoch()).sum()
    }

    /// Forgets the versions of values on all hosts.
    pub(crate) async fn refresh(&self, signal: &AbortSignal) -> JsResult<()> {
        let drivers: Vec<Rc<StoreDriver>> = self.drivers.borrow().values().cloned().collect();
        for host in drivers {
            host.store().refresh(signal).await?;
        }
        Ok(())
    }

    /// URL for an address in the index: the caller's `resolveUrl` decides, otherwise the HTTPS address that the index
    /// gives, otherwise the address is resolved against the URL of the virtual store.
    pub(crate) fn address(&self, listed: &str, web: Option<String>, key: &str) -> JsResult<Url> {
        let resolved = match &self.network.resolve_url {
            Some(resolve) => resolve.call1(&JsValue::UNDEFINED, &listed.into())?,
            None => JsValue::UNDEFINED,
        };
        let address = if resolved.is_undefined() || resolved.is_null() {
            let scheme = || scheme(listed).map_or("", |(scheme, _)| scheme);
            let web = web.or_else(|| web_address(listed));
            web.ok_or_else(|| self.unsupported(&format!("{}://", scheme()), listed, key))?
        } else if let Some(address) = address_of(&resolved) {
            address
        } else {
            let message =
                format!("resolveUrl must return a URL, a string or undefined, not {}", shown(&resolved));
            return Err(js_sys::TypeError::new(&message).into());
        };
        let url = Url::new_with_base(&address, &self.own.href()).map_err(|_| {
            let reason = format!("{address:?} is not a URL; the reference may be damaged");
            Error::Store { key: self.describe(key), status: None, range: None, reason }
        })?;
        if !has_host(&url) {
            return Err(self.unsupported(&url.protocol(), &address, key).into());
        }
        // The query of a folder's URL is added to the URLs of its files, as it is to the keys of plain Zarr.
        let folder = self.own.pathname();
        let is_within = url.origin() == self.own.origin() && url.pathname().starts_with(&folder);
        if folder.ends_with('/') && is_within && url.search().is_empty() {
            url.set_search(&self.own.search());
        }
        Ok(url)
    }

    /// Error for an address in the index that browsers cannot fetch.
    fn unsupported(&self, scheme: &str, listed: &str, key: &str) -> Error {
        // A data: URL may have megabytes.
        let listed: String = listed.chars().take(200).collect();
        let reason = format!(
            "{} is at {listed}, which browsers cannot fetch; pass the option resolveUrl to map it to an https: URL",
            self.describe(key)
        );
        Error::Unsupported { feature: format!("addresses of {scheme}"), reason }
    }

    /// Lets each origin, also one that is not known yet, have `more` requests in flight than until now, or fewer again;
    /// returns how many one may have.
    pub(crate) fn allow(&self, more: i32) -> usize {
        self.more.set(self.more.get() + more);
        for host in self.drivers.borrow().values() {
            host.allow(more);
        }
        self.network.concurrency.saturating_add_signed(self.more.get() as isize)
    }

    /// Driver for the origin of a URL.
    pub(crate) fn driver(&self, url: &Url) -> JsResult<Rc<StoreDriver>> {
        if let Some(host) = self.drivers.borrow().get(&url.origin()) {
            return Ok(Rc::clone(host));
        }
        let is_own = url.origin() == self.own.origin();
        let http = if is_own { self.network.http.clone() } else { self.network.http.for_strangers()? };
        let store = Store::host(&url.origin(), http, self.network.on_request.clone())?;
        let driver = StoreDriver::new(Rc::new(store), self.network.concurrency, self.network.joining);
        driver.allow(self.more.get());
        self.drivers.borrow_mut().insert(url.origin(), Rc::clone(&driver));
        Ok(driver)
    }
}
