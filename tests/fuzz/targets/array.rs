//! A `zarr.json`, a zero byte, and the bytes that every chunk has: any codecs in any order on any grid.
#![no_main]

use rectilinear_zarr_fuzz::read;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some(end) = input.iter().position(|&byte| byte == 0) else { return };
    read(&input[..end], &input[end + 1..]);
});
