//! The exported functions that open an array or a group from a source.

use js_sys::Promise;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::AbortSignal;

use super::array::RectilinearArray;
use super::group::Group;
use crate::js::JsResult;
use crate::js::chunks::open_settings::DocumentPlace;
use crate::js::chunks::sources::JoinedSources;
use crate::js::open::context::{OpenContext, found};
use crate::js::open::hierarchy::Hierarchy;
use crate::js::options::open_options::OpenOptions;
use crate::js::stores::probe::Probe;
use crate::js::support::loading::load;
use crate::js::support::work::{Cancellation, Work, promise};
use crate::parts::{Loaded, Opening, later};

/// Implementation of `RectilinearArray.open`, which calls this once the module is compiled.
#[wasm_bindgen(js_name = openArray, skip_typescript)]
pub fn open_array(source: JsValue, options: JsValue) -> Promise {
    promise(async move {
        let (options, cancellation) = asked(&options)?;
        let signal = cancellation.signal()?;
        let work = async {
            let (opened, (metadata, key)) =
                found(&source, options, &signal, async |probe: Probe<'_>| probe.array(&[]).await).await?;
            let OpenContext { driver, settings, path, .. } = opened;
            let around = Hierarchy::around(&driver, &settings, metadata.zarr_format);
            let sources =
                JoinedSources::open(&driver, settings, metadata, DocumentPlace { path: &path, key: &key })
                    .await?;
            Ok(RectilinearArray::new(sources).beside(around))
        };
        cancellation.run(work).await.map(JsValue::from)
    })
}

/// Implementation of `Group.open`, which calls this once the module is compiled.
#[wasm_bindgen(js_name = openGroup, skip_typescript)]
pub fn open_group(source: JsValue, options: JsValue) -> Promise {
    promise(async move {
        let (options, cancellation) = asked(&options)?;
        let signal = cancellation.signal()?;
        let work = async {
            let part = load(options.network.http.timeout).await?;
            group(part, source, options, &signal).await
        };
        cancellation.run(work).await.map(JsValue::from)
    })
}

#[later]
fn group(
    part: Loaded<Opening>,
    source: JsValue,
    options: OpenOptions,
    signal: &AbortSignal,
) -> Work<'_, Group> {
    Box::pin(async move {
        let (opened, (metadata, key)) =
            found(&source, options, signal, async |probe: Probe<'_>| probe.group(&[]).await).await?;
        Group::new(part, opened.driver, opened.settings, opened.path, metadata, key).await
    })
}

/// Options of both functions, and the cancellation of the call.
fn asked(options: &JsValue) -> JsResult<(OpenOptions, Cancellation)> {
    let mut options = OpenOptions::parse(options)?;
    let cancellation = Cancellation::new(options.signal.take())?;
    Ok((options, cancellation))
}
