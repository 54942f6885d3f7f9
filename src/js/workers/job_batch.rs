//! Parcels as they are sent to another instance, and where in the answers that come back each chunk lies.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::Uint8Array;

use crate::error::{Gather, Result};
use crate::read::{Answer, HEAD, Job, parcel, unpack_answers};

/// The least memory that a parcel or its answers are given: so much suits most of either, and is used again.
const LEAST_BUFFER: u32 = (1 << 20) + (64 << 10);

/// The most memory in one piece that is kept to be used again, and the most pieces: those of four workers, with two parcels
/// each and room for the answers.
const LARGEST_KEPT: u32 = 4 << 20;
const KEPT_BUFFERS: usize = 16;

/// Memory of parcels and answers that have done their duty. New memory would have to be mapped and zeroed for each, and
/// taken away by the collector of garbage, which costs as much as copying.
#[derive(Default)]
pub(crate) struct BufferPool(RefCell<Vec<Uint8Array>>);

impl BufferPool {
    /// Keeps the memory that a parcel or its answers lay in.
    pub(crate) fn put(&self, bytes: &Uint8Array) {
        let (buffer, mut buffers) = (Uint8Array::new(&bytes.buffer()), self.0.borrow_mut());
        if buffer.length() <= LARGEST_KEPT && buffers.len() < KEPT_BUFFERS {
            buffers.push(buffer);
        }
    }

    /// Some of it, if there is any.
    pub(crate) fn take(&self) -> Option<Uint8Array> {
        self.0.borrow_mut().pop()
    }
}

/// Memory for so many bytes: what is given where it is large enough.
pub(crate) fn buffer_for(length: u32, buffer: Option<Uint8Array>) -> Uint8Array {
    match buffer {
        Some(buffer) if buffer.length() >= length => buffer,
        _ => Uint8Array::new_with_length(length.max(LEAST_BUFFER)),
    }
}

/// A job as it travels.
pub(crate) struct PackedJob {
    /// Of the array's codecs.
    pub(crate) description: Rc<Vec<u8>>,
    pub(crate) job: Vec<u8>,
    pub(crate) encoded: Uint8Array,
    /// Bytes of that, when it was packed.
    length: u32,
}

impl PackedJob {
    /// A job on such bytes, of an array whose codecs are described.
    pub(crate) fn new(description: &Rc<Vec<u8>>, job: Job<'_>, encoded: &Uint8Array) -> Self {
        let length = encoded.length();
        let (description, job) = (Rc::clone(description), job.packed(length as usize));
        Self { description, job, encoded: encoded.clone(), length }
    }

    /// Whether the bytes are no longer what they were: transferred, or cut short.
    pub(crate) fn is_lost(&self) -> bool {
        self.encoded.length() != self.length
    }
}

/// A parcel of jobs of one array, in memory of its own: what it is copied from is not to be detached.
pub(crate) fn message(jobs: &[&PackedJob], buffer: Option<Uint8Array>) -> Option<Uint8Array> {
    let description = &jobs.first()?.description;
    let head = parcel(description, jobs.iter().map(|packed| packed.job.as_slice()));
    let mut at = u32::try_from(head.len()).ok()?;
    let lengths = jobs.iter().map(|packed| packed.encoded.length());
    let length = lengths.fold(at, u32::saturating_add);
    let message = buffer_for(length, buffer).subarray(0, length);
    message.subarray(0, at).copy_from(&head);
    for PackedJob { encoded, .. } in jobs {
        // To copy from an array that was transferred fails, though it has nothing.
        if encoded.length() > 0 {
            message.set(encoded, at);
        }
        at += encoded.length();
    }
    Some(message)
}

/// Answer to each job of a parcel, and where its contents begin; nothing where the answers are not whole.
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
