//! Any bytes as a TIFF file: what opens has documents, and chunks that are ranges of a file.
#![no_main]

use rectilinear_zarr_fuzz::read_original;

libfuzzer_sys::fuzz_target!(|input: &[u8]| read_original("tiff", input));
