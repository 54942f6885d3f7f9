//! Single flight: work that several readers want at once, a chunk or the index of a shard, is done once.
//!
//! Invariants: work goes on for as long as anyone waits for it, and is dropped with the last one who leaves; a failure is
//! told to all who wait and then forgotten.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::Future;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, Shared, WeakShared};

use super::JsResult;
use super::engine::Ticket;
use crate::read::Urgency;

/// Work under way, by key. `E` comes with the value and belongs to this time alone.
pub(super) struct SingleFlight<T, E>(RefCell<HashMap<Vec<u64>, Flight<T, E>>>);

/// Work that several wait for.
pub(super) type Work<T, E> = LocalBoxFuture<'static, JsResult<(Rc<T>, E)>>;

/// One piece of work, and how urgent it is.
struct Flight<T, E> {
    work: WeakShared<Work<T, E>>,
    ticket: Rc<Ticket>,
}

impl<T, E> Default for SingleFlight<T, E> {
    fn default() -> Self {
        Self(RefCell::default())
    }
}

impl<T: 'static, E: Clone + 'static> SingleFlight<T, E> {
    /// Work that is under way for a key, which is raised to the urgency given.
    pub(super) fn joined(&self, identity: &[u64], urgency: Urgency) -> Option<Shared<Work<T, E>>> {
        let under_way = self.0.borrow();
        let way = under_way.get(identity)?;
        way.ticket.raise(urgency);
        way.work.upgrade()
    }

    /// The result for a key: of the work under way, or else of what `make` begins.
    pub(super) async fn get<W: Future<Output = JsResult<(Rc<T>, E)>> + 'static>(
        &self,
        identity: Vec<u64>,
        urgency: Urgency,
        make: impl FnOnce(Rc<Ticket>) -> W,
    ) -> JsResult<(Rc<T>, E)> {
        let work = if let Some(work) = self.joined(&identity, urgency) {
            work
        } else {
            let ticket = Rc::new(Ticket::new(urgency));
            let work = make(Rc::clone(&ticket)).boxed_local().shared();
            if let Some(weak) = work.downgrade() {
                self.note(identity.clone(), Flight { work: weak, ticket });
            }
            work
        };
        let made = work.await;
        self.sweep(&identity);
        made
    }

    /// Removes finished work, but not work that was begun anew in the meantime.
    fn sweep(&self, identity: &[u64]) {
        let mut under_way = self.0.borrow_mut();
        if under_way
            .get(identity)
            .is_some_and(|way| way.work.upgrade().is_none_or(|work| work.peek().is_some()))
        {
            under_way.remove(identity);
        }
    }

    fn note(&self, identity: Vec<u64>, way: Flight<T, E>) {
        let mut under_way = self.0.borrow_mut();
        // Work that everyone left is still listed; it is swept out when the list would have to grow for it.
        if under_way.len() == under_way.capacity() {
            under_way.retain(|_, way| way.work.upgrade().is_some());
        }
        under_way.insert(identity, way);
    }
}
