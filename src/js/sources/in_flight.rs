//! A chunk or a shard index in flight: fetched and decoded once for all reads that wait for it.
//!
//! Invariants: a request lives as long as a read waits for it, and is dropped with the last read that leaves; a failure
//! reaches all reads that wait, and is then forgotten.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use wasm_bindgen::JsValue;

use super::mailbox::EventAddress;
use super::read_context::ReadContext;
use crate::js::JsResult;
use crate::js::fetch::answer::{Answered, Fetched};
use crate::js::stores::request_handle::RequestHandle;
use crate::js::workers::decoded_chunk::{Chunk, DecodedChunk};
use crate::js::workers::pool::JobHandle;
use crate::network::NumberMap;

/// Stage of a chunk or an index in flight.
pub(crate) enum FlightStage {
    /// Its bytes are requested.
    Asked,
    /// Its bytes arrived; `None` if nothing is stored.
    Stored(Option<Answered>),
    /// A worker decodes the bytes.
    Decoding(Answered, Option<JobHandle>),
    /// Its stored bytes, its decoded chunk, and whether that is the whole chunk.
    Decoded(Answered, Chunk, bool),
    /// It failed.
    Failed(JsValue),
}

/// A chunk or an index in flight, and the reads that are notified of each stage.
pub(crate) struct InFlight {
    stage: RefCell<FlightStage>,
    addresses: RefCell<Vec<EventAddress>>,
    handle: RefCell<Option<RequestHandle>>,
    /// Whether this thread must decode it, because a worker gave the job back.
    pub(crate) is_here: Cell<bool>,
    /// Key in `table`, under which other reads find it.
    key: Vec<u64>,
    table: Weak<FlightTable>,
}

/// Chunks and indexes in flight, by key.
pub(super) type FlightTable = RefCell<NumberMap<Vec<u64>, Weak<InFlight>>>;

impl InFlight {
    /// Bytes that have arrived, for one read that no other read joins.
    pub(crate) fn of_bytes(answered: Answered, address: EventAddress) -> Rc<Self> {
        Self::new(FlightStage::Stored(Some(answered)), address, (Vec::new(), Weak::new()))
    }

    pub(super) fn new(
        stage: FlightStage,
        address: EventAddress,
        (key, table): (Vec<u64>, Weak<FlightTable>),
    ) -> Rc<Self> {
        Rc::new(Self {
            stage: RefCell::new(stage),
            addresses: RefCell::new(vec![address]),
            handle: RefCell::default(),
            is_here: Cell::new(false),
            key,
            table,
        })
    }

    pub(super) fn join(&self, context: &ReadContext, address: EventAddress) {
        if let Some(handle) = &*self.handle.borrow() {
            handle.ticket().raise(context.urgency);
        }
        if !matches!(*self.stage.borrow(), FlightStage::Asked | FlightStage::Decoding(..)) {
            address.notify();
        }
        self.addresses.borrow_mut().push(address);
    }

    /// The current stage.
    pub(crate) fn stage(&self) -> std::cell::Ref<'_, FlightStage> {
        self.stage.borrow()
    }

    /// Holds the handle of its request, which withdraws the request when it is dropped.
    pub(super) fn hold(&self, handle: RequestHandle) {
        self.handle.replace(Some(handle));
    }

    /// Whether more than one read has waited for it.
    pub(crate) fn is_shared(&self) -> bool {
        self.addresses.borrow().len() > 1
    }

    /// Takes the answer to its request.
    pub(crate) fn found(&self, found: Fetched) {
        if let Some(handle) = self.handle.take() {
            handle.ticket().finish();
        }
        match found {
            Ok(Some(answered)) => self.enter(FlightStage::Stored(Some(answered))),
            Ok(None) => self.end(FlightStage::Stored(None)),
            Err(error) => self.end(FlightStage::Failed(error)),
        }
    }

    /// Enters the stage in which a worker decodes it.
    pub(crate) fn decoding(&self, answered: Answered, job: Option<JobHandle>) {
        self.stage.replace(FlightStage::Decoding(answered, job));
    }

    /// Takes a worker's result; `None` if the worker gave the job back.
    pub(crate) fn done(&self, done: Option<JsResult<(DecodedChunk, bool)>>) {
        let FlightStage::Decoding(answered, job) = self.stage.replace(FlightStage::Asked) else { return };
        drop(job);
        match done {
            Some(Ok((content, is_whole))) => self.decoded(answered, Rc::new(Some(content)), is_whole),
            Some(Err(error)) => self.end(FlightStage::Failed(error)),
            None => {
                self.is_here.set(true);
                self.enter(FlightStage::Stored(Some(answered)));
            }
        }
    }

    /// Takes its decoded chunk.
    pub(crate) fn decoded(&self, answered: Answered, chunk: Chunk, is_whole: bool) {
        self.end(FlightStage::Decoded(answered, chunk, is_whole));
    }

    /// Takes the error that it failed with.
    pub(crate) fn failed(&self, error: JsValue) {
        self.end(FlightStage::Failed(error));
    }

    /// Enters the last stage, after which no other read joins.
    fn end(&self, stage: FlightStage) {
        self.forget();
        self.enter(stage);
    }

    fn enter(&self, stage: FlightStage) {
        self.stage.replace(stage);
        let addresses = self.addresses.borrow().clone();
        addresses.iter().for_each(EventAddress::notify);
    }

    fn forget(&self) {
        let Some(table) = self.table.upgrade() else { return };
        let mut table = table.borrow_mut();
        // A later request may have taken the key by now.
        if table.get(&self.key).is_some_and(|flight| std::ptr::eq(flight.as_ptr(), self)) {
            table.remove(&self.key);
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.forget();
    }
}
