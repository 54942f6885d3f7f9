//! Requests to a store of values: sent in batches, answered at once or later, and reported one by one.

use std::rc::Rc;

use super::store_driver::{Answered, Fetched, InFlightRequest, StoreDriver, Waiter};
use crate::js::stores::batch_values::{SentValue, Values};
use crate::js::stores::readable::failure_of;
use crate::js::stores::readable_source::{Batch, StoredBytes, ValueRequests, ValueState};
use crate::js::support::timer::now;
use crate::read::Dispatch;
use crate::source::{ByteRange, Request};

impl StoreDriver {
    /// Has the store report late values to this driver.
    pub(crate) fn listen(self: &Rc<Self>) {
        let Some(readable) = self.store().readable() else { return };
        let driver = Rc::downgrade(self);
        readable.listen(Box::new(move |settled| {
            let Some(driver) = driver.upgrade() else { return };
            let now = driver.clock();
            for told in settled.chunks_exact(3) {
                driver.settled(told, now);
            }
        }));
    }

    /// Asks a store for values, until more than `most` are late.
    pub(crate) fn ask_values(&self, asking: &ValueRequests, ticket: u32, most: usize) -> Option<Values> {
        let started = self.clock();
        let batch = self.store().readable()?.ask(asking, ticket, most)?;
        let states = batch.states();
        Some(Values { batch, states, started, ended: self.clock() })
    }

    /// Sends requests to a store.
    pub(crate) fn send_batch(self: &Rc<Self>, dispatches: Vec<Dispatch>) {
        let Some(readable) = self.store().readable() else { return };
        let mut asking = ValueRequests::default();
        for dispatch in &dispatches {
            asking.add(&dispatch.request, 1);
        }
        let ticket = readable.tickets(dispatches.len());
        let Some(values) = self.ask_values(&asking, ticket, usize::MAX) else { return };
        for (nth, Dispatch { flight, request, .. }) in dispatches.into_iter().enumerate() {
            if let ValueState::Late = values.state(nth) {
                self.wait_for((ticket, nth), flight, &values, request);
            } else {
                let found = self.value(&values, nth, &request);
                self.answer(flight, &found);
            }
        }
    }

    /// Notes a value that did not come at once, by its flight.
    pub(crate) fn wait_for(
        &self,
        (ticket, nth): (u32, usize),
        flight: u64,
        values: &Values,
        request: Request,
    ) {
        let (batch, started) = (Rc::clone(&values.batch), values.started);
        let sent = SentValue { batch, nth, request, started, is_done: false };
        self.flights.borrow_mut().insert(flight, InFlightRequest::Value(sent));
        if let Some(readable) = self.store().readable() {
            readable.late.borrow_mut().insert(ticket + nth as u32, flight);
        }
    }

    /// Notes a value that did not come at once, and who waits for it; gives the number of the want.
    pub(crate) fn late(&self, sent: (u32, usize), values: &Values, request: &Request, waiter: Waiter) -> u64 {
        let (want, flight) = self.scheduler.borrow_mut().sent(waiter);
        self.wait_for(sent, flight, values, request.clone());
        want
    }

    /// A value that came, or what is wrong with it.
    pub(crate) fn value(&self, values: &Values, nth: usize, request: &Request) -> Fetched {
        let found = self.checked(&values.batch, nth, &values.state(nth), request);
        self.report(request, &found, values.ended - values.started);
        found
    }

    fn settled(self: &Rc<Self>, told: &[i32], now: f64) {
        let (ticket, state) = (told[0].cast_unsigned(), ValueState::of(told[1], told[2]));
        let flight = self.store().readable().and_then(|readable| readable.late.borrow_mut().remove(&ticket));
        let Some(flight) = flight else { return };
        let sent = self.flights.borrow_mut().remove(&flight);
        // It is gone where nobody waits any more.
        let Some(InFlightRequest::Value(mut sent)) = sent else { return };
        sent.is_done = true;
        let found = self.checked(&sent.batch, sent.nth, &state, &sent.request);
        self.report(&sent.request, &found, now - sent.started);
        self.answer(flight, &found);
    }

    /// The time where somebody hears how long requests take.
    fn clock(&self) -> f64 {
        if self.store().is_listened_to() { now() } else { 0.0 }
    }

    fn report(&self, request: &Request, found: &Fetched, ms: f64) {
        if self.store().is_listened_to() {
            let bytes = found.as_ref().ok().and_then(Option::as_ref).map(|found| found.bytes.length().into());
            self.store().report(request, bytes, ms);
        }
    }

    fn checked(&self, batch: &Rc<Batch>, nth: usize, state: &ValueState, request: &Request) -> Fetched {
        let (length, whole) = match state {
            ValueState::Missing => return Ok(None),
            ValueState::There(length, whole) => (*length, *whole),
            ValueState::Late | ValueState::Failed => {
                return Err(failure_of(request, &batch.answer(nth), batch.is_thrown(nth)));
            }
        };
        let bytes = StoredBytes::InBatch(Rc::clone(batch), nth, 0, length);
        let is_part = !matches!(request.range, ByteRange::All | ByteRange::From(_));
        let is_whole = is_part && self.store().ranges().is_ignored;
        if !is_whole && !request.range.fits(length.into()) {
            return Err(self.store().unfit(request, None, whole.unwrap_or(length)));
        }
        Ok(Some(Answered { bytes, is_whole, whole }))
    }
}
