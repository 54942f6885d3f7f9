//! Ending a leaf whose codecs are in several modules, on this thread.

use std::rc::Rc;

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};

use super::execution::Execution;
use super::window::{Item, Leaf, LeafTarget, Wait};
use crate::js::JsResult;
use crate::js::chunks::in_flight::InFlight;
use crate::js::chunks::sources::JustDecoded;
use crate::js::stores::request::Answered;
use crate::js::workers::chain_decoder::{ChainAnswer, ChainDecoder, done};
use crate::parts::{Calls, Loaded, later};

/// Decodes a leaf's bytes, and waits if a module answers later. `is_kept`: the bytes come from the cache; `flight`:
/// the number of the leaf's item, and its request.
#[later]
pub(super) fn decode_by_chain(
    _: Loaded<Calls>,
    run: &mut Execution<'_>,
    chain: &ChainDecoder,
    leaf: Leaf,
    answered: Answered,
    is_kept: bool,
    flight: Option<(u32, Rc<InFlight>)>,
) -> JsResult<()> {
    let (source, task) = (run.source(&leaf.task), &leaf.task);
    let decoded = match chain.decode(task.job(), &answered.bytes.array()) {
        Ok(ChainAnswer::Now(answers)) => done(&answers, task),
        Ok(ChainAnswer::Later(promise)) => {
            let (number, flight) = flight.unwrap_or_else(|| {
                let address = run.window.address();
                (address.number, InFlight::of_bytes(answered.clone(), address))
            });
            flight.decoding(answered, None);
            let (waiting, blamed) = (Rc::downgrade(&flight), task.clone());
            spawn_local(async move {
                let answers = JsFuture::from(promise).await;
                let Some(flight) = waiting.upgrade() else { return };
                flight.done(Some(answers.and_then(|answers| done(&answers.unchecked_into(), &blamed))));
            });
            run.window.wait(number, Item::of_chunks(leaf, Wait::One(LeafTarget::Chunk, flight)));
            return Ok(());
        }
        Err(error) => Err(error),
    };
    let (content, is_whole) = decoded.map_err(|error: JsValue| {
        if let Some((_, flight)) = &flight {
            flight.failed(error.clone());
        }
        run.failed(task, error)
    })?;
    let content = Rc::new(Some(content));
    if let Some((_, flight)) = flight.filter(|(_, flight)| flight.is_shared()) {
        flight.decoded(answered.clone(), Rc::clone(&content), is_whole);
    }
    let received = if is_kept { 0 } else { answered.bytes.length() };
    run.put(&leaf, content.as_ref().as_ref(), received)?;
    if let Some(content) = content.as_ref() {
        let how = JustDecoded { is_whole, is_cached: is_kept };
        source.keep(task, &answered.bytes, run.context.admission, how, || content.to_kept());
    }
    Ok(())
}
