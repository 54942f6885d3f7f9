//! Any bytes as an HDF5 file: what opens has documents, and chunks that are ranges of a file.
#![no_main]

use rectilinear_zarr_fuzz::read_original;

libfuzzer_sys::fuzz_target!(|input: &[u8]| read_original("hdf5", input));
