//! Requests as futures: withdrawn when the future is dropped, and looked up first in the browser's persistent cache.

use std::cell::RefCell;
use std::rc::Rc;

use super::answer::{Arrival, Fetched};
use super::store_driver::StoreDriver;
use crate::js::JsResult;
use crate::js::stores::request_handle::Ticket;
use crate::js::stores::store::Bytes;
use crate::js::support::waiting::Reply;
use crate::network::{Request, Turn};

/// Guard that withdraws a request when it is dropped.
struct WithdrawOnDrop<'a>(&'a Ticket);

impl Drop for WithdrawOnDrop<'_> {
    fn drop(&mut self) {
        self.0.withdraw();
    }
}

impl StoreDriver {
    /// Fetches the bytes of a request, or the whole value; `None` where nothing is stored. `asked` is the request and
    /// the most bytes of its whole value.
    pub(crate) async fn want(
        self: &Rc<Self>,
        asked: (&Request, u64),
        turn: &RefCell<Turn>,
        ticket: &Ticket,
    ) -> JsResult<Option<Bytes>> {
        if let Some(source) = self.store().virtual_source() {
            return source.want(asked, turn, ticket).await;
        }
        if let Some(bytes) = self.store().persisted(asked.0).await {
            return Ok(Some(Bytes::Asked(bytes)));
        }
        let found = self.want_anew(asked, turn, ticket).await?;
        if let Some(Bytes::Asked(bytes)) = &found {
            self.store().persist(asked.0, bytes);
        }
        Ok(found)
    }

    /// Like `want`, but skips the browser's persistent cache (`persist`).
    pub(crate) async fn want_anew(
        self: &Rc<Self>,
        asked: (&Request, u64),
        turn: &RefCell<Turn>,
        ticket: &Ticket,
    ) -> JsResult<Option<Bytes>> {
        let reply: Rc<Reply<Fetched>> = Rc::default();
        let (given, range) = (Rc::clone(&reply), asked.0.range.clone());
        let waiter = move |arrival: Arrival<'_>| {
            if let Arrival::Answer(start, found) = arrival {
                given.give(found.clone().map(|found| found.map(|found| found.part(start, &range))));
            }
        };
        let _waiting = WithdrawOnDrop(ticket);
        self.queue(asked, turn, ticket, Rc::new(waiter));
        let found = reply.wait().await?;
        Ok(found.map(|found| {
            let bytes = found.bytes.array();
            if found.is_whole { Bytes::Whole(bytes) } else { Bytes::Asked(bytes) }
        }))
    }
}
