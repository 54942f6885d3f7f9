//! Decoding of inputs that are chunks, by the main module or by those that its arrays use.

use js_sys::Uint8Array;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;

use crate::js::JsResult;
use crate::js::convert::bytes::copied;
use crate::js::support::loading::{load, with_parts};
use crate::js::support::work::Work;
use crate::js::workers::stage_decoder::{StageAnswer, StageDecoder, done};
use crate::parts::{Calls, Loaded, later};
use crate::read::EncodedInput;
use crate::source::Encoding;

/// Decodes an input.
pub(super) async fn decoded(
    encoding: &Encoding,
    encoded: &Uint8Array,
    part_timeout: u64,
) -> JsResult<Uint8Array> {
    let bytes = copied(encoded);
    let decoded = with_parts(part_timeout, || {
        let input = EncodedInput::new(encoding)?;
        Ok(if input.array.is_external() { Err(input) } else { Ok(input.decode(&bytes)?) })
    });
    match decoded.await? {
        Ok(decoded) => Ok(Uint8Array::new_from_slice(&decoded)),
        Err(input) => by_stages(load(part_timeout).await?, &input, encoded).await,
    }
}

/// Decodes an input whose codecs the main module lacks.
#[later]
fn by_stages<'a>(
    part: Loaded<Calls>,
    input: &'a EncodedInput,
    encoded: &'a Uint8Array,
) -> Work<'a, Uint8Array> {
    Box::pin(async move {
        let EncodedInput { array, task } = input;
        let Some(stages) = StageDecoder::for_array(part, array, None).await?? else {
            return Ok(encoded.clone());
        };
        let answers = match stages.decode(task.job(), encoded)? {
            StageAnswer::Now(answers) => answers,
            StageAnswer::Later(promise) => JsFuture::from(promise).await?.unchecked_into(),
        };
        let (chunk, _) = done(&answers, task)?;
        Ok(Uint8Array::new_from_slice(&chunk.here().bytes))
    })
}
