//! Reading from a `Map`: what is in memory needs no request, no queue and no turn of the event loop.
//!
//! Invariant: the result is what the engine would have given, chunk by chunk in the plan's order, and the page still
//! breathes.

use std::borrow::Cow;
use std::rc::Rc;

use js_sys::{Map, Uint8Array};
use rectilinear_zarr_kernels as kernels;

use super::JsResult;
use super::destination::Destination;
use super::engine::{copied, subarray};
use super::map_values::{Found, MapValues};
use super::read::Progress;
use super::reader::Reader;
use super::timer::Breath;
use crate::output::Decoded;
use crate::read::{Admission, Kept, MAX_ROW, Task};
use crate::source::{ByteRange, ChunkLocation, Request};

/// Values up to this length are looked up and copied in one call: 64 KiB, of which the copy takes longer than a call.
const SMALL_BYTES: usize = 64 << 10;

/// Rows of chunks are read up to this many bytes, decoded: as many as are looked up in one call, so that both stay in the
/// cache.
const ROW_BYTES: u64 = SMALL_BYTES as u64;

/// A read from a map.
pub(super) struct AtHand<'a> {
    reader: &'a Rc<Reader>,
    map: &'a Map,
    values: MapValues<'a>,
    /// An encoded chunk, or a row of them, on its way.
    scratch: Vec<u8>,
    /// The lengths of the chunks of a row.
    lengths: [u32; MAX_ROW],
    /// A row, decoded.
    row: Vec<u8>,
    admission: Admission,
}

/// A task, with all of its shard's bytes where it lies in one.
type Within = (Task, Option<Uint8Array>);

impl<'a> AtHand<'a> {
    pub(super) fn new(reader: &'a Rc<Reader>, map: &'a Map, admission: Admission) -> Self {
        let (values, scratch) = (MapValues::new(map), vec![0; SMALL_BYTES]);
        Self { reader, map, values, scratch, lengths: [0; MAX_ROW], row: Vec::new(), admission }
    }

    /// Puts every chunk of a read in its place.
    pub(super) async fn put(
        mut self,
        output: &mut Destination<'_>,
        progress: &mut Progress<'_>,
    ) -> JsResult<()> {
        let array = &self.reader.array;
        let mut breath = Breath::new();
        let mut within = Vec::new();
        // Chunks that go past the bands are put one by one.
        let bytes = if output.scattering().is_some() { 0 } else { ROW_BYTES };
        let parts = output.parts();
        for task in parts.flat_map(|part| part.rows(bytes)) {
            let mut row = Some(task?);
            while let Some(mut task) = row {
                if let Some((lengths, items)) = self.row(&task, output.is_banded()) {
                    row = task.after(array, lengths.len());
                    task.chunks = lengths.len();
                    output.put(&task, Some(&items)).await?;
                    lengths.iter().try_for_each(|&length| progress.add(1, u64::from(length)))?;
                    breath.take_after(items.bytes.len() as u64).await;
                    continue;
                }
                // The first one ends a row that has nothing else in good order: it goes alone.
                row = task.after(array, 1);
                task.chunks = 1;
                within.push((task, None));
                while let Some((task, whole)) = within.pop() {
                    let stretch = output.is_banded().then(|| array.stretch(&task)).flatten();
                    let task = (stretch.unwrap_or(task), whole);
                    match self.inner(&task)? {
                        Some(inner) => within.extend(inner.into_iter().rev()),
                        None => self.put_chunk(&task, output, progress).await?,
                    }
                    breath.take_after(array.decoded_bytes(&task.0)).await;
                }
            }
        }
        Ok(())
    }

    /// The lengths of chunks of a row, from its first one on, and their items: as many as the map has in good order, where
    /// there are several and all of each is worth reading.
    fn row(&mut self, task: &Task, is_banded: bool) -> Option<(&[u32], Decoded<'_>)> {
        let array = &self.reader.array;
        let ChunkLocation::Stored(request) = &task.location else { return None };
        if task.chunks == 1 || is_banded && array.stretch(task).is_some() {
            return None;
        }
        let lengths = &mut self.lengths[..task.chunks];
        let found = self.values.copy_row(&request.key, &mut self.scratch, lengths);
        let lengths = &lengths[..found];
        Some((lengths, array.decode_row(task, (&self.scratch, lengths), &mut self.row)?))
    }

    /// The tasks within a task's shard; nothing where its chunk is none, or is not there.
    fn inner(&self, (task, whole): &Within) -> JsResult<Option<Vec<Within>>> {
        let array = &self.reader.array;
        let Some(request) = array.index_request(task) else { return Ok(None) };
        let Some(whole) = self.whole(&request, whole.as_ref())? else { return Ok(None) };
        let index = self.part(&request, &whole)?;
        let index = array.decode_index(task, &copied(&index))?;
        let inner = array.inner_tasks(task, &index)?;
        Ok(Some(inner.into_iter().map(|task| (task, Some(whole.clone()))).collect()))
    }

    async fn put_chunk(
        &mut self,
        within: &Within,
        output: &mut Destination<'_>,
        progress: &mut Progress<'_>,
    ) -> JsResult<()> {
        let (reader, task) = (self.reader, &within.0);
        let is_plain = reader.array.is_plain(task);
        if is_plain && self.put_stored(within, output, progress)? {
            return Ok(());
        }
        // What takes no work is as well taken from the map again, and decoded again where that is quick.
        let form = if is_plain { Kept::Not } else { self.admission.form(&reader.array, task, true) };
        let may_keep = form == Kept::Decoded && reader.array.decoded_bytes(task) > ROW_BYTES;
        if let Some(kept) = may_keep.then(|| reader.kept(task)).flatten() {
            output.put_content(task, kept.as_ref().as_ref()).await?;
            return progress.add(1, 0);
        }
        let Some(length) = self.copy(within)? else {
            output.put(task, None).await?;
            return progress.add(reader.array.chunks_of(task), 0);
        };
        let encoded = Cow::Borrowed(&self.scratch[..length]);
        let (decoded, is_whole) = if reader.array.reads_part(task) {
            let (decoded, is_whole) = reader.array.decode_part(task, encoded)?;
            (Some(decoded), is_whole)
        } else {
            (reader.array.decode(task, Some(encoded))?, true)
        };
        output.put(task, decoded.as_ref()).await?;
        if let Some(decoded) = decoded {
            if is_whole && may_keep && self.is_used_again(task) {
                reader.keep_decoded(task, &decoded);
            }
            decoded.give_back();
        }
        progress.add(1, length as u64)
    }

    /// Whether a task's chunk was used before, or is likely to be: the read takes a part of it.
    fn is_used_again(&self, task: &Task) -> bool {
        let (array, key) = (&self.reader.array, self.reader.identity(task));
        self.admission.form(array, task, false) == Kept::Decoded || self.reader.is_second_use(&key)
    }

    /// Puts a chunk whose items the map holds as the result wants them; whether it does.
    fn put_stored(
        &mut self,
        (task, whole): &Within,
        output: &Destination<'_>,
        progress: &mut Progress<'_>,
    ) -> JsResult<bool> {
        let ChunkLocation::Stored(Request { key, range: ByteRange::All }) = &task.location else {
            return Ok(false);
        };
        let Some(scattering) = output.scattering().filter(|_| whole.is_none()) else { return Ok(false) };
        let Some(strides) = self.reader.array.stored_strides(task) else { return Ok(false) };
        let length = self.reader.array.decoded_bytes(task);
        match scattering.put_value((&mut self.values, key), &task.wanted, length, &strides)? {
            Found::Bytes(_) => progress.add(1, length).map(|()| true),
            Found::Nothing | Found::Else => Ok(false),
        }
    }

    /// Copies a task's bytes to where they are decoded from, and tells how many they are; nothing where none are stored.
    fn copy(&mut self, (task, whole): &Within) -> JsResult<Option<usize>> {
        let ChunkLocation::Stored(request) = &task.location else { return Ok(None) };
        if whole.is_none() && request.range == ByteRange::All {
            match self.values.copy(&request.key, &mut self.scratch[..SMALL_BYTES]) {
                Found::Nothing => return Ok(None),
                Found::Bytes(length) => {
                    self.reader.array.check_answer(task, length)?;
                    return Ok(Some(length));
                }
                Found::Else => {}
            }
        }
        // A shard that is not there is a task that is none.
        let Some(whole) = self.whole(request, whole.as_ref())? else { return Ok(None) };
        self.reader.array.check_whole(task, whole.length() as usize)?;
        let bytes = self.part(request, &whole)?;
        let length = bytes.length() as usize;
        self.reader.array.check_answer(task, length)?;
        bytes.copy_to(room(&mut self.scratch, length));
        Ok(Some(length))
    }

    /// All of a value.
    fn whole(&self, request: &Request, whole: Option<&Uint8Array>) -> JsResult<Option<Uint8Array>> {
        match whole {
            Some(whole) => Ok(Some(whole.clone())),
            None => self.reader.engine.store().at(self.map, request),
        }
    }

    fn part(&self, request: &Request, whole: &Uint8Array) -> JsResult<Uint8Array> {
        if request.range == ByteRange::All {
            return Ok(whole.clone());
        }
        match request.range.of_length(u64::from(whole.length())) {
            Some(range) => Ok(subarray(whole, range)),
            None => Err(self.reader.engine.store().unfit(request, None, whole)),
        }
    }
}

/// The beginning of a buffer, which is as long then at least.
fn room(buffer: &mut Vec<u8>, length: usize) -> &mut [u8] {
    if buffer.len() < length {
        kernels::room::resize(buffer, length);
    }
    &mut buffer[..length]
}
