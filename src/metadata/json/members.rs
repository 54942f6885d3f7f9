//! The members of a JSON object, their values as text: there may be many, and few of them wanted.
//!
//! serde_json has a type for such values, `RawValue`; it costs a second parser, and messages that nobody is shown.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Deserializer, Value};

/// The names and values of an object, in the order that they are written in; none where the text is no object.
#[must_use]
pub fn members(text: &[u8]) -> Option<Vec<(String, &str)>> {
    let mut left = Left(str::from_utf8(text).ok()?);
    let mut members = Vec::new();
    left.sign('{')?;
    if left.sign('}').is_none() {
        loop {
            let (Value::String(name), _) = left.value()? else { return None };
            left.sign(':')?;
            let (IgnoredAny, value) = left.value()?;
            members.push((name, value));
            if left.sign('}').is_some() {
                break;
            }
            left.sign(',')?;
        }
    }
    left.0.is_empty().then_some(members)
}

/// The value of a name, the last one where it is there twice.
#[must_use]
pub fn member<'a>(members: &[(String, &'a str)], name: &str) -> Option<&'a str> {
    members.iter().rev().find(|(known, _)| known == name).map(|(_, value)| *value)
}

/// The value of a name, parsed; none where it is no JSON.
#[must_use]
pub fn member_value(members: &[(String, &str)], name: &str) -> Option<Value> {
    serde_json::from_slice(member(members, name)?.as_bytes()).ok()
}

/// The rest of a text, with no space before it.
struct Left<'a>(&'a str);

impl<'a> Left<'a> {
    /// Goes past a sign, if it is next, and the space on either side of it.
    fn sign(&mut self, sign: char) -> Option<()> {
        self.0 = spaceless(spaceless(self.0).strip_prefix(sign)?);
        Some(())
    }

    /// Goes past a value of any kind: what it is, and its text.
    fn value<T: Deserialize<'a>>(&mut self) -> Option<(T, &'a str)> {
        // As bytes, that there be one parser and not a second one for text.
        let mut values = Deserializer::from_slice(self.0.as_bytes()).into_iter();
        let value = values.next()?.ok()?;
        let (text, left) = self.0.split_at(values.byte_offset());
        self.0 = left;
        Some((value, text))
    }
}

fn spaceless(text: &str) -> &str {
    text.trim_start_matches([' ', '\t', '\n', '\r'])
}

#[cfg(test)]
mod tests {
    use super::members;

    #[test]
    fn values_stay_as_they_are_written() {
        let text = br#" { "a\"b" : [1, {"c": "}"}] , "d":-1.50e3,"e": "\u0041" ,"a":{ } } "#;
        let found = members(text).unwrap_or_default();
        let found: Vec<_> = found.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let expected = [("a\"b", r#"[1, {"c": "}"}]"#), ("d", "-1.50e3"), ("e", r#""\u0041""#), ("a", "{ }")];
        assert_eq!(found, expected);
        assert_eq!(members(b"{}"), Some(Vec::new()));
        assert_eq!(members(b" {\n} "), Some(Vec::new()));
    }

    #[test]
    fn what_is_no_object_has_none() {
        let texts = [
            "",
            "1",
            "[]",
            "{",
            r#"{"a"}"#,
            r#"{"a":}"#,
            r#"{"a":1"#,
            r#"{"a":1,}"#,
            r#"{"a":1}}"#,
            r#"{"a" 1}"#,
            "{1:2}",
            r#"{,"a":1}"#,
            r#"{"a":1 "b":2}"#,
            r#"{"a":1}x"#,
        ];
        for text in texts {
            assert_eq!(members(text.as_bytes()), None, "{text}");
        }
        assert_eq!(members(b"{\"a\":\"\xff\"}"), None);
    }
}
