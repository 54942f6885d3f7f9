//! ZFP's streams of one to four axes: a byte that chooses the type and how many, their lengths, and the stream.
#![no_main]

use rectilinear_zarr_fuzz::{ZFP_TYPES, document, read};
use serde_json::json;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((&choice, rest)) = input.split_first() else { return };
    let rank = usize::from(choice >> 2 & 3) + 1;
    let Some((edges, stream)) = rest.split_at_checked(rank) else { return };
    let edges: Vec<u64> = edges.iter().map(|&edge| u64::from(edge).max(1)).collect();
    let data_type = ZFP_TYPES[usize::from(choice & 3)];
    read(&document(data_type, &edges, &edges, &json!(0), &json!(["numcodecs.zfpy"])), stream);
});
