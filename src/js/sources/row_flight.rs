//! A row of chunks in flight: one entry of the queue and of the tables while only one read needs it.
//!
//! Invariant: when another read needs a chunk of the row, the row is split into its chunks, each with a handle of its
//! own, so sharing, urgency and aborts work as for single chunks.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use super::in_flight::{FlightStage, FlightTable, InFlight};
use super::mailbox::EventAddress;
use super::read_context::ReadContext;
use crate::js::fetch::answer::Arrival;
use crate::js::fetch::store_driver::StoreDriver;
use crate::js::stores::batch_values::Values;
use crate::js::stores::readable_source::ValueState;
use crate::js::stores::request_handle::RequestHandle;
use crate::network::Request;
use crate::parts::{Calls, Loaded, later};

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
    key: Vec<u64>,
    count: usize,
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

/// Key of the chunk that is `nth` places after the one of `key` in a row: the last coordinate grows.
pub(super) fn chunk_key(key: &[u64], nth: usize) -> Vec<u64> {
    let mut key = key.to_vec();
    let last = key.len() - 2;
    key[last] += nth as u64;
    key
}

impl RowFlight {
    /// Requests the values of a row; the key and the request are those of its first chunk.
    pub(super) fn ask(
        part: Loaded<Calls>,
        (key, count): (Vec<u64>, usize),
        (request, context): (&Request, &ReadContext),
        driver: &Rc<StoreDriver>,
        address: EventAddress,
    ) -> Rc<Self> {
        let arrived = Rc::new(ArrivedValues {
            driver: Rc::downgrade(driver),
            request: request.clone(),
            address,
            parts: RefCell::default(),
            left: Cell::new(count),
            chunks: RefCell::default(),
        });
        let receiver = Rc::clone(&arrived);
        let waiter = Rc::new(move |arrival: Arrival<'_>| {
            if let Arrival::Values { values, nth, place, count } = arrival {
                receiver.add(RowPart { values: Rc::clone(values), nth, place, count });
            }
        });
        let handle = driver.ask_run((request, count as u64), context.urgency, &context.turn, waiter);
        Rc::new(Self { part, arrived, handle, key, count, chunks: RefCell::default() })
    }

    /// Whether it contains any of the `count` chunks from `key` on.
    pub(super) fn overlaps(&self, key: &[u64], count: usize) -> bool {
        let (own, last) = (&self.key, self.key.len() - 2);
        key.len() == own.len()
            && key[last] < own[last] + self.count as u64
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
    pub(super) fn split(&self, table: &Rc<FlightTable>) {
        split(self.part, self, table);
    }
}

#[later]
fn split(_: Loaded<Calls>, row: &RowFlight, table: &Rc<FlightTable>) {
    let address = &row.arrived.address;
    let chunks: Vec<_> = (0..row.count)
        .map(|nth| {
            let number = address.number.wrapping_add(1 + nth as u32);
            let (key, mailbox) = (chunk_key(&row.key, nth), Rc::clone(&address.mailbox));
            let place = (key.clone(), Rc::downgrade(table));
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
