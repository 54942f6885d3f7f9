//! Room for bytes, which are zeros until others take their place.

/// Makes as many bytes of it as said: new ones are zeros.
///
/// Where it is compiled for size, the same is a loop over single bytes.
#[inline(never)]
pub fn resize(bytes: &mut Vec<u8>, length: usize) {
    bytes.resize(length, 0);
}
