//! Time of a look-up on an axis, by number of chunks (should be flat) and by number of runs (logarithmic).
//!
//! Run by `make bench`. Prints nanoseconds for each random `chunkAt`, and the bytes that an opened array takes.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::print_stdout)]

use std::fmt::Write;
use std::hint::black_box;
use std::time::Instant;

use fastrand::Rng;
use peak_alloc::PeakAlloc;
use rectilinear_zarr::metadata::ArrayMetadata;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

const LOOK_UPS: usize = 200_000;
const ROUNDS: usize = 15;

/// A year, then single days: few runs, any number of chunks.
fn many_chunks(chunks: u64) -> (u64, String) {
    (365 + chunks, format!("[365, [1, {chunks}]]"))
}

/// Runs of alternating edges, a thousand chunks each.
fn many_runs(runs: u64) -> (u64, String) {
    let mut list = String::new();
    for run in 0..runs {
        let _ = write!(list, "{}[{}, 1000]", if run == 0 { "" } else { "," }, 1 + run % 2);
    }
    let extent = (0..runs).map(|run| 1000 * (1 + run % 2)).sum();
    (extent, format!("[{list}]"))
}

struct Measured {
    document: usize,
    open_us: f64,
    memory: usize,
    look_up_ns: f64,
}

fn measure(extent: u64, chunk_shapes: &str) -> Measured {
    let document = format!(
        r#"{{"zarr_format":3,"node_type":"array","shape":[{extent}],"data_type":"float32","fill_value":0,
        "chunk_grid":{{"name":"rectilinear","configuration":{{"kind":"inline","chunk_shapes":[{chunk_shapes}]}}}},
        "chunk_key_encoding":{{"name":"default"}},"codecs":[{{"name":"bytes","configuration":{{"endian":"little"}}}}]}}"#
    );
    let before = MEMORY.current_usage();
    let started = Instant::now();
    let metadata = ArrayMetadata::parse(document.as_bytes()).unwrap();
    let open_us = started.elapsed().as_secs_f64() * 1e6;
    let memory = MEMORY.current_usage() - before;

    let mut rng = Rng::with_seed(8);
    let places: Vec<u64> = (0..LOOK_UPS).map(|_| rng.u64(0..extent)).collect();
    let axis = &metadata.chunk_grid.axes()[0];
    let mut times: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let started = Instant::now();
            let sum: u64 = places.iter().filter_map(|&place| axis.chunk_at(black_box(place))).sum();
            black_box(sum);
            started.elapsed().as_secs_f64() * 1e9 / LOOK_UPS as f64
        })
        .collect();
    times.sort_by(f64::total_cmp);
    Measured { document: document.len(), open_us, memory, look_up_ns: times[ROUNDS / 2] }
}

fn table(title: &str, unit: &str, rows: impl Iterator<Item = (u64, Measured)>) {
    println!("\n{title}");
    println!(
        "{unit:>14} {:>14} {:>10} {:>12} {:>12} {:>9}",
        "zarr.json, B", "open, us", "memory, B", "look-up, ns", "ratio"
    );
    let mut first = None;
    for (size, Measured { document, open_us, memory, look_up_ns }) in rows {
        let base = *first.get_or_insert(look_up_ns);
        let ratio = look_up_ns / base;
        println!("{size:>14} {document:>14} {open_us:>10.1} {memory:>12} {look_up_ns:>12.1} {ratio:>9.2}");
    }
}

fn main() {
    let chunks = [3, 6, 9].map(|power| 10u64.pow(power));
    let by_chunks = chunks.into_iter().map(|chunks| {
        let (extent, list) = many_chunks(chunks);
        (chunks, measure(extent, &list))
    });
    table("Axis of two runs, by number of chunks (flat is right)", "chunks", by_chunks);

    let runs = [2, 3, 4, 5].map(|power| 10u64.pow(power));
    let by_runs = runs.into_iter().map(|runs| {
        let (extent, list) = many_runs(runs);
        (runs, measure(extent, &list))
    });
    table("Axis of 1000-chunk runs, by number of runs (logarithmic is right)", "runs", by_runs);
}
