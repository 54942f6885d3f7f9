//! The functions of a module with one codec: they take and give packed bytes.

use super::answer::answers;
use super::call::CodecCall;
use crate::error::{Error, Result, Unpacker};
use crate::metadata::looks_like_html;

/// Answers whether the module decodes what the head of a message asks for: no answers where it does, else one error.
#[must_use]
pub fn codec_support(message: &[u8]) -> Vec<u8> {
    reply(message, true)
}

/// Decodes the bytes of a message; returns the packed answer. No answer, and after it the name of another module, asks
/// for the message to be sent to that module.
#[must_use]
pub fn codec_answer(message: &[u8]) -> Vec<u8> {
    reply(message, false)
}

/// The reply to both, because two functions would each have a copy of the code that reads messages.
fn reply(message: &[u8], is_query: bool) -> Vec<u8> {
    let mut other = "";
    let done = opened(message).and_then(|(call, encoded)| {
        if is_query {
            return call.check().map(|()| None);
        }
        if let Some(module) = call.elsewhere(encoded) {
            other = module;
            return Ok(None);
        }
        call.decode(encoded).map(Some).map_err(|error| error.of_page(looks_like_html(encoded)))
    });
    let done: Vec<_> = done.transpose().map(|done| done.map(|decoded| (decoded, true))).into_iter().collect();
    let mut all = answers(&done);
    done.iter().flatten().for_each(|(decoded, _)| all.extend_from_slice(&decoded.bytes));
    all.extend_from_slice(other.as_bytes());
    all
}

/// The call in a message, and its bytes.
fn opened(message: &[u8]) -> Result<(CodecCall, &[u8])> {
    let cut = || Error::codec("", message.len(), "a whole message between modules");
    let mut contents = Unpacker::new(message);
    let mut head = Unpacker::new(contents.bytes().ok_or_else(cut)?);
    let call = CodecCall::unpack(&mut head)?;
    let encoded = head.length().and_then(|length| contents.raw(length)).ok_or_else(cut)?;
    Ok((call, encoded))
}
