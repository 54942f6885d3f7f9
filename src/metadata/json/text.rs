//! JSON values as text.

use std::fmt::{Display, Formatter, Result, Write};

use super::value::Value;

impl Display for Value {
    /// Writes JSON without spaces.
    fn fmt(&self, f: &mut Formatter<'_>) -> Result {
        let mut text = String::new();
        self.write(&mut text);
        f.write_str(&text)
    }
}

impl Value {
    /// Appends this value as JSON.
    pub(super) fn write(&self, into: &mut String) {
        match self {
            Self::Null => into.push_str("null"),
            Self::Bool(truth) => into.push_str(if *truth { "true" } else { "false" }),
            Self::Number(number) => into.push_str(&number.text()),
            Self::String(text) => quote(text, into),
            Self::Array(items) => {
                into.push('[');
                for (nth, item) in items.iter().enumerate() {
                    if nth > 0 {
                        into.push(',');
                    }
                    item.write(into);
                }
                into.push(']');
            }
            Self::Object(fields) => {
                into.push('{');
                for (nth, (name, value)) in fields.iter().enumerate() {
                    if nth > 0 {
                        into.push(',');
                    }
                    quote(name, into);
                    into.push(':');
                    value.write(into);
                }
                into.push('}');
            }
        }
    }
}

/// Appends text as a JSON string.
fn quote(text: &str, into: &mut String) {
    into.push('"');
    for letter in text.chars() {
        match letter {
            '"' | '\\' => {
                into.push('\\');
                into.push(letter);
            }
            '\n' => into.push_str("\\n"),
            '\r' => into.push_str("\\r"),
            '\t' => into.push_str("\\t"),
            '\x08' => into.push_str("\\b"),
            '\x0c' => into.push_str("\\f"),
            '\0'..' ' => {
                // Writing to a string cannot fail.
                let _ = write!(into, "\\u{:04x}", u32::from(letter));
            }
            _ => into.push(letter),
        }
    }
    into.push('"');
}
