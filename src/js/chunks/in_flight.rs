//! Chunks, rows of small chunks and shard indexes of an array that are in flight: each is requested and decoded once for
//! all reads that wait for it.
//!
//! Invariants: a request lives as long as a read waits for it, and is dropped with the last read that leaves; a failure
//! reaches all reads that wait, and is then forgotten. A row of chunks is one entry of the queue and of the tables while
//! only one read needs it; when another read needs a chunk of it, the row is split into its chunks, each with a handle of
//! its own, so sharing, urgency and aborts work as for single chunks.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::future::poll_fn;
use std::rc::{Rc, Weak};
use std::task::{Poll, Waker};

use wasm_bindgen::JsValue;

use crate::js::JsResult;
use crate::js::stores::request::{Answered, Arrival, Fetched, RequestHandle, Waiter};
use crate::js::stores::store_driver::StoreDriver;
use crate::js::stores::stored_bytes::{ValueState, Values};
use crate::js::workers::decoded_chunk::{Chunk, DecodedChunk};
use crate::js::workers::pool::JobHandle;
use crate::network::{Request, Turn, Urgency};
use crate::parts::{Calls, Loaded, later};
use crate::read::Admission;

/// Queue position, urgency and cache admission of one read.
#[derive(Clone)]
pub(crate) struct ReadContext {
    pub(crate) turn: Rc<RefCell<Turn>>,
    pub(crate) urgency: Urgency,
    pub(crate) admission: Admission,
}

impl ReadContext {
    pub(crate) fn new(urgency: Urgency, admission: Admission) -> Self {
        Self { turn: Rc::default(), urgency, admission }
    }
}

/// Events that came, and the waker of the read that waits for the next one.
#[derive(Default)]
pub(crate) struct Mailbox {
    events: RefCell<VecDeque<u32>>,
    waker: Cell<Option<Waker>>,
}

/// Mailbox of a read, and the number of the item that an event is for.
#[derive(Clone)]
pub(crate) struct EventAddress {
    pub(crate) mailbox: Rc<Mailbox>,
    pub(crate) number: u32,
}

impl EventAddress {
    /// Puts the event into the mailbox, and wakes the read.
    pub(crate) fn notify(&self) {
        self.mailbox.events.borrow_mut().push_back(self.number);
        if let Some(waker) = self.mailbox.waker.take() {
            waker.wake();
        }
    }
}

impl Mailbox {
    /// The next event, if one came.
    pub(crate) fn take(&self) -> Option<u32> {
        self.events.borrow_mut().pop_front()
    }

    /// Waits until an event is there.
    pub(crate) async fn filled(&self) {
        poll_fn(|context| {
            if !self.events.borrow().is_empty() {
                return Poll::Ready(());
            }
            self.waker.set(Some(context.waker().clone()));
            Poll::Pending
        })
        .await;
    }
}

/// Requests in flight, by key.
#[derive(Default)]
pub(crate) struct SingleFlight {
    table: Rc<FlightTable>,
    rows: RefCell<Vec<Weak<RowFlight>>>,
}

impl SingleFlight {
    /// Whether nothing is in flight.
    pub(crate) fn is_empty(&self) -> bool {
        self.rows.borrow_mut().retain(|row| row.strong_count() > 0);
        self.table.borrow().is_empty() && self.rows.borrow().is_empty()
    }

    /// Joins the request under a key and raises it to the read's urgency, or begins one by `send`; each later stage is
    /// reported to the address.
    pub(crate) fn get(
        &self,
        key: Vec<u64>,
        request: &Request,
        context: &ReadContext,
        address: EventAddress,
        send: &dyn Fn(Waiter) -> RequestHandle,
    ) -> Rc<InFlight> {
        self.split_rows(&key, 1);
        let joined = self.table.borrow().get(&key).and_then(Weak::upgrade);
        if let Some(flight) = joined {
            flight.join(context, address);
            return flight;
        }
        let place = TablePlace { key: key.clone(), table: Rc::downgrade(&self.table) };
        let flight = InFlight::new(FlightStage::Asked, address, place);
        self.table.borrow_mut().insert(key, Rc::downgrade(&flight));
        let (weak, range) = (Rc::downgrade(&flight), request.range.clone());
        let handle = send(Rc::new(move |arrival: Arrival<'_>| {
            if let (Some(flight), Arrival::Answer(start, found)) = (weak.upgrade(), arrival) {
                flight.found(found.clone().map(|found| found.map(|found| found.part(start, &range))));
            }
        }));
        flight.hold(handle);
        flight
    }

    /// Requests a row of chunks; `None` if one of them is in flight already.
    pub(crate) fn row(
        &self,
        part: Loaded<Calls>,
        key: RowKey,
        request: &Request,
        context: &ReadContext,
        driver: &Rc<StoreDriver>,
        address: EventAddress,
    ) -> Option<Rc<RowFlight>> {
        self.split_rows(&key.first, key.count);
        let table = self.table.borrow();
        if !table.is_empty() && (0..key.count).any(|nth| table.contains_key(&key.chunk(nth))) {
            return None;
        }
        drop(table);
        let row = RowFlight::ask(part, key, request, context, driver, address);
        self.rows.borrow_mut().push(Rc::downgrade(&row));
        Some(row)
    }

    /// Splits the rows in flight that contain any of these chunks, so that other reads can join the single chunks.
    fn split_rows(&self, key: &[u64], count: usize) {
        let mut met = Vec::new();
        self.rows.borrow_mut().retain(|row| {
            let Some(row) = row.upgrade() else { return false };
            let is_met = row.overlaps(key, count);
            if is_met {
                met.push(row);
            }
            !is_met
        });
        met.iter().for_each(|row| row.split(&self.table));
    }
}

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
    /// What stays in flight as long as this, so that other reads join it.
    joined: Cell<Option<Rc<Self>>>,
    place: TablePlace,
}

/// Where other reads find what is in flight: its key in a table. That of a read's own is in no table.
#[derive(Default)]
struct TablePlace {
    key: Vec<u64>,
    table: Weak<FlightTable>,
}

/// Chunks and indexes in flight, by key.
type FlightTable = RefCell<HashMap<Vec<u64>, Weak<InFlight>>>;

impl InFlight {
    /// Bytes that have arrived, for one read that no other read joins.
    ///
    /// Others join `joined` meanwhile, in which the bytes came.
    pub(crate) fn of_bytes(answered: Answered, address: EventAddress, joined: Option<Rc<Self>>) -> Rc<Self> {
        let own = Self::new(FlightStage::Stored(Some(answered)), address, TablePlace::default());
        own.joined.set(joined);
        own
    }

    fn new(stage: FlightStage, address: EventAddress, place: TablePlace) -> Rc<Self> {
        Rc::new(Self {
            stage: RefCell::new(stage),
            addresses: RefCell::new(vec![address]),
            handle: RefCell::default(),
            is_here: Cell::new(false),
            joined: Cell::default(),
            place,
        })
    }

    fn join(&self, context: &ReadContext, address: EventAddress) {
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
    fn hold(&self, handle: RequestHandle) {
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
        let TablePlace { key, table } = &self.place;
        let Some(table) = table.upgrade() else { return };
        let mut table = table.borrow_mut();
        // A later request may have taken the key by now.
        if table.get(key).is_some_and(|flight| std::ptr::eq(flight.as_ptr(), self)) {
            table.remove(key);
        }
    }
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.forget();
    }
}

/// Values of a row that arrived together.
#[derive(Clone)]
pub(crate) struct RowPart {
    pub(crate) values: Rc<Values>,
    /// Index of the first of them in their batch.
    pub(crate) nth: usize,
    /// Index of the first of them in the row.
    pub(crate) place: usize,
    pub(crate) count: usize,
}

/// Progress of a row.
pub(crate) enum RowStage {
    Asked,
    /// All of its values; or, if one of them failed, that one alone.
    Came(Vec<RowPart>),
    /// It was split into its chunks.
    Parted(Vec<Rc<InFlight>>),
}

/// A row in flight; dropping it withdraws its requests.
pub(crate) struct RowFlight {
    part: Loaded<Calls>,
    arrived: Rc<ArrivedValues>,
    handle: RequestHandle,
    key: RowKey,
    chunks: RefCell<Vec<Rc<InFlight>>>,
}

/// The values of a row that have arrived.
struct ArrivedValues {
    driver: Weak<StoreDriver>,
    request: Request,
    /// Event address of the row; once it is split, the numbers of its chunks follow that of the row.
    address: EventAddress,
    /// In the order of the row.
    parts: RefCell<Vec<RowPart>>,
    left: Cell<usize>,
    chunks: RefCell<Vec<Weak<InFlight>>>,
}

/// Keys of the chunks of a row.
pub(crate) struct RowKey {
    /// Key of its first chunk.
    pub(crate) first: Vec<u64>,
    pub(crate) count: usize,
}

impl RowKey {
    /// Key of the chunk `nth` places after the first one: the last coordinate grows.
    pub(crate) fn chunk(&self, nth: usize) -> Vec<u64> {
        let mut key = self.first.clone();
        let last = key.len() - 2;
        key[last] += nth as u64;
        key
    }
}

impl RowFlight {
    /// Requests the values of a row; the key and the request are those of its first chunk.
    fn ask(
        part: Loaded<Calls>,
        key: RowKey,
        request: &Request,
        context: &ReadContext,
        driver: &Rc<StoreDriver>,
        address: EventAddress,
    ) -> Rc<Self> {
        let arrived = Rc::new(ArrivedValues {
            driver: Rc::downgrade(driver),
            request: request.clone(),
            address,
            parts: RefCell::default(),
            left: Cell::new(key.count),
            chunks: RefCell::default(),
        });
        let receiver = Rc::clone(&arrived);
        let waiter = Rc::new(move |arrival: Arrival<'_>| {
            if let Arrival::Values { values, nth, place, count } = arrival {
                receiver.add(RowPart { values: Rc::clone(values), nth, place, count });
            }
        });
        let handle = driver.ask_run(request, key.count as u64, context.urgency, &context.turn, waiter);
        Rc::new(Self { part, arrived, handle, key, chunks: RefCell::default() })
    }

    /// Whether it contains any of the `count` chunks from `key` on.
    fn overlaps(&self, key: &[u64], count: usize) -> bool {
        let (own, last) = (&self.key.first, self.key.first.len() - 2);
        key.len() == own.len()
            && key[last] < own[last] + self.key.count as u64
            && own[last] < key[last] + count as u64
            && key[..last] == own[..last]
            && key[last + 1..] == own[last + 1..]
    }

    /// Its stage; each value and each chunk is returned once.
    pub(crate) fn stage(&self) -> RowStage {
        let chunks = self.chunks.take();
        if !chunks.is_empty() {
            return RowStage::Parted(chunks);
        }
        let failed = self.arrived.parts.borrow().iter().find_map(RowPart::failed);
        if let Some(failed) = failed {
            return RowStage::Came(vec![failed]);
        }
        if self.arrived.left.get() > 0 {
            return RowStage::Asked;
        }
        self.handle.ticket().finish();
        RowStage::Came(self.arrived.parts.take())
    }

    /// Splits it into its chunks, each in flight by itself.
    fn split(&self, table: &Rc<FlightTable>) {
        split(self.part, self, table);
    }
}

#[later]
fn split(_: Loaded<Calls>, row: &RowFlight, table: &Rc<FlightTable>) {
    let address = &row.arrived.address;
    let chunks: Vec<_> = (0..row.key.count)
        .map(|nth| {
            let number = address.number.wrapping_add(1 + nth as u32);
            let (key, mailbox) = (row.key.chunk(nth), Rc::clone(&address.mailbox));
            let place = TablePlace { key: key.clone(), table: Rc::downgrade(table) };
            let chunk = InFlight::new(FlightStage::Asked, EventAddress { mailbox, number }, place);
            chunk.hold(row.handle.part(nth as u64));
            table.borrow_mut().insert(key, Rc::downgrade(&chunk));
            chunk
        })
        .collect();
    row.handle.ticket().finish();
    row.arrived.chunks.replace(chunks.iter().map(Rc::downgrade).collect());
    row.chunks.replace(chunks);
    // The event of the row comes before those of its chunks: the read takes over the chunks first.
    address.notify();
    let parts = row.arrived.parts.take();
    parts.into_iter().for_each(|part| row.arrived.add(part));
}

impl RowPart {
    /// The first value that failed, as a part of its own.
    fn failed(&self) -> Option<Self> {
        let is_failed = |nth: &usize| matches!(self.values.state(self.nth + nth), ValueState::Failed);
        let nth = (0..self.count).find(is_failed)?;
        Some(Self { nth: self.nth + nth, place: self.place + nth, count: 1, ..self.clone() })
    }
}

impl ArrivedValues {
    /// Takes values that arrived.
    fn add(&self, part: RowPart) {
        let chunks = self.chunks.borrow().clone();
        if !chunks.is_empty() {
            return self.hand_over(&part, &chunks);
        }
        let left = self.left.get() - part.count;
        self.left.set(left);
        let is_failed = part.failed().is_some();
        let mut parts = self.parts.borrow_mut();
        let at = parts.iter().take_while(|before| before.place < part.place).count();
        parts.insert(at, part);
        drop(parts);
        if left == 0 || is_failed {
            self.address.notify();
        }
    }

    /// Hands values over to the chunks that the row was split into.
    fn hand_over(&self, part: &RowPart, chunks: &[Weak<InFlight>]) {
        let Some(driver) = self.driver.upgrade() else { return };
        for nth in 0..part.count {
            if let Some(chunk) = chunks[part.place + nth].upgrade() {
                let request = self.request.further((part.place + nth) as u64);
                chunk.found(driver.value(&part.values, part.nth + nth, &request));
            }
        }
    }
}
