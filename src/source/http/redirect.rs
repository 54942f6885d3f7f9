//! Redirects: forbidden where the caller says so, and followed by us where the platform shows where they lead.
//!
//! Invariant: outside of browsers, headers of the caller's go to the origin that they were given for alone. Browsers tell
//! nobody where a redirect leads; they follow it, and keep all headers but Authorization.

use super::{HttpPolicy, ResponseHead};

/// The most redirects that one request follows: 20, as `fetch` does.
pub const MAX_REDIRECTS: u32 = 20;

/// A response as a redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Redirect {
    /// It is none, or one that `fetch` follows.
    No,
    /// It is forbidden, for this reason.
    Forbidden(&'static str),
    /// It leads to this address, which may be relative.
    To(String),
}

/// The address that a redirect leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectTarget {
    /// An address of the same origin.
    SameOrigin,
    /// An address of another origin, to which the caller's headers do not go.
    OtherOrigin,
    /// It is no address of HTTP.
    Unusable,
}

/// The way of one request through redirects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RedirectTrail {
    /// Whether the caller's headers still go along.
    pub carries_headers: bool,
    hops: u32,
}

impl Default for RedirectTrail {
    fn default() -> Self {
        Self { carries_headers: true, hops: 0 }
    }
}

impl HttpPolicy {
    /// Whether `fetch` is to hand redirects over.
    #[must_use]
    pub fn sees_redirects(&self) -> bool {
        self.forbids_redirects || self.follows_redirects
    }

    /// The redirect that a response is.
    #[must_use]
    pub fn redirect(&self, head: &ResponseHead) -> Redirect {
        let is_redirect = head.is_opaque_redirect || matches!(head.status, 301 | 302 | 303 | 307 | 308);
        if !is_redirect || !self.sees_redirects() || self.missing_statuses.contains(&head.status) {
            return Redirect::No;
        }
        if self.forbids_redirects {
            return Redirect::Forbidden(
                "the host redirects to another address, which the option redirect: \"error\" forbids",
            );
        }
        head.location.clone().map_or(Redirect::No, Redirect::To)
    }
}

impl RedirectTrail {
    /// Goes on to the target of a redirect.
    ///
    /// # Errors
    /// Where no request can be sent there, or too many redirects were followed.
    pub fn follow(&mut self, target: RedirectTarget) -> Result<(), &'static str> {
        if target == RedirectTarget::Unusable {
            return Err("the host redirects to what is no address of HTTP");
        }
        if self.hops == MAX_REDIRECTS {
            return Err("the host redirects again and again");
        }
        self.hops += 1;
        self.carries_headers &= target == RedirectTarget::SameOrigin;
        Ok(())
    }
}
