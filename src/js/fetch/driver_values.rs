//! Requests to a `Readable`: sent in batches, answered at once or later.

use std::rc::Rc;

use super::answer::{Answered, Arrival, Fetched, Waiter};
use super::store_driver::{InFlightRequest, StoreDriver};
use crate::js::stores::batch_values::{SentValues, Values};
use crate::js::stores::readable::failure_of;
use crate::js::stores::readable_source::{StoredBytes, ValueRequests, ValueState};
use crate::network::{ByteRange, Dispatch, Request};

impl StoreDriver {
    /// Sets this driver as the receiver of the store's late values.
    pub(crate) fn listen(self: &Rc<Self>) {
        let Some(readable) = self.store().readable() else { return };
        let driver = Rc::downgrade(self);
        let answered = move |settled: Vec<i32>| {
            if let Some(driver) = driver.upgrade() {
                driver.settled(&settled);
            }
        };
        readable.listen(self.store().on_request(), Box::new(answered));
    }

    /// Requests values from the store, until `most` of them are late.
    pub(crate) fn ask_values(&self, asking: &ValueRequests, most: usize) -> Option<Rc<Values>> {
        let batch = self.store().readable()?.ask(asking, most)?;
        Some(Rc::new(Values::new(batch)))
    }

    /// Sends requests to the store in one batch.
    pub(crate) fn send_batch(self: &Rc<Self>, dispatches: Vec<Dispatch>) {
        let mut asking = ValueRequests::default();
        let count = |dispatch: &Dispatch| dispatch.run.unwrap_or(1) as usize;
        for dispatch in &dispatches {
            asking.add(dispatch.flight, &dispatch.request, count(dispatch));
        }
        let Some(values) = self.ask_values(&asking, usize::MAX) else { return };
        let mut nth = 0;
        for dispatch in dispatches {
            let (count, is_run) = (count(&dispatch), dispatch.run.is_some());
            let sent =
                Rc::new(SentValues { values: Rc::clone(&values), nth, request: dispatch.request, is_run });
            self.flights.borrow_mut().insert(dispatch.flight, InFlightRequest::Values(Rc::clone(&sent)));
            let is_late = |place: usize| matches!(values.state(nth + place), ValueState::Late);
            let mut place = 0;
            while place < count {
                let at_once = (place..count).take_while(|&place| !is_late(place)).count();
                if at_once > 0 {
                    self.came(dispatch.flight, &sent, place, at_once);
                }
                place += at_once.max(1);
            }
            nth += count;
        }
    }

    /// Records a late value and its waiter; returns the number of the request in the queue.
    pub(crate) fn late(&self, flight: u64, sent: SentValues, waiter: Waiter) -> u64 {
        self.flights.borrow_mut().insert(flight, InFlightRequest::Values(Rc::new(sent)));
        self.scheduler.borrow_mut().sent(flight, waiter)
    }

    /// Takes late values: four numbers for each, its flight, its place in the flight, and the two of its state.
    fn settled(self: &Rc<Self>, settled: &[i32]) {
        let (mut rest, mut has_runs, mut has_failed) = (settled, false, false);
        while let &[flight, first, ..] = rest {
            let is_next =
                |(nth, value): &(usize, &[i32])| value[..2] == [flight, first.wrapping_add(*nth as i32)];
            let count = rest.chunks_exact(4).enumerate().take_while(is_next).count();
            let (values, others) = rest.split_at(4 * count);
            rest = others;
            let (flight, first) = (u64::from(flight.cast_unsigned()), first.cast_unsigned() as usize);
            // The flight is gone where no waiter is left.
            let Some(sent) = self.sent(flight) else { continue };
            let place = if sent.is_run { first } else { 0 };
            for (nth, value) in values.chunks_exact(4).enumerate() {
                sent.values.note(sent.nth + place + nth, &value[2..]);
                has_failed |= matches!(sent.values.state(sent.nth + place + nth), ValueState::Failed);
            }
            self.came(flight, &sent, place, count);
            has_runs |= sent.is_run;
        }
        // A read asks for nothing because of a run's values, but withdraws its requests if one failed.
        if has_runs && !has_failed {
            self.send_queued();
        } else {
            self.wake();
        }
    }

    /// Passes values of a flight to their waiter.
    fn came(self: &Rc<Self>, flight: u64, sent: &SentValues, place: usize, count: usize) {
        if !sent.is_run {
            let found = self.value(&sent.values, sent.nth, &sent.request);
            return self.answer(flight, &found);
        }
        let found = self.scheduler.borrow_mut().arrive(flight, place as u64, count as u64);
        self.forget_landed(flight);
        if let Some((waiter, first)) = found {
            let (values, nth) = (&sent.values, sent.nth + place);
            waiter(Arrival::Values { values, nth, place: first as usize, count });
        }
    }

    /// The values of a flight that is still in flight.
    pub(super) fn sent(&self, flight: u64) -> Option<Rc<SentValues>> {
        match self.flights.borrow().get(flight)? {
            InFlightRequest::Values(sent) => Some(Rc::clone(sent)),
            InFlightRequest::Fetch(_) => None,
        }
    }

    /// Answer with a value of a batch, or its error.
    pub(crate) fn value(&self, values: &Values, nth: usize, request: &Request) -> Fetched {
        let (length, whole) = match values.state(nth) {
            ValueState::Missing => return Ok(None),
            ValueState::There(length, whole) => (length, whole),
            ValueState::Late | ValueState::Failed => {
                let batch = &values.batch;
                return Err(failure_of(request, &batch.answer(nth), batch.is_thrown(nth)));
            }
        };
        let bytes = StoredBytes::InBatch(Rc::clone(&values.batch), nth, 0, length);
        let is_part = !matches!(request.range, ByteRange::All | ByteRange::From(_));
        let is_whole = is_part && self.store().ranges().is_ignored;
        if !is_whole && !request.range.fits(length.into()) {
            return Err(self.store().unfit(request, None, whole.unwrap_or(length)));
        }
        Ok(Some(Answered { bytes, is_whole, whole }))
    }
}
