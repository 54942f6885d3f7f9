//! Things that several readers want at once, made once: chunks and the indexes of shards.
//!
//! Invariants: what is kept stays below its limit; what is being made is made once, goes on for as long as anyone
//! waits for it, and is dropped with the last one who leaves; a failure is told to all who wait and then forgotten.

use std::cell::RefCell;
use std::collections::HashMap;
use std::future::Future;
use std::rc::Rc;

use futures_util::FutureExt;
use futures_util::future::{LocalBoxFuture, Shared, WeakShared};

use super::JsResult;
use super::engine::Ticket;
use super::kept::Shelf;
use crate::read::Urgency;

/// Things by identity; `E` is what comes with one that is made now and not with one that was kept.
pub(super) struct Sharing<T, E> {
    kept: Shelf<T>,
    /// Whose they are on the shelf.
    owner: u64,
    under_way: RefCell<HashMap<Vec<u64>, Way<T, E>>>,
}

/// Work that several wait for.
pub(super) type Work<T, E> = LocalBoxFuture<'static, JsResult<(Rc<T>, E)>>;

/// Something being made.
struct Way<T, E> {
    work: WeakShared<Work<T, E>>,
    ticket: Rc<Ticket>,
}

impl<T: 'static, E: Clone + 'static> Sharing<T, E> {
    /// Things that are kept on a shelf, under a number of our own.
    pub(super) fn new(kept: Shelf<T>, owner: u64) -> Self {
        Self { kept, owner, under_way: RefCell::default() }
    }

    /// Whether anything is ever kept.
    pub(super) fn keeps(&self) -> bool {
        self.kept.borrow().is_on()
    }

    /// What is kept.
    pub(super) fn kept(&self, identity: &[u64]) -> Option<Rc<T>> {
        self.kept.borrow_mut().get(&self.owned(identity))
    }

    /// Keeps something of so many bytes.
    pub(super) fn keep(&self, identity: &[u64], thing: &Rc<T>, bytes: usize) {
        self.kept.borrow_mut().put(&self.owned(identity), thing, bytes);
    }

    /// Forgets something that was found to be out of date.
    pub(super) fn forget(&self, identity: &[u64]) {
        self.kept.borrow_mut().remove(&self.owned(identity));
    }

    fn owned(&self, identity: &[u64]) -> Vec<u64> {
        [&[self.owner], identity].concat()
    }

    /// What is being made already, if it is; a reader in a hurry speeds it up.
    pub(super) fn joined(&self, identity: &[u64], urgency: Urgency) -> Option<Shared<Work<T, E>>> {
        let under_way = self.under_way.borrow();
        let way = under_way.get(identity)?;
        way.ticket.raise(urgency);
        way.work.upgrade()
    }

    /// What is being made already, made now by `make` otherwise.
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
                self.note(identity.clone(), Way { work: weak, ticket });
            }
            work
        };
        let made = work.await;
        self.sweep(&identity);
        made
    }

    /// Takes finished work off the list; what was begun anew in the meantime stays.
    fn sweep(&self, identity: &[u64]) {
        let mut under_way = self.under_way.borrow_mut();
        if under_way
            .get(identity)
            .is_some_and(|way| way.work.upgrade().is_none_or(|work| work.peek().is_some()))
        {
            under_way.remove(identity);
        }
    }

    fn note(&self, identity: Vec<u64>, way: Way<T, E>) {
        let mut under_way = self.under_way.borrow_mut();
        // Work that everyone left is still listed; it is swept out when the list would have to grow for it.
        if under_way.len() == under_way.capacity() {
            under_way.retain(|_, way| way.work.upgrade().is_some());
        }
        under_way.insert(identity, way);
    }
}

impl<T, E> Drop for Sharing<T, E> {
    fn drop(&mut self) {
        self.kept.borrow_mut().remove_where(|identity| identity.first() == Some(&self.owner));
    }
}
