//! Any bytes as a `.zarray`, a zero byte, and any as its `.zattrs`; what opens is planned on.
#![no_main]

use rectilinear_zarr::metadata::{ArrayMetadata, Json};
use rectilinear_zarr::read::Array;
use rectilinear_zarr_fuzz::{MAX_CHUNK_BYTES, bounded};

libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    bounded(input.len(), || {
        let mut documents = input.splitn(2, |&byte| byte == 0).map(|document| Json::parse(document).ok());
        let (Some(Some(zarray)), zattrs) = (documents.next(), documents.next().flatten()) else { return };
        let metadata = ArrayMetadata::from_v2(Json::root(&zarray), zattrs.as_ref().map(Json::root));
        let Ok(array) = metadata.and_then(|metadata| Array::new(metadata, "a", MAX_CHUNK_BYTES)) else {
            return;
        };
        let plan = array.plan(&[]).expect("the whole can be planned");
        let _ = (plan.chunks(), plan.output_size(), plan.tasks().take(20).all(|task| task.is_ok()));
    });
});
