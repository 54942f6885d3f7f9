//! Chunks and shard indexes on their way, each once for all reads that want it at one time: fetched, and decoded whole.
//!
//! Invariants: work goes on for as long as anyone waits for it, and is dropped with the last one who leaves; a failure is
//! told to all who wait and then forgotten.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use wasm_bindgen::JsValue;

use super::mailbox::EventAddress;
use super::read_context::ReadContext;
use crate::js::JsResult;
use crate::js::fetch::store_driver::{Answered, Fetched, Waiter};
use crate::js::stores::request_handle::RequestHandle;
use crate::js::workers::decoded_chunk::{Chunk, DecodedChunk};
use crate::js::workers::pool::JobHandle;
use crate::read::NumberMap;
use crate::source::Request;

/// How far something on its way is.
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

/// Something on its way, and who is told of each stage.
pub(crate) struct InFlight {
    stage: RefCell<FlightStage>,
    addresses: RefCell<Vec<EventAddress>>,
    handle: RefCell<Option<RequestHandle>>,
    /// Whether it is to be decoded by this thread, as no worker took it.
    pub(crate) is_here: Cell<bool>,
    /// The key under which others find it.
    key: Vec<u64>,
    table: Weak<Table>,
}

type Table = RefCell<NumberMap<Vec<u64>, Weak<InFlight>>>;

/// Requests on their way, by key.
#[derive(Default)]
pub(crate) struct SingleFlight(Rc<Table>);

impl SingleFlight {
    /// Whether nothing is on its way.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// The request under a key, raised to the read's urgency, or the one that `send` begins now; each stage from now on is
    /// reported to the address.
    pub(crate) fn get(
        &self,
        key: Vec<u64>,
        (request, context): (&Request, &ReadContext),
        address: EventAddress,
        send: impl FnOnce(Waiter) -> RequestHandle,
    ) -> Rc<InFlight> {
        if let Some(flight) = self.joined(&key, context, &address) {
            return flight;
        }
        let flight = InFlight::new(FlightStage::Asked, address, (key.clone(), Rc::downgrade(&self.0)));
        self.0.borrow_mut().insert(key, Rc::downgrade(&flight));
        let (weak, range) = (Rc::downgrade(&flight), request.range.clone());
        let handle = send(Box::new(move |start: u64, found: &Fetched| {
            if let Some(flight) = weak.upgrade() {
                flight.found(found.clone().map(|found| found.map(|found| found.part(start, &range))));
            }
        }));
        flight.handle.replace(Some(handle));
        flight
    }

    /// The request on its way under a key, if there is one, raised to the read's urgency.
    pub(crate) fn joined(
        &self,
        key: &[u64],
        context: &ReadContext,
        address: &EventAddress,
    ) -> Option<Rc<InFlight>> {
        let flight = self.0.borrow().get(key).and_then(Weak::upgrade)?;
        flight.join(context, address.clone());
        Some(flight)
    }
}

impl InFlight {
    /// Bytes that are there, for one read alone.
    pub(crate) fn of_bytes(answered: Answered, address: EventAddress) -> Rc<Self> {
        Self::new(FlightStage::Stored(Some(answered)), address, (Vec::new(), Weak::new()))
    }

    fn new(stage: FlightStage, address: EventAddress, (key, table): (Vec<u64>, Weak<Table>)) -> Rc<Self> {
        Rc::new(Self {
            stage: RefCell::new(stage),
            addresses: RefCell::new(vec![address]),
            handle: RefCell::default(),
            is_here: Cell::new(false),
            key,
            table,
        })
    }

    fn join(&self, context: &ReadContext, address: EventAddress) {
        if let Some(handle) = &*self.handle.borrow() {
            handle.ticket().raise(context.urgency);
        }
        if !matches!(*self.stage.borrow(), FlightStage::Asked | FlightStage::Decoding(..)) {
            address.tell();
        }
        self.addresses.borrow_mut().push(address);
    }

    /// The stage that it is at.
    pub(crate) fn stage(&self) -> std::cell::Ref<'_, FlightStage> {
        self.stage.borrow()
    }

    /// Whether more than one read has waited for it.
    pub(crate) fn is_shared(&self) -> bool {
        self.addresses.borrow().len() > 1
    }

    /// Notes the answer.
    pub(crate) fn found(&self, found: Fetched) {
        self.handle.take();
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

    /// Enters a stage after which nobody need join it any more.
    fn end(&self, stage: FlightStage) {
        self.forget();
        self.enter(stage);
    }

    fn enter(&self, stage: FlightStage) {
        self.stage.replace(stage);
        let addresses = self.addresses.borrow().clone();
        addresses.iter().for_each(EventAddress::tell);
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
