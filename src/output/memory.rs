//! Allocation of memory whose size comes from the network.
//!
//! Invariant: this room converts such sizes, and allocates memory for them, only with these functions;
//! if there is not enough memory, they return an error instead of aborting.

use std::cell::Cell;

use rectilinear_zarr_kernels::for_speed::resize;

use crate::error::{Error, Result};

/// Converts a number of bytes to a size in memory.
///
/// # Errors
/// [`Error::Unsupported`] if it exceeds the address space (2 GiB in WebAssembly).
pub(crate) fn to_memory(bytes: u64) -> Result<usize> {
    usize::try_from(bytes).ok().filter(|&bytes| isize::try_from(bytes).is_ok()).ok_or_else(|| no_room(bytes))
}

/// Zeroed memory.
///
/// # Errors
/// [`Error::Unsupported`] if there is not enough.
pub(crate) fn buffer(bytes: usize) -> Result<Vec<u8>> {
    let mut buffer = reserved(bytes)?;
    resize(&mut buffer, bytes);
    Ok(buffer)
}

/// The most memory that is kept for the next chunk: 4 MiB, which takes a quarter of a millisecond to fill with zeros.
const MAX_SPARE_BYTES: usize = 4 << 20;

thread_local! {
    /// Memory of the last decoded chunk that is not needed any more.
    static SPARE: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

/// Memory with arbitrary content, of which the caller must write every byte.
///
/// # Errors
/// [`Error::Unsupported`] if there is not enough.
pub(crate) fn unwritten(bytes: usize) -> Result<Vec<u8>> {
    let mut spare = SPARE.take();
    if spare.capacity() < bytes {
        return buffer(bytes);
    }
    resize(&mut spare, bytes);
    Ok(spare)
}

/// Keeps memory for the next chunk.
pub(crate) fn give_back(memory: Vec<u8>) {
    if memory.capacity() <= MAX_SPARE_BYTES {
        SPARE.set(memory);
    }
}

/// An empty buffer with room for this many bytes.
pub(crate) fn reserved(bytes: usize) -> Result<Vec<u8>> {
    let mut buffer = Vec::new();
    make_room(&mut buffer, bytes)?;
    Ok(buffer)
}

/// Reserves room for exactly this many more bytes.
pub(crate) fn make_room(buffer: &mut Vec<u8>, bytes: usize) -> Result<()> {
    buffer.try_reserve_exact(bytes).map_err(|_| no_room(bytes as u64))
}

/// The error that there is not enough memory.
pub(crate) fn no_room(bytes: u64) -> Error {
    Error::Unsupported {
        feature: format!("a buffer of {bytes} bytes"),
        reason: "there is not enough memory for it; select less at once".to_owned(),
    }
}
