//! Redirects: an error where the caller forbids them, and followed here where the platform shows their target.
//!
//! Invariant: outside browsers, the caller's headers go only to the origin that they were given for. Browsers hide the
//! target of a redirect; they follow it themselves, and keep all headers except Authorization.

use super::{HttpPolicy, ResponseHead};

/// Most redirects that one request follows: 20, as in `fetch`.
pub const MAX_REDIRECTS: u32 = 20;

/// Verdict on a response as a redirect.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Redirect {
    /// No redirect, or one that `fetch` follows.
    No,
    /// A redirect that is forbidden, for this reason.
    Forbidden(&'static str),
    /// A redirect to this address, which may be relative.
    To(String),
}

/// Target of a redirect, relative to the request's origin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedirectTarget {
    /// An address of the same origin.
    SameOrigin,
    /// An address of another origin, to which the caller's headers do not go.
    OtherOrigin,
    /// An address that is not HTTP or HTTPS.
    Unusable,
}

/// Redirects that one request has followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RedirectTrail {
    /// Whether the caller's headers are still sent.
    pub carries_headers: bool,
    hops: u32,
}

impl Default for RedirectTrail {
    fn default() -> Self {
        Self { carries_headers: true, hops: 0 }
    }
}

impl HttpPolicy {
    /// Whether `fetch` must return redirects in place of following them.
    #[must_use]
    pub fn sees_redirects(&self) -> bool {
        self.forbids_redirects || self.follows_redirects
    }

    /// Decides whether a response is a redirect, and what to do with it.
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
    /// Follows a redirect to its target.
    ///
    /// # Errors
    /// A reason, where the target is not HTTP or HTTPS, or after [`MAX_REDIRECTS`] redirects.
    pub fn follow(&mut self, target: RedirectTarget) -> Result<(), &'static str> {
        if target == RedirectTarget::Unusable {
            return Err("the host redirects to an address that is not http: or https:");
        }
        if self.hops == MAX_REDIRECTS {
            return Err("the host redirects more than 20 times");
        }
        self.hops += 1;
        self.carries_headers &= target == RedirectTarget::SameOrigin;
        Ok(())
    }
}
