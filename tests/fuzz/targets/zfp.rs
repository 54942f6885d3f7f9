//! ZFP's streams of one to four axes: a byte that chooses the type, how many, and the mode of streams without a header;
//! then the axes' lengths, and the stream.
#![no_main]

use rectilinear_zarr_fuzz::{ZFP_TYPES, document, read};
use serde_json::json;

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let Some((&choice, rest)) = input.split_first() else { return };
    let rank = usize::from(choice >> 2 & 3) + 1;
    let Some((edges, stream)) = rest.split_at_checked(rank) else { return };
    let edges: Vec<u64> = edges.iter().map(|&edge| u64::from(edge).max(1)).collect();
    let data_type = ZFP_TYPES[usize::from(choice & 3)];
    let codec = match choice >> 4 & 3 {
        0 => json!("numcodecs.zfpy"),
        1 => json!({ "name": "zfp", "configuration": { "mode": "reversible" } }),
        2 => json!({ "name": "zfp", "configuration": { "mode": "fixed_accuracy", "tolerance": 0.05 } }),
        _ => json!({ "name": "zfp", "configuration": { "mode": "fixed_rate", "rate": 12.5 } }),
    };
    read(&document(data_type, &edges, &edges, &json!(0), &json!([codec])), stream);
});
