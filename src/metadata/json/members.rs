//! The members of a JSON object with their values as text, for large objects of which few members are needed.

use super::scan::Scan;
use super::value::Value;

/// The names and values of an object, in the order of the text; `None` if the text is not an object.
#[must_use]
pub fn members(text: &[u8]) -> Option<Vec<(String, &str)>> {
    let mut scan = Scan::new(text, &[]);
    scan.step(text, text.len()).ok()?;
    let members = scan.object(0)?.iter();
    Some(members.map(|member| (member.name(text).into_owned(), member.value(text))).collect())
}

/// Whether a text is JSON, with any depth and any size of numbers; the bare words for numbers count.
#[must_use]
pub fn is_json(text: &[u8]) -> bool {
    Scan::new(text, &[]).step(text, text.len()).is_ok()
}

/// The value with this name; the last one if the name occurs twice.
#[must_use]
pub fn member<'a>(members: &[(String, &'a str)], name: &str) -> Option<&'a str> {
    members.iter().rev().find(|(known, _)| known == name).map(|(_, value)| *value)
}

/// The parsed value with this name; `None` if it is missing or not JSON.
#[must_use]
pub fn member_value(members: &[(String, &str)], name: &str) -> Option<Value> {
    Value::parse(member(members, name)?.as_bytes()).ok()
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
    fn other_text_has_no_members() {
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
