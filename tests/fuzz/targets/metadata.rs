//! Any bytes as a `zarr.json`; what opens is planned on, however many chunks it has.
#![no_main]

use rectilinear_zarr::read::Array;
use rectilinear_zarr_fuzz::{MAX_CHUNK_BYTES, bounded};

libfuzzer_sys::fuzz_target!(|document: &[u8]| {
    bounded(document.len(), || {
        let Ok(array) = Array::parse(document, "a/b", MAX_CHUNK_BYTES) else { return };
        let grid = &array.metadata.chunk_grid;
        let _ = (grid.is_regular(), grid.bounds(&vec![0; grid.shape().len()]));
        if let Some(last) =
            grid.array_shape().iter().map(|extent| extent.checked_sub(1)).collect::<Option<Vec<_>>>()
        {
            let found = grid.chunk_at(&last).expect("the last item is in a chunk");
            assert!(grid.bounds(&found.coords).is_some_and(|bounds| {
                bounds.iter().zip(&last).all(|(span, at)| (span.start..span.stop).contains(at))
            }));
        }
        let plan = array.plan(&[]).expect("the whole can be planned");
        let _ = (plan.chunks(), plan.output_size());
        for task in plan.tasks().take(20) {
            let Ok(task) = task else { return };
            let _ = array.index_request(&task);
        }
    });
});
