//! Opening of a source: it becomes a store, in which the metadata document of an array or a group is searched.

use std::rc::Rc;

use js_sys::{Array, Object, TypeError};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AbortSignal, Url};

use crate::js::JsResult;
use crate::js::chunks::caches::Caches;
use crate::js::chunks::open_settings::OpenSettings;
use crate::js::convert::bytes::{Bytes, copied, subarray};
use crate::js::convert::value::{field, set};
use crate::js::http::http_store::address;
use crate::js::http::options::NetworkOptions;
use crate::js::options::open_options::OpenOptions;
use crate::js::stores::probe::Probe;
use crate::js::stores::store::{Store, address_of};
use crate::js::stores::store_driver::StoreDriver;
use crate::js::support::loading::load;
use crate::js::support::work::Work;
use crate::js::virtual_store::driver::VirtualStoreDriver;
use crate::metadata::MAX_METADATA_BYTES;
use crate::network::{ByteRange, Request, join};
use crate::parts::{Loaded, Opening, Virtual, later};
use crate::source::{Format, MARKS, is_document, normalise_path};

/// Searches for a metadata document in a source, then in a virtual store at the same address, if there is one.
pub(crate) async fn found<T>(
    source: &JsValue,
    options: OpenOptions,
    signal: &AbortSignal,
    look: impl AsyncFn(Probe<'_>) -> JsResult<T>,
) -> JsResult<(OpenContext, T)> {
    let opened = OpenContext::at(source, options).await;
    let mut opened = opened.map_err(|error| advised(source, error))?;
    loop {
        let error = match look(opened.probe(signal)).await {
            Ok(found) => return Ok((opened, found)),
            Err(error) => error,
        };
        opened.change(error, signal).await.map_err(|error| advised(source, error))?;
    }
}

/// An opened source, and the settings for reading its arrays.
pub(crate) struct OpenContext {
    pub(crate) driver: Rc<StoreDriver>,
    pub(crate) settings: OpenSettings,
    pub(crate) path: String,
    zarr_format: Option<u8>,
    network: NetworkOptions,
    /// Virtual store that may be at the address.
    candidate: Candidate,
}

/// Adds to an error what to do about the address of a document or a zip, once documents were searched for in vain.
fn advised(source: &JsValue, error: JsValue) -> JsValue {
    match Loaded::get() {
        Ok(part) => with_advice(part, source, error),
        Err(_) => error,
    }
}

#[later]
fn with_advice(_: Loaded<Opening>, source: &JsValue, error: JsValue) -> JsValue {
    let address = address_of(source).unwrap_or_default();
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let advice = match path.rsplit(['/', '.']).next() {
        _ if is_document(path) => {
            "give the address of the array or the group, without the name of its document"
        }
        Some("zip" | "ozx") => "open a zip with zipStore, of rectilinear-zarr/stores",
        _ => return error,
    };
    if let Some(said) = field(&error, "message").as_string() {
        set(&error, "message", &format!("{said}; {advice}").into());
    }
    error
}

/// Virtual store that may be at an address without Zarr metadata.
enum Candidate {
    Nothing,
    /// It was not searched for yet.
    Unknown(VirtualAddress),
    /// Error of a document that looks like the index of a virtual store but cannot be read.
    Unreadable(JsValue),
    /// Error of an original file, by its name; no other one says more.
    File(JsValue),
}

/// Address of a virtual store, and the caller's options for it.
struct VirtualAddress {
    url: Url,
    options: Object,
}

impl OpenContext {
    async fn at(source: &JsValue, options: OpenOptions) -> JsResult<Self> {
        let mut path = normalise_path(&options.path)?;
        let network = options.network;
        let (store, candidate, inner) =
            store(source, options.format, options.virtual_options, &network).await?;
        if let Some(inner) = inner {
            path = join(&normalise_path(&inner)?, &path);
        }
        Ok(Self {
            driver: driver(store, &network),
            settings: OpenSettings {
                caches: Caches::new(options.cache_bytes),
                max_chunk_bytes: options.max_chunk_bytes,
                proposals: options.proposals,
                workers: options.workers,
                codecs: options.codecs,
                attrs: options.attrs,
            },
            path,
            zarr_format: options.zarr_format,
            network,
            candidate,
        })
    }

    fn probe<'a>(&'a self, signal: &'a AbortSignal) -> Probe<'a> {
        Probe::new(self.driver.store(), &self.path, self.zarr_format, self.settings.attrs, signal)
    }

    /// Switches to the virtual store at the address, after no Zarr metadata were found there.
    ///
    /// # Errors
    /// The given error where no file marks the format of a virtual store, or the error of an index that cannot be read.
    async fn change(&mut self, error: JsValue, signal: &AbortSignal) -> JsResult<()> {
        if field(&error, "name") != "NotFoundError" && !self.driver.store().may_mean_missing(&error) {
            return Err(error);
        }
        let address = match std::mem::replace(&mut self.candidate, Candidate::Nothing) {
            Candidate::Unknown(address) => address,
            Candidate::Unreadable(reason) | Candidate::File(reason) => return Err(reason),
            Candidate::Nothing => return Err(error),
        };
        let part = load(self.network.http.timeout).await?;
        marked(part, self, address, error, signal).await
    }
}

/// Switches to the virtual store at an address whose format one of its files marks.
#[later]
fn marked<'a>(
    _: Loaded<Virtual>,
    opened: &'a mut OpenContext,
    VirtualAddress { url, options }: VirtualAddress,
    error: JsValue,
    signal: &'a AbortSignal,
) -> Work<'a, ()> {
    Box::pin(async move {
        let tried: Array = field(&error, "tried").dyn_into().unwrap_or_default();
        for (key, mark, format) in MARKS {
            let place = opened.driver.store().describe(key);
            if tried.includes(&place.as_str().into(), 0) {
                continue;
            }
            add_tried(&error, &tried, &place);
            let request = Request { key: key.to_owned(), range: ByteRange::Span(0..mark.len() as u64) };
            let start = opened.driver.store().get(&request, MAX_METADATA_BYTES as u64, signal).await;
            if let Ok(Some(Bytes::Asked(start) | Bytes::Whole(start))) = start
                && copied(&start).starts_with(mark)
            {
                match VirtualStoreDriver::open(format, &options, url.clone(), opened.network.clone()).await {
                    Ok(found) => opened.driver = driver(of_virtual(found, &opened.network), &opened.network),
                    // Metadata of Zarr begin like those of references.
                    Err(other) if format == Format::KerchunkFolder && is_missing(&other) => continue,
                    Err(error) => return Err(error),
                }
                return Ok(());
            }
        }
        match told_format(opened, &url, signal).await {
            Some(format) => {
                let found = VirtualStoreDriver::open(format, &options, url, opened.network.clone()).await?;
                opened.driver = driver(of_virtual(found, &opened.network), &opened.network);
                Ok(())
            }
            None => Err(error),
        }
    })
}

/// The format of an original file at an address whose name does not say what it is; folders have none.
async fn told_format(opened: &OpenContext, url: &Url, signal: &AbortSignal) -> Option<Format> {
    let path = url.pathname();
    if path.ends_with('/') || path.split('/').any(|part| part.ends_with(".zarr")) {
        return None;
    }
    let request = Request { key: url.href(), range: ByteRange::UpTo(0..8) };
    let start = opened.driver.store().get(&request, MAX_METADATA_BYTES as u64, signal).await;
    let (Bytes::Asked(start) | Bytes::Whole(start)) = start.ok()??;
    Format::of_first_bytes(&copied(&subarray(&start, 0..8)))
}

/// Adds an address to those that an error names.
fn add_tried(error: &JsValue, tried: &Array, place: &str) {
    let (Some(last), Some(said)) = (tried.at(-1).as_string(), field(error, "message").as_string()) else {
        return;
    };
    tried.push(&place.into());
    // The list is in the order of the requests, and its end is what follows the last address.
    if let Some(at) = said.rfind(&last) {
        let (before, after) = said.split_at(at + last.len());
        set(error, "message", &format!("{before}, {place}{after}").into());
    }
}

fn of_virtual(found: VirtualStoreDriver, network: &NetworkOptions) -> Store {
    Store::of_virtual(Rc::new(found), network.http.timeout)
}

fn driver(store: Store, network: &NetworkOptions) -> Rc<StoreDriver> {
    StoreDriver::new(Rc::new(store), network.concurrency, network.joining)
}

/// The store for a source, the candidate for a virtual store at its address, and the path in a file that the address
/// leads into.
///
/// Where the address looks like the index of a virtual store, that document is read first. If it is not such an index,
/// the address is that of a plain hierarchy.
async fn store(
    source: &JsValue,
    format: Option<Format>,
    virtual_options: Object,
    network: &NetworkOptions,
) -> JsResult<(Store, Candidate, Option<String>)> {
    let url = address_of(source).map(|url| address(&url)).transpose()?;
    let mut candidate = Candidate::Nothing;
    match (format, url) {
        (None, Some(url)) => match likely_file(&url)? {
            Some((likely, url, inner)) => {
                let part = load(network.http.timeout).await?;
                match likely_store(part, likely, &virtual_options, url, network).await? {
                    Ok(opened) => return Ok((opened, Candidate::Nothing, inner)),
                    Err(Some(reason)) if likely.is_original() => candidate = Candidate::File(reason),
                    Err(reason) => candidate = reason.map_or(Candidate::Nothing, Candidate::Unreadable),
                }
            }
            None => candidate = Candidate::Unknown(VirtualAddress { url, options: virtual_options }),
        },
        (None | Some(Format::Zarr), _) => {}
        (Some(format), Some(url)) => {
            let part = load(network.http.timeout).await?;
            let (url, inner) = match likely_file(&url)? {
                Some((likely, file, inner)) if likely.is_original() && format.is_original() => (file, inner),
                _ => (url, None),
            };
            let opened = named_store(part, format, &virtual_options, url, network).await?;
            return Ok((opened, Candidate::Nothing, inner));
        }
        (Some(format), None) => {
            return Err(
                TypeError::new(&format!("format {:?} needs a URL as its source", format.name())).into()
            );
        }
    }
    Ok((Store::new(source, network.http.clone(), network.on_request.clone())?, candidate, None))
}

/// The virtual store that an address's name suggests, its own address, and the path in the file that the address leads
/// into, as that of an array of Zarr does into its group.
fn likely_file(url: &Url) -> JsResult<Option<(Format, Url, Option<String>)>> {
    let path = url.pathname();
    let own = Url::new(&url.href())?;
    if let Some(likely) = Format::likely_at(&path) {
        return Ok(Some((likely, own, None)));
    }
    let Some((likely, end)) = Format::file_in(&path) else { return Ok(None) };
    own.set_pathname(&path[..end]);
    let inner = js_sys::decode_uri_component(&path[end + 1..])?;
    Ok(Some((likely, own, inner.as_string())))
}

/// Opens the virtual store that an address looks like. The inner error is the reason why it is none.
#[later]
fn likely_store<'a>(
    _: Loaded<Virtual>,
    likely: Format,
    options: &'a Object,
    url: Url,
    network: &'a NetworkOptions,
) -> Work<'a, Result<Store, Option<JsValue>>> {
    Box::pin(async move {
        let found = VirtualStoreDriver::look(likely, options, url, network.clone()).await?;
        Ok(found.map(|found| of_virtual(found, network)))
    })
}

/// Opens the virtual store of a format that the caller names.
///
/// # Errors
/// That of the likeliest form of the format where the address has none of them, or of the form that is there.
#[later]
fn named_store<'a>(
    _: Loaded<Virtual>,
    format: Format,
    options: &'a Object,
    url: Url,
    network: &'a NetworkOptions,
) -> Work<'a, Store> {
    Box::pin(async move {
        let mut failed = JsValue::UNDEFINED;
        for form in format.forms(&url.pathname()) {
            let error = match VirtualStoreDriver::open(form, options, url.clone(), network.clone()).await {
                Ok(found) => return Ok(of_virtual(found, network)),
                Err(error) => error,
            };
            // A page or a listing in place of a document tells nothing of a folder's documents.
            let is_better = form.is_folder() && is_missing(&failed) && !is_missing(&error);
            if failed.is_undefined() || is_better {
                failed = error;
            }
        }
        Err(failed)
    })
}

/// Whether an error says that nothing is at an address, or that it cannot be read.
fn is_missing(error: &JsValue) -> bool {
    let name = field(error, "name").as_string().unwrap_or_default();
    matches!(name.as_str(), "NotFoundError" | "StoreError")
}
