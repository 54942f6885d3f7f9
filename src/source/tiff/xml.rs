//! The tags of an XML text, one after the other: as much of XML as descriptions of images use.
//!
//! Nothing nests here: a reader takes the tags in their order. Names are without the prefix of their namespace.

/// A tag, with the text up to the next one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tag<'a> {
    pub(super) name: &'a str,
    /// Whether it ends an element.
    pub(super) is_end: bool,
    attributes: &'a str,
    text: &'a str,
}

impl<'a> Tag<'a> {
    /// The tags of a text.
    pub(super) fn all(text: &'a str) -> impl Iterator<Item = Self> {
        let mut rest = text;
        std::iter::from_fn(move || {
            loop {
                let at = rest.find('<')?;
                rest = &rest[at + 1..];
                // Comments, instructions and declarations.
                let skipped = [("!--", "-->"), ("?", "?>"), ("!", ">")]
                    .into_iter()
                    .find(|(start, _)| rest.starts_with(start));
                if let Some((_, end)) = skipped {
                    rest = &rest[rest.find(end)? + end.len()..];
                    continue;
                }
                let end = tag_end(rest)?;
                let (inside, after) = (rest[..end].trim_end_matches('/'), &rest[end + 1..]);
                rest = after;
                let is_end = inside.starts_with('/');
                let inside = inside.trim_start_matches('/');
                let (name, attributes) =
                    inside.split_once(|letter: char| letter.is_whitespace()).unwrap_or((inside, ""));
                let name = name.rsplit(':').next().unwrap_or(name);
                let text = &after[..after.find('<').unwrap_or(after.len())];
                return Some(Self { name, is_end, attributes, text });
            }
        })
    }

    /// The text after the tag.
    pub(super) fn text(&self) -> String {
        plain(self.text.trim())
    }

    /// The value of an attribute.
    pub(super) fn get(&self, name: &str) -> Option<String> {
        let mut rest = self.attributes;
        loop {
            let (before, after) = rest.split_once('=')?;
            let after = after.trim_start();
            let quote = after.chars().next().filter(|letter| ['"', '\''].contains(letter))?;
            let (value, left) = after[1..].split_once(quote)?;
            if before.trim() == name {
                return Some(plain(value));
            }
            rest = left;
        }
    }

    /// The whole number of an attribute.
    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.get(name)?.trim().parse().ok()
    }
}

/// Place of the bracket that ends a tag; those in quotes do not.
fn tag_end(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

/// Longest entity, such as `#x10FFFF`.
const LONGEST_ENTITY: usize = 10;

/// Text with its entities replaced.
pub(super) fn plain(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        found.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.bytes().take(LONGEST_ENTITY + 2).position(|byte| byte == b';');
        let letter = end.and_then(|end| Some((entity(&rest[1..end])?, end)));
        match letter {
            Some((letter, end)) => {
                found.push(letter);
                rest = &rest[end + 1..];
            }
            None => {
                found.push('&');
                rest = &rest[1..];
            }
        }
    }
    found.push_str(rest);
    found
}

/// The letter of an entity.
fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Tag;

    #[test]
    fn tags_their_attributes_and_their_text() {
        let text = "<?xml version='1.0'?><!-- <a> --><OME:a x = \"1 &gt; 0\" y='&#x41;&#66;'>t &amp;\n<b c=\">\"/>&x;&</OME:a >";
        let tags: Vec<Tag<'_>> = Tag::all(text).collect();
        let shown: Vec<_> = tags.iter().map(|tag| (tag.name, tag.is_end, tag.text())).collect();
        let expected = [("a", false, "t &"), ("b", false, "&x;&"), ("a", true, "")];
        assert_eq!(shown, expected.map(|(name, is_end, text)| (name, is_end, text.to_owned())));
        assert_eq!(tags[0].get("x").as_deref(), Some("1 > 0"));
        assert_eq!(tags[0].get("y").as_deref(), Some("AB"));
        assert_eq!(tags[0].get("z"), None);
        assert_eq!(tags[1].get("c").as_deref(), Some(">"));
        for broken in ["<", "<a", "<a b", "<a b='", "<!--", "<a b=é>", "</", "<>", "<é é=\"é\">é"] {
            for tag in Tag::all(broken) {
                let _ = (tag.get("b"), tag.text());
            }
        }
    }
}
