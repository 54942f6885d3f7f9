//! The chunks of an array in flight, one by one and in rows: each is requested once, however many reads need it.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use super::in_flight::{FlightStage, FlightTable, InFlight};
use super::mailbox::EventAddress;
use super::read_context::ReadContext;
use super::row_flight::{RowFlight, chunk_key};
use crate::js::fetch::answer::{Arrival, Waiter};
use crate::js::fetch::store_driver::StoreDriver;
use crate::js::stores::request_handle::RequestHandle;
use crate::network::Request;
use crate::parts::{Calls, Loaded};

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
        (request, context): (&Request, &ReadContext),
        address: EventAddress,
        send: &dyn Fn(Waiter) -> RequestHandle,
    ) -> Rc<InFlight> {
        self.part_rows(&key, 1);
        let joined = self.table.borrow().get(&key).and_then(Weak::upgrade);
        if let Some(flight) = joined {
            flight.join(context, address);
            return flight;
        }
        let flight = InFlight::new(FlightStage::Asked, address, (key.clone(), Rc::downgrade(&self.table)));
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

    /// Requests a row of `count` chunks from `key` on; `None` if one of them is in flight already.
    pub(crate) fn row(
        &self,
        part: Loaded<Calls>,
        (key, count): (Vec<u64>, usize),
        (request, context): (&Request, &ReadContext),
        driver: &Rc<StoreDriver>,
        address: EventAddress,
    ) -> Option<Rc<RowFlight>> {
        self.part_rows(&key, count);
        let table = self.table.borrow();
        if !table.is_empty() && (0..count).any(|nth| table.contains_key(&chunk_key(&key, nth))) {
            return None;
        }
        drop(table);
        let row = RowFlight::ask(part, (key, count), (request, context), driver, address);
        self.rows.borrow_mut().push(Rc::downgrade(&row));
        Some(row)
    }

    /// Splits the rows in flight that contain any of these chunks, so that other reads can join the single chunks.
    fn part_rows(&self, key: &[u64], count: usize) {
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
