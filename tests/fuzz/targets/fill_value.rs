//! Any fill value, a zero byte, and any data type.
#![no_main]

use rectilinear_zarr::metadata::DataType;
use rectilinear_zarr_fuzz::{document, read};
use serde_json::{Value, json};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    let mut parts = input.splitn(2, |&byte| byte == 0).map(|part| serde_json::from_slice::<Value>(part).ok());
    let (Some(Some(fill)), Some(Some(data_type))) = (parts.next(), parts.next()) else { return };
    let names = DataType::names();
    // A number is one of the names.
    let data_type = match data_type.as_u64().and_then(|nth| names.get(usize::try_from(nth).ok()?)) {
        Some(name) => json!(name),
        None => data_type,
    };
    for codec in ["bytes", "vlen-utf8", "vlen-bytes"] {
        let mut document: Value =
            serde_json::from_slice(&document("", &[3], &[2], &fill, &json!([codec]))).expect("a document");
        document["data_type"] = data_type.clone();
        read(document.to_string().as_bytes(), &[]);
    }
});
