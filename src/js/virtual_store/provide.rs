//! Giving a virtual store's index what it needs: what several readers need is fetched once.

use std::rc::{Rc, Weak};

use super::driver::System;
use super::index_module::Listing;
use super::provided_input::{Rounds, Telling, Told};
use crate::error::Error;
use crate::js::JsResult;
use crate::js::fetch::source_driver::Engine;
use crate::js::support::waiting::{Work, all};
use crate::read::Urgency;
use crate::source::{InputRequest, Request};

impl System {
    /// Fetches everything that is needed at once and tells it to the system; gives the bytes as well.
    pub(crate) async fn tell(
        &self,
        listing: &Rc<Listing>,
        needs: Vec<InputRequest>,
        urgency: Urgency,
        rounds: &mut Rounds,
    ) -> JsResult<Vec<Told>> {
        if !rounds.lead_on(&needs) {
            let reason = "its index leads to the same bytes again and again; it may be damaged";
            return Err(self.blame(Error::metadata("", reason)));
        }
        let tell = |need| -> Work<'_, Told> { Box::pin(self.tell_one(listing, need, urgency)) };
        all(needs.into_iter().map(tell).collect()).await
    }

    async fn tell_one(&self, listing: &Rc<Listing>, need: InputRequest, urgency: Urgency) -> JsResult<Told> {
        let (host, request) = self.request_of(&need)?;
        let asked = request.clone();
        let key = (self.round.get(), need.number);
        let under_way = self.telling.borrow().get(&key).and_then(Weak::upgrade);
        let telling = under_way.unwrap_or_else(|| {
            let telling = Telling::begin(Rc::clone(listing), host, request, need.number, urgency);
            let mut all = self.telling.borrow_mut();
            // Those that everyone left are still listed.
            all.retain(|_, telling| telling.strong_count() > 0);
            all.insert(key, Rc::downgrade(&telling));
            telling
        });
        telling.ticket.raise(urgency);
        let told = telling.reply.wait().await;
        self.telling.borrow_mut().remove(&key);
        Ok(Told { asked, told: told? })
    }

    /// What is asked for to tell a need.
    pub(crate) fn request_of(&self, need: &InputRequest) -> JsResult<(Rc<Engine>, Request)> {
        let url =
            if need.url.is_empty() { self.hosts.own().clone() } else { self.hosts.address(&need.url, "")? };
        Ok((self.hosts.engine(&url)?, Request { key: url.href(), range: need.range.clone() }))
    }
}
