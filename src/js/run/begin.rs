//! The beginning of a leaf: kept or on its way already, cut out of its shard, or asked for.

use super::execution::Execution;
use super::window::{Item, Leaf, Ready, Wait};
use crate::js::JsResult;
use crate::js::fetch::store_driver::Answered;
use crate::js::sources::array_source::ArraySource;
use crate::read::Task;
use crate::source::{ChunkLocation, Request};

impl Execution<'_> {
    /// Begins a leaf.
    pub(super) fn begin(&mut self, leaf: Leaf) -> JsResult<()> {
        let source = self.source(&leaf.task);
        if leaf.task.location == ChunkLocation::Missing {
            self.window.ready.push_back((leaf, Ready::Missing));
            return Ok(());
        }
        if let Some(request) = source.array.index_request(&leaf.task) {
            return self.begin_shard(leaf, &request);
        }
        if self.sink.is_banded()
            && let Some(stretch) = source.array.stretch(&leaf.task)
        {
            if let Some(task) = leaf.task.after(&source.array, 1) {
                self.window.opened.push_front(Leaf { task, whole: None, chunks: leaf.chunks });
            }
            return self.begin_chunk(Leaf { task: stretch, ..leaf });
        }
        let pieces = if leaf.whole.is_none() { source.pieces(&leaf.task) } else { None };
        match pieces {
            None => self.begin_chunk(leaf),
            Some(pieces) => {
                let last = pieces.len().saturating_sub(1);
                pieces.into_iter().enumerate().try_for_each(|(nth, task)| {
                    let chunks = if nth == last { leaf.chunks } else { 0 };
                    self.begin_chunk(Leaf { task, whole: None, chunks })
                })
            }
        }
    }

    fn begin_shard(&mut self, leaf: Leaf, request: &Request) -> JsResult<()> {
        let source = self.source(&leaf.task);
        let key = source.identity(&leaf.task);
        if let Some(index) = source.indexed(&key) {
            return self.open(leaf, &index);
        }
        if let Some(whole) = &leaf.whole {
            let index = source.cut(request, whole)?;
            return self.open_with(leaf, Some(index));
        }
        if source.index_flights.is_empty() && self.is_direct(source) {
            return self.add_direct(leaf, request, true);
        }
        self.ask_for_index(leaf, request);
        Ok(())
    }

    /// Asks for the index of a leaf's shard, or joins who asks for it.
    pub(super) fn ask_for_index(&mut self, leaf: Leaf, request: &Request) {
        let source = self.source(&leaf.task);
        let (address, most) = (self.window.address(), source.array.most_stored(&leaf.task));
        let number = address.number;
        let send =
            |waiter| source.driver.ask((request, most), self.context.urgency, &self.context.turn, waiter);
        let key = source.identity(&leaf.task);
        let flight = source.index_flights.get(key, (request, &self.context), address, send);
        self.window.wait(number, Item { leaf, wait: Wait::Index(flight) });
    }

    fn begin_chunk(&mut self, mut leaf: Leaf) -> JsResult<()> {
        let source = self.source(&leaf.task);
        let ChunkLocation::Stored(request) = leaf.task.location.clone() else {
            self.window.ready.push_back((leaf, Ready::Missing));
            return Ok(());
        };
        if let Some(kept) = source.ready(&leaf.task) {
            self.window.ready.push_back((leaf, kept));
            return Ok(());
        }
        if let Some(whole) = &leaf.whole {
            let bytes = source.cut(&request, whole)?;
            self.window.ready.push_back((leaf, Ready::Stored(bytes, false)));
            return Ok(());
        }
        if source.chunk_flights.is_empty() && self.is_direct(source) {
            return self.add_direct(leaf, &request, false);
        }
        // The chunks of a row are asked for one by one.
        if let Some(task) = leaf.task.after(&source.array, 1) {
            self.window.opened.push_front(Leaf { task, whole: None, chunks: leaf.chunks });
            leaf.task.chunks = 1;
        }
        self.ask_for(leaf, &request);
        Ok(())
    }

    /// Asks for the bytes of a leaf's chunk, or joins who asks for them.
    pub(super) fn ask_for(&mut self, leaf: Leaf, request: &Request) {
        let source = self.source(&leaf.task);
        let (address, most) = (self.window.address(), source.array.most_stored(&leaf.task));
        let number = address.number;
        let send =
            |waiter| source.driver.ask((request, most), self.context.urgency, &self.context.turn, waiter);
        let key = source.identity(&leaf.task);
        let flight = source.chunk_flights.get(key, (request, &self.context), address, send);
        self.window.wait(number, Item { leaf, wait: Wait::Chunk(flight) });
    }
}

impl ArraySource {
    /// A task's chunk as it is kept, if it is.
    fn ready(&self, task: &Task) -> Option<Ready> {
        if self.cache.is_empty() {
            return None;
        }
        if let Some(chunk) = self.kept(task) {
            return Some(if chunk.is_none() { Ready::Missing } else { Ready::Chunk(chunk) });
        }
        let bytes = self.kept_bytes(task)?;
        Some(Ready::Stored(Answered::of_array(bytes), true))
    }

    /// Cuts the part that a request asks for out of the whole value.
    pub(super) fn cut(self: &ArraySource, request: &Request, whole: &Answered) -> JsResult<Answered> {
        let length = whole.bytes.length();
        match request.range.of_length(length.into()) {
            Some(part) => {
                let bytes = whole.bytes.part(part);
                Ok(Answered { bytes, is_whole: false, whole: Some(length) })
            }
            None => Err(self.driver.store().unfit(request, None, length)),
        }
    }
}
