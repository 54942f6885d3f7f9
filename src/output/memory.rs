//! The one place where a number of bytes becomes memory.
//!
//! Invariant: in this room, a size from the network is converted, and memory for it taken, by these
//! functions; where there is too little, the result is an error and not a trap.

use std::cell::Cell;

use rectilinear_zarr_kernels::room;

use crate::error::{Error, Result};

/// A number of bytes as a size in memory.
///
/// # Errors
/// [`Error::Unsupported`] where this machine cannot address it (2 GiB in WebAssembly).
pub(crate) fn to_memory(bytes: u64) -> Result<usize> {
    usize::try_from(bytes).ok().filter(|&bytes| isize::try_from(bytes).is_ok()).ok_or_else(|| no_room(bytes))
}

/// Zeroed memory.
///
/// # Errors
/// [`Error::Unsupported`] where there is too little.
pub(crate) fn buffer(bytes: usize) -> Result<Vec<u8>> {
    let mut buffer = reserved(bytes)?;
    room::resize(&mut buffer, bytes);
    Ok(buffer)
}

/// The most memory that is kept for the next chunk: 4 MiB, of which making it zeros takes a quarter of a millisecond.
const MAX_SPARE_BYTES: usize = 4 << 20;

thread_local! {
    /// Memory of the last decoded chunk that nobody needs any more.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Memory of which each byte is to be written: what it holds, others may have left there.
///
/// # Errors
/// [`Error::Unsupported`] where there is too little.
pub(crate) fn unwritten(bytes: usize) -> Result<Vec<u8>> {
    let mut spare = SPARE.take();
    if spare.capacity() < bytes {
        return buffer(bytes);
    }
    room::resize(&mut spare, bytes);
    Ok(spare)
}

/// Has memory used again for the next chunk.
pub(crate) fn give_back(memory: Vec<u8>) {
    if memory.capacity() <= MAX_SPARE_BYTES {
        SPARE.set(memory);
    }
}

/// Empty memory with room for so many bytes.
pub(crate) fn reserved(bytes: usize) -> Result<Vec<u8>> {
    let mut buffer = Vec::new();
    make_room(&mut buffer, bytes)?;
    Ok(buffer)
}

/// Room for so many bytes more, and no more than that.
pub(crate) fn make_room(buffer: &mut Vec<u8>, bytes: usize) -> Result<()> {
    buffer.try_reserve_exact(bytes).map_err(|_| no_room(bytes as u64))
}

/// That there is too little memory.
pub(crate) fn no_room(bytes: u64) -> Error {
    Error::Unsupported {
        feature: format!("a piece of {bytes} bytes"),
        reason: "there is not enough memory for it; select less at once".to_owned(),
    }
}
