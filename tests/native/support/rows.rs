//! Reads in rows of chunks, as from a `Map`.

use rectilinear_zarr::read::{ChunkLocation, Plan, Task};

use std::borrow::Cow;

/// Reads a plan in staging buffers of about `bytes` bytes; returns the result and the number of rows of several chunks that were
/// put in it at once. The array must be stored, without shards, and with items of one length.
pub fn read_in_rows(
    plan: &Plan<'_>,
    bytes: u64,
    stored: impl Fn(&str) -> Option<Vec<u8>>,
) -> (Vec<u8>, usize) {
    let array = plan.array();
    let mut staging = plan.staging(bytes).unwrap();
    let mut whole = vec![0; usize::try_from(plan.output_size()).unwrap()];
    let (mut memory, mut tasks, mut rows) = (Vec::new(), Vec::new(), 0);
    for mut row in plan.rows(1 << 16).map(Result::unwrap) {
        let all: Vec<Task> = (0..row.chunks)
            .filter_map(|nth| row.after(&array.keys, nth))
            .map(|mut task| {
                task.chunks = 1;
                task
            })
            .collect();
        let found: Vec<Vec<u8>> = all.iter().map_while(|task| stored(task.key())).collect();
        let lengths: Vec<u32> = found.iter().map(|bytes| u32::try_from(bytes.len()).unwrap()).collect();
        let encoded = found.concat();
        let mut whole_buffers = Vec::new();
        let mut put = 0;
        if row.chunks > 1
            && let Some(chunks) = array.decode_row(&row, &encoded, &lengths, &mut memory)
        {
            (put, rows) = (found.len(), rows + 1);
            row.chunks = put;
            for nth in staging.of(&row.selection) {
                whole_buffers.extend(staging.put(nth, row.place(), Some(&chunks)).unwrap());
            }
        }
        for task in &all[put..] {
            let ChunkLocation::Stored(request) = &task.location else {
                panic!("nothing is known to be missing")
            };
            let chunk = array.decode(task, stored(&request.key).map(Cow::Owned)).unwrap();
            for nth in staging.of(&task.selection) {
                whole_buffers.extend(staging.put(nth, task.place(), chunk.as_ref()).unwrap());
            }
        }
        tasks.extend(all);
        for items in whole_buffers.into_iter().flat_map(|buffer| buffer.columns) {
            let (items, place) = items.placed();
            whole[place].copy_from_slice(items);
        }
    }
    assert_eq!(tasks, plan.tasks().map(Result::unwrap).collect::<Vec<_>>());
    (whole, rows)
}
