//! Driver of HTTP requests without a network: a host is a function, and each command becomes a line of text.

use rectilinear_zarr::network::http::{
    CacheMode, HttpCommand, HttpEvent, HttpHost, HttpPolicy, HttpRequest, HttpResult, Method, RedirectTarget,
    RequestHead, ResponseHead,
};
use rectilinear_zarr::network::{ByteRange, Request};

/// A host's reply to a request.
pub enum Reply {
    /// A response and the length of its body; a length above the limit is an event `TooLong`.
    Answer(ResponseHead, u64),
    /// A response whose body breaks off.
    Broken(ResponseHead),
    /// No response.
    Down,
    /// No response in time.
    Late,
    /// An object that is not a response.
    Strange,
    /// The caller's abort.
    Abort,
}

pub fn policy() -> HttpPolicy {
    HttpPolicy { missing_statuses: vec![404], retries: 2, ..HttpPolicy::default() }
}

pub fn head(status: u16) -> ResponseHead {
    ResponseHead { status, ..ResponseHead::default() }
}

/// A response with an empty body.
pub fn status(status: u16) -> Reply {
    Reply::Answer(head(status), 0)
}

/// A 206 response with a part of a value of `total` bytes.
pub fn part(start: u64, end: u64, total: u64) -> Reply {
    let content_range = Some(format!("bytes {start}-{}/{total}", end - 1));
    Reply::Answer(ResponseHead { content_range, ..head(206) }, end - start)
}

pub fn told(result: HttpResult) -> (Option<u16>, String) {
    use rectilinear_zarr::network::http::HttpFailure::Told;
    match result {
        Err(Told { status, reason }) => (status, reason),
        other => panic!("{other:?}"),
    }
}

/// Runs a request for a range of "c/0" to its end; a whole value may have 1000 bytes.
pub fn run(
    host: &mut HttpHost,
    range: ByteRange,
    mut reply: impl FnMut(&RequestHead) -> Reply,
) -> (Vec<String>, HttpResult) {
    run_key(host, ("c/0", range), |_: &str, sent: &RequestHead| reply(sent))
}

/// Runs a request for a range of a key; the host is told the key of each request.
pub fn run_key(
    host: &mut HttpHost,
    (key, range): (&str, ByteRange),
    mut reply: impl FnMut(&str, &RequestHead) -> Reply,
) -> (Vec<String>, HttpResult) {
    let mut request = HttpRequest::new(Request { key: key.to_owned(), range }, 1000, host);
    let (mut lines, mut event) = (Vec::new(), HttpEvent::Ready);
    let mut body = Ok(0);
    loop {
        assert!(lines.len() < 400, "it ends: {lines:?}");
        let command = request.next(event, host, || 0.5);
        event = match command {
            HttpCommand::Send(sent) => {
                lines.push(line(&sent));
                assert_eq!(sent.method, request.method());
                match reply(&request.asked().key, &sent) {
                    Reply::Answer(head, length) => {
                        body = Ok(length);
                        HttpEvent::Head(head)
                    }
                    Reply::Broken(head) => {
                        body = Err("cut".to_owned());
                        HttpEvent::Head(head)
                    }
                    Reply::Down => HttpEvent::Failed("down".to_owned()),
                    Reply::Late => HttpEvent::Late("late".to_owned()),
                    Reply::Strange => HttpEvent::Thrown,
                    Reply::Abort => HttpEvent::Aborted,
                }
            }
            HttpCommand::Resolve(location) => HttpEvent::Target(match location.as_str() {
                "https://elsewhere/" => RedirectTarget::OtherOrigin,
                "ftp://elsewhere/" => RedirectTarget::Unusable,
                _ => RedirectTarget::SameOrigin,
            }),
            HttpCommand::Read(most) => match body.clone() {
                Ok(length) if length > most => HttpEvent::TooLong(format!("more than {most}")),
                Ok(length) => HttpEvent::Body(length),
                Err(message) => HttpEvent::Failed(message),
            },
            HttpCommand::Leave => {
                lines.push("leave".to_owned());
                HttpEvent::Ready
            }
            HttpCommand::Report { status, bytes } => {
                let told = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
                lines.push(format!("report {} {}", told(status.map(u64::from)), told(bytes)));
                HttpEvent::Ready
            }
            HttpCommand::Wait(ms) => {
                lines.push(format!("wait {ms}"));
                HttpEvent::Ready
            }
            HttpCommand::Done(result) => return (lines, result),
        };
    }
}

fn line(sent: &RequestHead) -> String {
    let method = if sent.method == Method::Get { "GET" } else { "HEAD" };
    let range = sent.range.as_deref().map_or(String::new(), |range| format!(" {range}"));
    // HEAD always comes with the range that has it answered for the bytes as they are.
    let range = if sent.method == Method::Head && sent.range.as_deref() == Some("bytes=0-") {
        String::new()
    } else {
        range
    };
    let blind = if sent.is_blind { " blind" } else { "" };
    let cache = match sent.cache {
        CacheMode::Default => "",
        CacheMode::Revalidate => " no-cache",
        CacheMode::Bypass => " no-store",
    };
    let bare = if sent.carries_headers { "" } else { " bare" };
    format!("{method}{range}{blind}{cache}{bare}")
}
