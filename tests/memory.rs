//! Nothing allocates beyond what the metadata declares: bombs, claims and grids of 10^9 chunks, measured.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "native/support/mod.rs"]
mod support;

use peak_alloc::PeakAlloc;
use rectilinear_zarr::grid::AxisSelection;
use rectilinear_zarr::metadata::ArrayMetadata;
use rectilinear_zarr::output::STAGING_BYTES;
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES, Output};
use serde_json::{Value, json};
use support::{Stored, cases, document, document_with, text};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// Decoder tables and error texts; ruzstd decodes into a window of its own, of 8 MiB at most for small chunks.
const SLACK: usize = if cfg!(feature = "zstd-ruzstd") { 8 << 20 } else { 512 << 10 };

/// The most bytes in use during some work, beyond those before it.
fn peak(work: impl FnOnce()) -> usize {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    work();
    MEMORY.peak_usage().saturating_sub(before)
}

/// One test, because the measure is the process's.
#[test]
fn memory_stays_within_what_is_declared() {
    // A billion chunks from a document of a few hundred bytes.
    let million = document(&[1_000_365], &json!([[365, [1, 1_000_000]]]));
    let billion = document(&[1_000_000_365], &json!([[365, [1, 1_000_000_000]]]));
    assert!(billion.len() < 1000);
    let opened = |document: &[u8]| {
        peak(|| {
            let metadata = ArrayMetadata::parse(document).unwrap();
            let grid = &metadata.chunk_grid;
            let found = grid.chunk_at(&[grid.array_shape()[0] - 1]).unwrap();
            assert_eq!(found.coords[0], grid.shape()[0] - 1);
        })
    };
    let (small, large) = (opened(&million), opened(&billion));
    assert!(large <= small + 64, "{small} bytes for 10^6 chunks, {large} for 10^9");

    // Damaged chunks and bombs.
    let mut measured = 0;
    for case in cases("broken.json").iter().filter(|case| case["when"] == "get") {
        let stored = Stored::case(case).unwrap();
        let pipeline = &stored.array.pipeline;
        let plan = stored.array.plan(&[]).unwrap();
        for task in plan.tasks().map(Result::unwrap) {
            let Ok(encoded) = std::fs::read(stored.folder.join(task.key())) else { continue };
            let declared = usize::try_from(pipeline.decoded_size(&task.chunk_shape)).unwrap();
            let used = peak(|| drop(pipeline.decode(encoded.as_slice().into(), &task.chunk_shape)));
            let name = text(case, "name");
            assert!(used <= declared + SLACK, "{name}: {used} bytes for a chunk of {declared}");
            measured += 1;
        }
    }
    assert!(measured > 20);

    // A result of 64 MiB takes the staging buffers that chunks have come for, and no more: in chunks that lie side by side, and
    // in one chunk, which is decoded already.
    for (edges, chunk) in [(json!([[[64, 64]], [[512, 8]]]), 128 << 10), (json!([4096, 4096]), 64 << 20)] {
        let array = Array::parse(&document(&[4096, 4096], &edges), "", DEFAULT_MAX_CHUNK_BYTES).unwrap();
        let plan = array.plan(&[]).unwrap();
        let chunk = vec![1; chunk];
        let mut copied = 0;
        let used = peak(|| {
            let mut staging = plan.staging(STAGING_BYTES).unwrap();
            for task in plan.tasks().map(Result::unwrap) {
                let decoded = array.decode(&task, Some(chunk.as_slice().into())).unwrap();
                for nth in staging.of(&task.selection) {
                    let Some(buffer) = staging.put(nth, task.place(), decoded.as_ref()).unwrap() else {
                        continue;
                    };
                    for items in buffer.columns {
                        assert_eq!(items.placed().1.start, copied);
                        copied = items.placed().1.end;
                        staging.reuse(items);
                    }
                }
            }
        });
        assert_eq!(copied, 64 << 20);
        assert!(used <= 2 * (1 << 20) + SLACK, "{used} bytes for staging buffers of 1 MiB");
    }

    // One short text of each of many chunks takes no other text along.
    let document = document_with(&[64], &json!([[[2, 32]]]), "string", &json!([{ "name": "vlen-utf8" }]));
    let mut document: Value = serde_json::from_slice(&document).unwrap();
    document["fill_value"] = json!("");
    let array = Array::parse(document.to_string().as_bytes(), "", DEFAULT_MAX_CHUNK_BYTES).unwrap();
    let long = vec![b'x'; 1 << 20];
    let chunk =
        [&2u32.to_le_bytes()[..], &1u32.to_le_bytes(), b"a", &(1u32 << 20).to_le_bytes(), &long].concat();
    let texts = |start: i64| {
        let every_other = AxisSelection::Slice { start: Some(start), stop: None, step: 2 };
        let plan = array.plan(&[every_other]).unwrap();
        let mut output = Output::new(&plan).unwrap();
        for task in plan.tasks().map(Result::unwrap) {
            let decoded = array.decode(&task, Some(chunk.as_slice().into())).unwrap();
            output.put(&task, decoded.as_ref()).unwrap();
        }
        output.finish().heap.len()
    };
    let used = peak(|| assert_eq!(texts(0), 32));
    assert!(used <= SLACK, "{used} bytes for 32 letters");
    assert_eq!(texts(1), 32 << 20);
}
