//! A chunk or a shard index on its way, once for all reads that want it at one time: fetched, and decoded whole.
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
use crate::read::NumberMap;

/// Stage of a chunk or an index that is on its way.
pub(crate) enum FlightStage {
    /// Its bytes are asked for.
    Asked,
    /// Its bytes are there; nothing where nothing is stored.
    Stored(Option<Answered>),
    /// A worker decodes the bytes.
    Decoding(Answered, Option<JobHandle>),
    /// It is decoded; whether that is all of the chunk.
    Decoded(Answered, Chunk, bool),
    /// It failed.
    Failed(JsValue),
}

/// A chunk or an index on its way, and the reads that are notified of each stage.
pub(crate) struct InFlight {
    stage: RefCell<FlightStage>,
    addresses: RefCell<Vec<EventAddress>>,
    handle: RefCell<Option<RequestHandle>>,
    /// Whether it is to be decoded by this thread, as no worker took it.
    pub(crate) is_here: Cell<bool>,
    /// The key under which others find it.
    key: Vec<u64>,
    table: Weak<FlightTable>,
}

/// Chunks on their way, by key.
pub(super) type FlightTable = RefCell<NumberMap<Vec<u64>, Weak<InFlight>>>;

impl InFlight {
    /// Bytes that are there, for one read alone.
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

    /// Notes the handle of its request.
    pub(super) fn hold(&self, handle: RequestHandle) {
        self.handle.replace(Some(handle));
    }

    /// Whether more than one read has waited for it.
    pub(crate) fn is_shared(&self) -> bool {
        self.addresses.borrow().len() > 1
    }

    /// Notes the answer.
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

    /// Notes that a worker decodes it.
    pub(crate) fn decoding(&self, answered: Answered, job: Option<JobHandle>) {
        self.stage.replace(FlightStage::Decoding(answered, job));
    }

    /// Notes what a worker made of it; nothing where it gave the job back.
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

    /// Notes its decoded chunk.
    pub(crate) fn decoded(&self, answered: Answered, chunk: Chunk, is_whole: bool) {
        self.end(FlightStage::Decoded(answered, chunk, is_whole));
    }

    /// Notes that it failed.
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
        // Another one may be under way by now.
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
