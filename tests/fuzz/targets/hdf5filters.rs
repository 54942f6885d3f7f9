#![no_main]

use rectilinear_zarr_fuzz::{family, read_family};

libfuzzer_sys::fuzz_target!(|input: &[u8]| read_family(family("hdf5filters"), input));
