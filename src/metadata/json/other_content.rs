//! Content that comes in place of JSON: other formats by their first bytes, and the words of hosts.

/// First bytes of other formats, and what a message says of them.
const FORMATS: [(&[u8], &str); 10] = [
    (
        b"version https://git-lfs",
        "a pointer of Git LFS, not the file; take the file's own address, or fetch it with \"git lfs pull\"",
    ),
    (b"\x1f\x8b", "compressed with gzip; decompress it, or let the host send it with Content-Encoding: gzip"),
    (b"\x28\xb5\x2f\xfd", "compressed with zstd; decompress it"),
    (b"BZh", "compressed with bzip2; decompress it"),
    (b"PK\x03\x04", "a zip file; open it with zipStore"),
    (b"\x89HDF", "an HDF5 or NetCDF-4 file, not Zarr; kerchunk or VirtualiZarr make references to it"),
    (b"CDF", "a NetCDF-3 file, not Zarr; kerchunk or VirtualiZarr make references to it"),
    (b"II*\0", "a TIFF file, not Zarr"),
    (b"MM\0*", "a TIFF file, not Zarr"),
    (b"PAR1", "a Parquet file; give the address of the folder that it is in"),
];

/// The most characters of the content that a message shows.
const SHOWN: usize = 80;

/// Names content that does not begin as JSON, for a message; `None` for damaged JSON and for an empty document.
pub(super) fn other_content(bytes: &[u8]) -> Option<String> {
    if let Some((_, name)) = FORMATS.iter().find(|(start, _)| bytes.starts_with(start)) {
        return Some((*name).to_owned());
    }
    let text = bytes.trim_ascii();
    if matches!(text.first(), None | Some(b'{' | b'[' | b'"' | b'-' | b'0'..=b'9' | 0xef)) && !is_status(text)
    {
        return None;
    }
    let text = String::from_utf8_lossy(&text[..text.len().min(4096)]);
    let part = |name: &str| {
        let (_, rest) = text.split_once(&format!("<{name}>"))?;
        rest.split_once('<').map(|(content, _)| shown(content))
    };
    // The errors of S3, of Google and of Azure.
    if let Some(code) = part("Code") {
        let message = part("Message").unwrap_or_default();
        return Some(format!("the host's error {code} {message}; check the URL, and whether it is public"));
    }
    Some(format!("other text, which begins with {}; check the URL", shown(&text)))
}

/// Whether the text is an HTTP status in words: `404: Not Found`.
fn is_status(text: &[u8]) -> bool {
    matches!(text, [b'4' | b'5', b'0'..=b'9', b'0'..=b'9', b':' | b' ', ..])
}

/// The beginning of a text, in quotes.
fn shown(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}…", &text[..end]),
    }
}
