//! Fetching the input of a virtual store's index: input that several reads need is fetched once.

use std::rc::{Rc, Weak};

use super::driver::VirtualStoreDriver;
use super::index_module::IndexModule;
use super::provided_input::{InputTransfer, ProvidedInput, Rounds};
use crate::error::Error;
use crate::js::JsResult;
use crate::js::fetch::store_driver::StoreDriver;
use crate::js::support::waiting::{Work, all};
use crate::network::{Request, Urgency};
use crate::source::InputRequest;

impl VirtualStoreDriver {
    /// Fetches input in parallel and provides it to the index; returns the bytes as well.
    pub(crate) async fn provide(
        &self,
        index: &Rc<IndexModule>,
        needs: Vec<InputRequest>,
        urgency: Urgency,
        rounds: &mut Rounds,
    ) -> JsResult<Vec<ProvidedInput>> {
        if !rounds.lead_on(&needs) {
            let reason = "its index asks for the same bytes repeatedly; it may be damaged";
            return Err(self.blame(Error::metadata("", reason)));
        }
        let provide = |need| -> Work<'_, ProvidedInput> { Box::pin(self.provide_one(index, need, urgency)) };
        all(needs.into_iter().map(provide).collect()).await
    }

    async fn provide_one(
        &self,
        index: &Rc<IndexModule>,
        need: InputRequest,
        urgency: Urgency,
    ) -> JsResult<ProvidedInput> {
        let (host, request) = self.request_of(&need)?;
        let asked = request.clone();
        let key = (self.round.get(), need.number);
        let under_way = self.transfers.borrow().get(&key).and_then(Weak::upgrade);
        let transfer = under_way.unwrap_or_else(|| {
            let transfer = InputTransfer::begin(Rc::clone(index), host, request, need.number, urgency);
            let mut all = self.transfers.borrow_mut();
            // Transfers that no read waits for are still listed.
            all.retain(|_, transfer| transfer.strong_count() > 0);
            all.insert(key, Rc::downgrade(&transfer));
            transfer
        });
        transfer.ticket.raise(urgency);
        let bytes = transfer.reply.wait().await;
        self.transfers.borrow_mut().remove(&key);
        Ok(ProvidedInput { asked, bytes: bytes? })
    }

    /// Host and request for an input of the index.
    pub(crate) fn request_of(&self, need: &InputRequest) -> JsResult<(Rc<StoreDriver>, Request)> {
        let url = if need.url.is_empty() {
            self.hosts.own().clone()
        } else {
            self.hosts.address(&need.url, None, "")?
        };
        Ok((self.hosts.driver(&url)?, Request { key: url.href(), range: need.range.clone() }))
    }
}
