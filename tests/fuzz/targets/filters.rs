#![no_main]

use rectilinear_zarr_fuzz::read_filtered;

libfuzzer_sys::fuzz_target!(|input: &[u8]| read_filtered(input));
