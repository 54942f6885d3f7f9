//! Parcels: batches of jobs in JavaScript memory that another instance of the module decodes, and its answers.
//!
//! The other instance runs in a worker, or is another module on the main thread. It holds no references: a parcel
//! describes its array's codecs, so any instance can decode it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use js_sys::Uint8Array;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::answers::reduced_apart;
use crate::codec::{Answer, AnswerKind, HEAD, answers, unpack_answers};
use crate::error::{Gather, Result};
use crate::js::JsResult;
use crate::output::Decoded;
use crate::parts::{Answers, Calls, Loaded, later};
use crate::read::{Array, BatchDecoder, Job, OpenedJob, StagePlanner, parcel};

/// Least buffer size for a batch or its answers, which suits most of them, so that buffers can be reused.
const LEAST_BUFFER: u32 = (1 << 20) + (64 << 10);

/// The largest buffer that is kept for reuse.
const LARGEST_KEPT: u32 = 4 << 20;

/// Most buffers that are kept: for eight batches of one worker, or two of each of four workers, and their answers.
const KEPT_BUFFERS: usize = 16;

/// Pool of buffers for batches and answers. A new buffer must be mapped, zeroed and garbage-collected, which costs as
/// much as copying.
#[derive(Default)]
pub(crate) struct BufferPool(RefCell<Vec<Uint8Array>>);

impl BufferPool {
    /// Returns the buffer of a batch or its answers to the pool.
    pub(crate) fn put(&self, bytes: &Uint8Array) {
        let (buffer, mut buffers) = (Uint8Array::new(&bytes.buffer()), self.0.borrow_mut());
        if buffer.length() <= LARGEST_KEPT && buffers.len() < KEPT_BUFFERS {
            buffers.push(buffer);
        }
    }

    /// Takes a buffer from the pool, if there is one.
    pub(crate) fn take(&self) -> Option<Uint8Array> {
        self.0.borrow_mut().pop()
    }
}

/// The given buffer if it has `length` bytes, else a new one.
pub(crate) fn buffer_for(length: u32, buffer: Option<Uint8Array>) -> Uint8Array {
    match buffer {
        Some(buffer) if buffer.length() >= length => buffer,
        _ => Uint8Array::new_with_length(length.max(LEAST_BUFFER)),
    }
}

/// Description of an array's codecs, as bytes, and the number of the array.
pub(crate) struct ArrayDescription {
    pub(crate) number: u64,
    pub(crate) bytes: Vec<u8>,
}

impl ArrayDescription {
    pub(crate) fn new(array: &Array) -> Rc<Self> {
        Rc::new(Self { number: new_number(), bytes: array.description() })
    }
}

/// A number by which jobs of one array share batches; none is given twice.
pub(crate) fn new_number() -> u64 {
    NUMBERS.replace(NUMBERS.get() + 1)
}

/// A job packed for transfer.
pub(crate) struct PackedJob {
    pub(crate) description: Rc<ArrayDescription>,
    pub(crate) job: Vec<u8>,
    pub(crate) encoded: Uint8Array,
    /// Compiled modules that the array needs beside the main one.
    pub(crate) modules: Option<JsValue>,
    /// Length of `encoded` when the job was packed.
    length: u32,
}

impl PackedJob {
    /// Packs a job on encoded bytes, of an array with this description.
    pub(crate) fn new(
        description: &Rc<ArrayDescription>,
        job: Job<'_>,
        encoded: &Uint8Array,
        modules: Option<JsValue>,
    ) -> Self {
        let length = encoded.length();
        let (description, job) = (Rc::clone(description), job.packed(length as usize));
        Self { description, job, encoded: encoded.clone(), modules, length }
    }

    /// Whether the encoded bytes were detached or shortened since.
    pub(crate) fn is_lost(&self) -> bool {
        self.encoded.length() != self.length
    }
}

/// Makes a batch from jobs of one array. Their bytes are copied, so that no buffer of the store is detached.
pub(crate) fn message(jobs: &[&PackedJob], buffer: Option<Uint8Array>) -> Option<Uint8Array> {
    let description = &jobs.first()?.description;
    let head = parcel(&description.bytes, jobs.iter().map(|packed| packed.job.as_slice()));
    let mut at = u32::try_from(head.len()).ok()?;
    let lengths = jobs.iter().map(|packed| packed.encoded.length());
    let length = lengths.fold(at, u32::saturating_add);
    let message = buffer_for(length, buffer).subarray(0, length);
    message.subarray(0, at).copy_from(&head);
    for PackedJob { encoded, .. } in jobs {
        // Copying from a detached array throws, even though it is empty.
        if encoded.length() > 0 {
            message.set(encoded, at);
        }
        at += encoded.length();
    }
    Some(message)
}

/// Answer to each job of a batch, with the offset of its contents; `None` where the answers are incomplete.
pub(crate) fn unpacked(answers: &Uint8Array) -> Option<Vec<(Result<Answer>, u32)>> {
    let start = u32::try_from(HEAD).ok()?;
    let length = u64::from_le_bytes(answers.subarray(0, start).to_vec().try_into().ok()?);
    let mut at = start.checked_add(u32::try_from(length).ok()?)?;
    let found = unpack_answers(&answers.subarray(start, at).to_vec())?.into_iter().map(|answer| {
        let start = at;
        if let Ok(Answer { items, heap, .. }) = &answer {
            at = at.checked_add(u32::try_from(items.checked_add(*heap)?).ok()?)?;
        }
        Some((answer, start))
    });
    let found = found.gathered()?;
    (at == answers.length()).then_some(found)
}

thread_local! {
    static NUMBERS: Cell<u64> = const { Cell::new(0) };
    static DECODER: RefCell<BatchDecoder> = const { RefCell::new(BatchDecoder::new()) };
    static PLANNER: RefCell<StagePlanner> = const { RefCell::new(StagePlanner::new()) };
}

/// Plans the jobs of a batch from its head, without the head's length.
#[wasm_bindgen(js_name = planParcel, skip_typescript)]
pub fn plan_parcel(head: &[u8]) -> JsResult<Vec<u8>> {
    Ok(planned(Loaded::get()?, head))
}

#[later]
fn planned(_: Loaded<Calls>, head: &[u8]) -> Vec<u8> {
    PLANNER.with_borrow_mut(|planner| planner.plan(head))
}

/// Decodes a batch of jobs. The answers are in memory that can be transferred: in `buffer` if it is large enough.
#[wasm_bindgen(js_name = decodeParcel, skip_typescript)]
pub fn decode_parcel(parcel: &[u8], buffer: Option<Uint8Array>) -> JsResult<Uint8Array> {
    decoded(Loaded::get()?, parcel, buffer)
}

#[later]
fn decoded(_: Loaded<Calls>, parcel: &[u8], buffer: Option<Uint8Array>) -> JsResult<Uint8Array> {
    let opened = DECODER.with_borrow_mut(|decoder| decoder.open(parcel))?;
    let done: Vec<_> = opened.into_iter().map(reduced).collect();
    let head = answers(&done);
    let contents = done.iter().flatten().flat_map(|(decoded, _)| [&*decoded.bytes, &*decoded.heap]);
    Ok(joined(&head, contents, buffer))
}

/// The answer to a job: its items, or what its reduction makes of them, where this instance can reduce.
fn reduced(job: OpenedJob<'_>) -> Result<(Decoded<'_>, AnswerKind)> {
    let (decoded, is_whole) = job.done?;
    match Loaded::get() {
        Ok(part) if !job.reduction.is_empty() => {
            let answer = reduce(part, job.reduction, &decoded)?;
            decoded.give_back();
            Ok((Decoded { bytes: answer.into(), ..Decoded::default() }, AnswerKind::Reduced))
        }
        _ => Ok((decoded, is_whole.into())),
    }
}

#[later]
fn reduce(_: Loaded<Answers>, reduction: &[u8], decoded: &Decoded<'_>) -> Result<Vec<u8>> {
    reduced_apart(reduction, decoded)
}

/// Copies parts one after the other out of this instance's memory.
fn joined<'a>(
    head: &'a [u8],
    contents: impl Iterator<Item = &'a [u8]> + Clone,
    buffer: Option<Uint8Array>,
) -> Uint8Array {
    let all = std::iter::once(head).chain(contents);
    let size = |part: &[u8]| u32::try_from(part.len()).unwrap_or(u32::MAX);
    let length = all.clone().map(size).fold(0, u32::saturating_add);
    let bytes = buffer_for(length, buffer).subarray(0, length);
    let mut at = 0;
    for part in all {
        bytes.subarray(at, at + size(part)).copy_from(part);
        at += size(part);
    }
    bytes
}
