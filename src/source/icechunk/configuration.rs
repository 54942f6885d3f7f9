//! The configuration of repositories of version 1: `config.yaml`, of which the containers of virtual chunks are read.
//!
//! Only the YAML that icechunk writes is read: mappings in blocks, tags before them, and values of one line. The rest is
//! passed over.

use super::container::Container;
use crate::metadata::{Map, Value};

/// Deepest mapping that is read; icechunk's have four levels.
const DEEPEST: usize = 16;

/// The containers in a configuration, which is missing or may be another text, as of a host's page.
pub(super) fn containers(document: Option<&[u8]>) -> Vec<Container> {
    let text = document.and_then(|document| str::from_utf8(document).ok()).unwrap_or_default();
    let lines: Vec<Line<'_>> = text.lines().filter_map(Line::parse).collect();
    Container::all(&Value::Object(mapping(&lines, DEEPEST)))
}

/// A line with a key.
struct Line<'a> {
    indent: usize,
    key: String,
    value: &'a str,
}

impl<'a> Line<'a> {
    /// Parses a line; `None` for one without a key, such as an item of a list.
    fn parse(line: &'a str) -> Option<Self> {
        let text = line.trim_start_matches(' ');
        let indent = line.len() - text.len();
        if text.starts_with(['#', '-', '?', ':']) {
            return None;
        }
        let end = match text.chars().next()? {
            quote @ ('\'' | '"') => quoted(text, quote)?,
            _ => text.find(": ").or_else(|| text.trim_end().strip_suffix(':').map(str::len))?,
        };
        let value = text[end..].strip_prefix(':')?.trim();
        Some(Self { indent, key: scalar(&text[..end]).as_str()?.to_owned(), value })
    }
}

/// The mapping that the first line begins.
fn mapping(lines: &[Line<'_>], levels: usize) -> Map {
    let mut map = Map::new();
    let Some(first) = lines.first().filter(|_| levels > 0) else { return map };
    for (at, line) in lines.iter().enumerate() {
        if line.indent < first.indent {
            break;
        }
        if line.indent > first.indent {
            continue;
        }
        let below = lines.get(at + 1).filter(|next| next.indent > line.indent);
        let nested = || Value::Object(below.map_or_else(Map::new, |_| mapping(&lines[at + 1..], levels - 1)));
        let value = match line.value.strip_prefix('!') {
            // A tag names the kind of what is in the mapping.
            Some(tag) => {
                let kind = tag.split(' ').next().unwrap_or(tag);
                Value::object([(kind, nested())])
            }
            None if below.is_some() => nested(),
            None => scalar(line.value),
        };
        map.insert(line.key.clone(), value);
    }
    map
}

/// A value of one line.
fn scalar(text: &str) -> Value {
    if let Some(inside) = text.strip_prefix('\'').and_then(|text| text.strip_suffix('\'')) {
        return inside.replace("''", "'").into();
    }
    if text.starts_with('"') {
        return Value::parse(text.as_bytes()).unwrap_or_default();
    }
    match text.split(" #").next().unwrap_or(text).trim_end() {
        "true" => true.into(),
        "false" => false.into(),
        "null" | "~" | "" => Value::Null,
        text => text.into(),
    }
}

/// Length of the quoted text at the start of a line.
fn quoted(text: &str, quote: char) -> Option<usize> {
    let mut letters = text.char_indices().skip(1).peekable();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' if quote == '"' => drop(letters.next()),
            // Two quotes stand for one.
            '\'' if quote == '\'' && letters.next_if(|(_, next)| *next == '\'').is_some() => {}
            letter if letter == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::containers;

    /// As icechunk 2.3.0 writes it for version 1, without most of its settings.
    const WRITTEN: &str = "\
inline_chunk_threshold_bytes: null
storage:
  concurrency:
    max_concurrent_requests_for_object: 5
virtual_chunk_containers:
  https://host.org/data/:
    name: null
    url_prefix: https://host.org/data/
    store: !http {}
  s3://bucket/d/:
    name: null
    url_prefix: s3://bucket/d/
    store: !s3_compatible
      region: us-east-1
      endpoint_url: https://nyu1.osn.mghpcc.org
      force_path_style: true
  s3://my.bucket.org/:
    name: 'it''s: odd'
    url_prefix: \"s3://my.bucket.org/\"
    store: !s3
      region: us-west-2
      endpoint_url: null
      force_path_style: false
manifest: null
";

    #[test]
    fn containers_are_those_that_icechunk_writes() {
        let found = containers(Some(WRITTEN.as_bytes()));
        let known: Vec<_> = found.iter().map(|one| (one.name.as_deref(), one.prefix.as_str())).collect();
        let expected = [
            (None, "https://host.org/data/"),
            (None, "s3://bucket/d/"),
            (Some("it's: odd"), "s3://my.bucket.org/"),
        ];
        assert_eq!(known, expected);
        let web = |at: usize, location: &str| found[at].web_address(location);
        assert_eq!(web(0, "https://host.org/data/a"), None);
        assert_eq!(
            web(1, "s3://bucket/d/a.nc").as_deref(),
            Some("https://nyu1.osn.mghpcc.org/bucket/d/a.nc")
        );
        assert_eq!(
            web(2, "s3://my.bucket.org/a").as_deref(),
            Some("https://s3.us-west-2.amazonaws.com/my.bucket.org/a")
        );
    }

    #[test]
    fn other_texts_have_no_containers() {
        for text in [
            "",
            "<!doctype html>",
            "virtual_chunk_containers:",
            "virtual_chunk_containers: {}",
            "a: [",
            "'",
            "\"\\",
        ] {
            assert!(containers(Some(text.as_bytes())).is_empty(), "{text}");
        }
        assert!(containers(None).is_empty() && containers(Some(b"\xff")).is_empty());
        let deep: String = (0..100).map(|level| format!("{}a:\n", " ".repeat(level))).collect();
        assert!(containers(Some(deep.as_bytes())).is_empty());
    }
}
