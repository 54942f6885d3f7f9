//! The options of `open` and of a group's members, parsed once and checked. `options.js` has refused unknown names.

use js_sys::{Object, TypeError};
use wasm_bindgen::JsValue;
use web_sys::AbortSignal;

use crate::error::{Error, Gather};
use crate::js::JsResult;
use crate::js::convert::value::{amount, bytes, field, flag, given, list, object, shown, signal, text};
use crate::js::http::options::NetworkOptions;
use crate::js::workers::array_workers::WorkerOptions;
use crate::metadata::Proposal;
use crate::read::DEFAULT_MAX_CHUNK_BYTES;
use crate::source::Format;

/// Default of `cacheBytes`: bytes of decoded chunks that one source caches: 64 MiB.
///
/// Browsers do not cache ranges, so a map that is panned back and forth is read from this cache: a screen of 4096 by
/// 2160 float32 is 34 MiB.
const DEFAULT_CACHE_BYTES: usize = 64 << 20;

/// The options of virtual stores, and those among them that select a version of the data.
const VIRTUAL: [&str; 4] = ["branch", "tag", "snapshot", "containers"];
const VERSIONS: [&str; 3] = ["branch", "tag", "snapshot"];

/// Options of `open`.
pub(crate) struct OpenOptions {
    pub(crate) path: String,
    pub(crate) zarr_format: Option<u8>,
    pub(crate) signal: Option<AbortSignal>,
    pub(crate) format: Option<Format>,
    /// Options of virtual stores, which the module of virtual stores checks.
    pub(crate) virtual_options: Object,
    pub(crate) max_chunk_bytes: u64,
    pub(crate) cache_bytes: usize,
    pub(crate) proposals: Vec<Proposal>,
    pub(crate) workers: WorkerOptions,
    pub(crate) codecs: JsValue,
    pub(crate) attrs: bool,
    pub(crate) network: NetworkOptions,
}

impl OpenOptions {
    pub(crate) fn parse(options: &JsValue) -> JsResult<Self> {
        Ok(Self {
            zarr_format: zarr_format(options)?,
            path: text(options, "path")?.unwrap_or_default(),
            signal: signal(options)?,
            format: format(options)?,
            virtual_options: object(VIRTUAL.map(|name| (name, field(options, name)))),
            max_chunk_bytes: amount(options, "maxChunkBytes", 0)?.unwrap_or(DEFAULT_MAX_CHUNK_BYTES),
            cache_bytes: bytes(options, "cacheBytes")?.unwrap_or(DEFAULT_CACHE_BYTES),
            proposals: proposals(options)?,
            workers: WorkerOptions::parse(options)?,
            codecs: codecs(options)?,
            attrs: flag(options, "attrs")? != Some(false),
            network: NetworkOptions::parse(options)?,
        })
    }
}

/// Options for opening a group's member. An option that is not set is that of the group.
pub(crate) struct MemberOptions {
    pub(crate) signal: Option<AbortSignal>,
    pub(crate) max_chunk_bytes: Option<u64>,
    pub(crate) cache_bytes: Option<usize>,
    pub(crate) attrs: bool,
}

impl Default for MemberOptions {
    fn default() -> Self {
        Self { signal: None, max_chunk_bytes: None, cache_bytes: None, attrs: true }
    }
}

impl MemberOptions {
    /// Parses the options of a member.
    pub(crate) fn parse(options: &JsValue) -> JsResult<Self> {
        Ok(Self {
            signal: signal(options)?,
            max_chunk_bytes: amount(options, "maxChunkBytes", 0)?,
            cache_bytes: bytes(options, "cacheBytes")?,
            attrs: flag(options, "attrs")? != Some(false),
        })
    }
}

/// Parses the option `codecs`: any object with a method `get`.
fn codecs(options: &JsValue) -> JsResult<JsValue> {
    let Some(value) = given(options, "codecs") else { return Ok(JsValue::UNDEFINED) };
    if field(&value, "get").is_function() {
        return Ok(value);
    }
    let message = format!(
        "the option codecs must be a registry with a method get, such as a Map or zarrita's registry, not {}",
        shown(&value)
    );
    Err(TypeError::new(&message).into())
}

fn zarr_format(options: &JsValue) -> JsResult<Option<u8>> {
    let value = field(options, "zarrFormat");
    match value.as_f64() {
        None if value.is_undefined() || value.is_null() => Ok(None),
        Some(2.0) => Ok(Some(2)),
        Some(3.0) => Ok(Some(3)),
        _ => {
            let reason = "the option zarrFormat must be 2 or 3".to_owned();
            Err(Error::Unsupported { feature: format!("Zarr format {}", shown(&value)), reason }.into())
        }
    }
}

/// The format from the option `format`; options that only Icechunk has imply Icechunk.
fn format(options: &JsValue) -> JsResult<Option<Format>> {
    let Some(name) = text(options, "format")? else {
        let is_given = |name: &str| given(options, name).is_some();
        return Ok(VERSIONS.into_iter().any(is_given).then_some(Format::Icechunk));
    };
    let format = Format::named(&name).ok_or_else(|| {
        let known = Format::NAMED.map(Format::name).join(", ");
        Error::Unsupported {
            feature: format!("the format {name:?}"),
            reason: format!("the option format must be one of {known}"),
        }
    })?;
    Ok(Some(format))
}

/// Parses the option `proposals`, a list of names.
fn proposals(options: &JsValue) -> JsResult<Vec<Proposal>> {
    let names = list(options, "proposals", JsValue::as_string)?.unwrap_or_default();
    let proposal = |name: String| {
        Proposal::named(&name).ok_or_else(|| {
            let known = Proposal::ALL.map(Proposal::name).join(", ");
            Error::Unsupported {
                feature: format!("the proposal {name:?}"),
                reason: format!("the option proposals may list {known}"),
            }
            .into()
        })
    };
    names.into_iter().map(proposal).gathered()
}
