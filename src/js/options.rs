//! The options of `open` and `get`, read once and checked.

use std::rc::Rc;

use js_sys::{Function, Object, TypeError};
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{AbortSignal, Headers, RequestCredentials};

use super::JsResult;
use super::arrivals::Order;
use super::form::Form;
use super::option::{amount, bytes, credentials, function, headers, plain, signal};
use super::persisted::Persisted;
use super::value::{field, shown};
use super::workers::Wish;
use crate::error::Error;
use crate::metadata::Proposal;
use crate::read::{DEFAULT_MAX_CHUNK_BYTES, Joining};

/// Requests in flight for one array unless the caller says otherwise.
///
/// HTTP/1.1 browsers send six at a time to one host and queue the rest; over HTTP/2 and 3, 24 keep
/// the connection busy while chunks decode.
const DEFAULT_CONCURRENCY: u64 = 24;

/// Bytes of decoded chunks that one source keeps unless the caller says otherwise: 64 MiB.
///
/// Ranges are not kept by browsers, so this is what a map that is panned back and forth reads from: a screen of
/// 4096 by 2160 float32 is 34 MiB.
const DEFAULT_CACHE_BYTES: usize = 64 << 20;

/// How ranges of one value are joined unless the caller says otherwise: a gap costs less than a request, up to so
/// many bytes at once, that the first of them need not wait for too many others.
///
/// Measured by `make bench` over 50 ms and 20 MB/s: for tiles of 5 kB a gap of 32 KiB is the fastest from 0 to 1 MiB,
/// for tiles of 77 kB as fast as any, and 1 MiB doubles the bytes; a most from 1 to 64 MiB makes no difference there.
const DEFAULT_JOINING: Joining = Joining { gap: 32 << 10, most: 16 << 20 };

/// How often a request is repeated unless the caller says otherwise: within a second and a half, or as the host asks.
const DEFAULT_RETRIES: u64 = 3;

/// What `open` was asked for.
pub(super) struct OpenOptions {
    pub(super) path: String,
    pub(super) zarr_format: Option<u8>,
    pub(super) signal: Option<AbortSignal>,
    pub(super) concurrency: u64,
    pub(super) joining: Joining,
    pub(super) max_chunk_bytes: u64,
    pub(super) cache_bytes: usize,
    pub(super) proposals: Vec<Proposal>,
    pub(super) workers: Wish,
    pub(super) http: HttpOptions,
    pub(super) on_request: Option<Function>,
}

/// The part that only HTTP needs.
pub(super) struct HttpOptions {
    pub(super) fetch: Option<Function>,
    pub(super) headers: Headers,
    pub(super) credentials: Option<RequestCredentials>,
    pub(super) missing_statuses: Vec<u16>,
    pub(super) retries: u32,
    pub(super) persisted: Option<Rc<Persisted>>,
}

impl OpenOptions {
    pub(super) fn parse(options: &JsValue) -> JsResult<Self> {
        if !options.is_object() && !options.is_undefined() && !options.is_null() {
            return Err(
                TypeError::new(&format!("open's options are an object, not {}", shown(options))).into()
            );
        }
        Ok(Self {
            zarr_format: zarr_format(options)?,
            path: plain(options, "path")?.unwrap_or_default(),
            signal: signal(options)?,
            concurrency: amount(options, "concurrency", 1.0)?.unwrap_or(DEFAULT_CONCURRENCY),
            joining: Joining {
                gap: amount(options, "coalesceGap", 0.0)?.unwrap_or(DEFAULT_JOINING.gap),
                most: amount(options, "coalesceMax", 0.0)?.unwrap_or(DEFAULT_JOINING.most),
            },
            max_chunk_bytes: amount(options, "maxChunkBytes", 0.0)?.unwrap_or(DEFAULT_MAX_CHUNK_BYTES),
            cache_bytes: bytes(options, "cacheBytes")?.unwrap_or(DEFAULT_CACHE_BYTES),
            proposals: proposals(options)?,
            workers: Wish::parse(options)?,
            on_request: function(options, "onRequest")?,
            http: HttpOptions {
                fetch: function(options, "fetch")?,
                headers: headers(&field(options, "headers"))?,
                credentials: credentials(&field(options, "credentials"))?,
                persisted: plain(options, "persist")?.map(|name| Rc::new(Persisted::new(name))),
                missing_statuses: plain(options, "missingStatuses")?.unwrap_or_else(|| vec![404]),
                retries: u32::try_from(amount(options, "retries", 0.0)?.unwrap_or(DEFAULT_RETRIES))
                    .unwrap_or(u32::MAX),
            },
        })
    }
}

/// What a group's member is opened with: what is not said is as its group was opened.
#[derive(Default)]
pub(super) struct MemberOptions {
    pub(super) signal: Option<AbortSignal>,
    pub(super) max_chunk_bytes: Option<u64>,
    pub(super) cache_bytes: Option<usize>,
}

impl MemberOptions {
    /// Options of the source, which all members share, are errors here, never ignored.
    pub(super) fn parse(options: &JsValue) -> JsResult<Self> {
        if options.is_undefined() || options.is_null() {
            return Ok(Self::default());
        }
        let Some(object) = options.dyn_ref::<Object>() else {
            return Err(
                TypeError::new(&format!("a member's options are an object, not {}", shown(options))).into()
            );
        };
        let names = Object::keys(object).into_iter().filter_map(|name| name.as_string());
        let given = names.into_iter().filter(|name| !field(options, name).is_undefined());
        for name in given {
            if !["signal", "maxChunkBytes", "cacheBytes"].contains(&name.as_str()) {
                let message = format!(
                    "the option {name} is not one of a group's member, which has signal, maxChunkBytes and cacheBytes; \
                     what concerns the source is said to Group.open"
                );
                return Err(TypeError::new(&message).into());
            }
        }
        Ok(Self {
            signal: signal(options)?,
            max_chunk_bytes: amount(options, "maxChunkBytes", 0.0)?,
            cache_bytes: bytes(options, "cacheBytes")?,
        })
    }
}

fn zarr_format(options: &JsValue) -> JsResult<Option<u8>> {
    let value = field(options, "zarrFormat");
    match value.as_f64() {
        None if value.is_undefined() || value.is_null() => Ok(None),
        Some(2.0) => Ok(Some(2)),
        Some(3.0) => Ok(Some(3)),
        _ => {
            let reason = "zarrFormat is 2 or 3".to_owned();
            Err(Error::Unsupported { feature: format!("Zarr format {}", shown(&value)), reason }.into())
        }
    }
}

/// The proposals that the caller asks for, by name.
fn proposals(options: &JsValue) -> JsResult<Vec<Proposal>> {
    let names: Vec<String> = plain(options, "proposals")?.unwrap_or_default();
    let proposal = |name: String| {
        Proposal::named(&name).ok_or_else(|| {
            let known = Proposal::ALL.map(Proposal::name).join(", ");
            Error::Unsupported {
                feature: format!("the proposal {name:?}"),
                reason: format!("this build knows {known}"),
            }
            .into()
        })
    };
    names.into_iter().map(proposal).collect()
}

/// What `get` was asked for.
pub(super) struct GetOptions {
    pub(super) signal: Option<AbortSignal>,
    pub(super) on_progress: Option<Function>,
    pub(super) order: Order,
    pub(super) form: Form,
}

impl GetOptions {
    pub(super) fn parse(options: &JsValue) -> JsResult<Self> {
        let order = match plain::<String>(options, "order")?.as_deref() {
            None | Some("grid") => Order::Grid,
            Some("center") => Order::Center,
            Some(_) => return Err(TypeError::new("the option order is \"grid\" or \"center\"").into()),
        };
        Ok(Self {
            signal: signal(options)?,
            on_progress: function(options, "onProgress")?,
            order,
            form: Form::parse(options)?,
        })
    }
}
