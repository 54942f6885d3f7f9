//! Beginning a leaf: its chunk is taken from the cache, cut out of its shard, or requested.

use std::rc::Rc;

use super::direct::add_direct;
use super::execution::Execution;
use super::row::ask_row;
use super::window::{Item, Leaf, LeafTarget, Ready, Wait};
use crate::js::JsResult;
use crate::js::chunks::sources::ChunkSource;
use crate::js::stores::request::{Answered, BoundedRequest, RequestHandle, Waiter};
use crate::network::Request;
use crate::read::{ChunkLocation, Task};

impl Execution<'_> {
    /// Begins a leaf; a shard, a row or a chunk in pieces becomes several leaves.
    pub(super) fn begin(&mut self, leaf: Leaf) -> JsResult<()> {
        let source = self.source(&leaf.task);
        if leaf.task.location == ChunkLocation::Missing {
            self.window.ready.push_back((leaf, Ready::Missing));
            return Ok(());
        }
        if let Some(request) = source.array.index_request(&leaf.task) {
            return self.begin_shard(leaf, &request);
        }
        if self.sink.reads_by_buffer()
            && let Some(stretch) = source.array.stretch(&leaf.task)
        {
            let leaf = self.first_of_row(leaf);
            return self.begin_chunk(Leaf { task: stretch, ..leaf });
        }
        let pieces = if leaf.whole.is_none() { source.pieces(&leaf.task) } else { None };
        match pieces {
            None => self.begin_chunk(leaf),
            Some(_) if leaf.task.chunks > 1 => {
                let leaf = self.first_of_row(leaf);
                self.begin(leaf)
            }
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
        let left = match self.readables {
            Some(part) => add_direct(part, self, leaf, request, true)?,
            None => Some(leaf),
        };
        if let Some(leaf) = left {
            self.ask(leaf, request, LeafTarget::Index);
        }
        Ok(())
    }

    fn begin_chunk(&mut self, mut leaf: Leaf) -> JsResult<()> {
        let source = self.source(&leaf.task);
        let ChunkLocation::Stored(request) = leaf.task.location.clone() else {
            self.window.ready.push_back((leaf, Ready::Missing));
            return Ok(());
        };
        if leaf.task.chunks > 1 && source.has_of_row(&leaf.task) {
            leaf = self.first_of_row(leaf);
        }
        if let Some(kept) = source.ready(&leaf.task) {
            self.window.ready.push_back((leaf, kept));
            return Ok(());
        }
        if let Some(whole) = &leaf.whole {
            let bytes = source.cut(&request, whole)?;
            self.window.ready.push_back((leaf, Ready::Stored(bytes, false)));
            return Ok(());
        }
        if let Some(part) = self.readables {
            match add_direct(part, self, leaf, &request, false)? {
                None => return Ok(()),
                Some(left) => leaf = left,
            }
            if leaf.task.chunks > 1 {
                match ask_row(part, self, leaf, &request) {
                    None => return Ok(()),
                    Some(row) => leaf = self.first_of_row(row),
                }
            }
        }
        self.ask(leaf, &request, LeafTarget::Chunk);
        Ok(())
    }

    /// Splits a row after its first chunk and returns that one; the rest is begun next.
    fn first_of_row(&mut self, mut leaf: Leaf) -> Leaf {
        if let Some(task) = leaf.task.after(&self.source(&leaf.task).array.keys, 1) {
            self.window.opened.push_front(Leaf { task, whole: None, chunks: leaf.chunks });
            leaf.task.chunks = 1;
        }
        leaf
    }

    /// Requests the bytes that a leaf needs, or joins a request in flight.
    pub(super) fn ask(&mut self, leaf: Leaf, request: &Request, target: LeafTarget) {
        let source = self.source(&leaf.task);
        let most = source.array.most_stored(&leaf.task);
        let (urgency, turn) = (self.context.urgency, Rc::clone(&self.context.turn));
        let send = |waiter| source.driver.ask(BoundedRequest { request, most }, urgency, &turn, waiter);
        self.wait_for(leaf, request, target, &send);
    }

    /// Waits for the bytes that a leaf needs; `send` requests them unless a request is in flight already.
    pub(super) fn wait_for(
        &mut self,
        leaf: Leaf,
        request: &Request,
        target: LeafTarget,
        send: &dyn Fn(Waiter) -> RequestHandle,
    ) {
        let source = self.source(&leaf.task);
        let (key, address) = (source.identity(&leaf.task), self.window.address());
        let number = address.number;
        let inner_chunks = source.array.chunks_of(&leaf.task);
        let flights = match target {
            LeafTarget::Index => &source.index_flights,
            LeafTarget::Whole(_) => &source.shard_flights,
            LeafTarget::Chunk => &source.chunk_flights,
        };
        let flight = flights.get(key, request, &self.context, address, send);
        self.window.wait(number, Item { leaf, wait: Wait::One(target, flight), inner_chunks });
    }
}

impl ChunkSource {
    /// A task's chunk, decoded or stored, if the cache holds it.
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
    pub(crate) fn cut(self: &ChunkSource, request: &Request, whole: &Answered) -> JsResult<Answered> {
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
