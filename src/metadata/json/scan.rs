//! Scan of a JSON text in slices: it checks the syntax, and notes where the members of some of its objects are.
//!
//! Invariants: a slice reads about as many bytes as it is told, whatever the text holds, because the thread may be a
//! page's; nothing of the text is copied. The bare words `NaN`, `Infinity` and `-Infinity` count as values.

use std::borrow::Cow;

use super::parser::{CUT_SHORT, Parser, SyntaxError};

/// Member of an object: the places of its name, in quotes, and of its value.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Member {
    name: [u32; 2],
    value: [u32; 2],
}

/// State of a scan; the text is the same in each slice.
#[derive(Debug)]
pub(super) struct Scan {
    at: usize,
    expected: Expected,
    /// Ends of the lists and objects that the scan is in.
    ends: Vec<u8>,
    /// Names of the objects whose members are noted: the first in the root, each other in the one before.
    path: &'static [&'static str],
    /// Members of the root, and of each object of the path that is there.
    objects: Vec<Option<Vec<Member>>>,
    /// Members under way, of the objects of which members are noted.
    open: Vec<Member>,
    line: usize,
    line_start: usize,
}

/// What comes next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    Value,
    ValueOrEnd,
    Name,
    NameOrEnd,
    Colon,
    CommaOrEnd,
    /// The rest of a string, whose text before this place is known to be UTF-8.
    Text {
        is_name: bool,
        checked: usize,
    },
    Nothing,
}

/// Values that are words.
const WORDS: [&[u8]; 6] = [b"null", b"true", b"false", b"NaN", b"Infinity", b"-Infinity"];

impl Member {
    /// The value as JSON.
    pub(super) fn value<'a>(&self, text: &'a [u8]) -> &'a str {
        piece(text, self.value)
    }

    /// The name, which is a piece of the text unless it is written with escapes.
    pub(super) fn name<'a>(&self, text: &'a [u8]) -> Cow<'a, str> {
        let [start, end] = self.name;
        let inside = piece(text, [start + 1, end.saturating_sub(1)]);
        if !inside.contains('\\') {
            return Cow::Borrowed(inside);
        }
        Parser::new(piece(text, self.name).as_bytes()).string().unwrap_or_default().into()
    }
}

impl Scan {
    /// A scan of a text, which notes the members of the root and of the objects that these names lead to.
    pub(super) fn new(text: &[u8], path: &'static [&'static str]) -> Self {
        let at = if text.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Self {
            at,
            expected: Expected::Value,
            ends: Vec::new(),
            path,
            objects: path.iter().map(|_| None).chain([None]).collect(),
            open: Vec::new(),
            line: 1,
            line_start: at,
        }
    }

    /// Reads about this many bytes; returns whether the text is at its end.
    pub(super) fn step(&mut self, text: &[u8], bytes: usize) -> Result<bool, SyntaxError> {
        let stop = text.len().min(self.at.saturating_add(bytes));
        while self.at < stop {
            self.token(text, stop).map_err(|words| self.error(words))?;
        }
        if self.at < text.len() {
            return Ok(false);
        }
        if self.expected == Expected::Nothing { Ok(true) } else { Err(self.error(CUT_SHORT)) }
    }

    /// The members of the root, or of the object at this place of the path; `None` if that is no object.
    pub(super) fn object(&self, place: usize) -> Option<&[Member]> {
        self.objects.get(place)?.as_deref()
    }

    fn error(&self, words: &'static str) -> SyntaxError {
        SyntaxError { is_too_deep: false, words, line: self.line, column: self.at - self.line_start + 1 }
    }

    fn token(&mut self, text: &[u8], stop: usize) -> Result<(), &'static str> {
        if let Expected::Text { is_name, checked } = self.expected {
            return self.string(text, stop, is_name, checked);
        }
        while let Some(byte @ (b' ' | b'\t' | b'\n' | b'\r')) = text[..stop].get(self.at) {
            self.at += 1;
            if *byte == b'\n' {
                (self.line, self.line_start) = (self.line + 1, self.at);
            }
        }
        let Some(&byte) = text[..stop].get(self.at) else { return Ok(()) };
        match (self.expected, byte) {
            (Expected::ValueOrEnd, b']') | (Expected::NameOrEnd, b'}') => self.close(),
            (Expected::CommaOrEnd, byte) if self.ends.last() == Some(&byte) => self.close(),
            (Expected::Value | Expected::ValueOrEnd, byte) => self.value(text, byte)?,
            (Expected::Name | Expected::NameOrEnd, b'"') => {
                if self.is_noted()
                    && let Some(member) = self.open.last_mut()
                {
                    member.name[0] = place(self.at);
                }
                self.at += 1;
                self.expected = Expected::Text { is_name: true, checked: self.at };
            }
            (Expected::Name, b'}') => return Err("trailing comma"),
            (Expected::Name | Expected::NameOrEnd, _) => return Err("expected a field name in quotes"),
            (Expected::Colon, b':') => {
                self.at += 1;
                self.expected = Expected::Value;
            }
            (Expected::Colon, _) => return Err("expected a colon"),
            (Expected::CommaOrEnd, b',') => {
                self.at += 1;
                let is_list = self.ends.last() == Some(&b']');
                self.expected = if is_list { Expected::Value } else { Expected::Name };
            }
            (Expected::CommaOrEnd, _) => return Err("expected a comma or the end of the list or object"),
            (Expected::Nothing | Expected::Text { .. }, _) => return Err("unexpected text after the value"),
        }
        Ok(())
    }

    /// Reads a value, or the start of a list, an object or a string.
    fn value(&mut self, text: &[u8], byte: u8) -> Result<(), &'static str> {
        let is_of_path = self.begin(text);
        match byte {
            b'[' | b'{' => {
                let is_list = byte == b'[';
                self.at += 1;
                self.ends.push(if is_list { b']' } else { b'}' });
                self.expected = if is_list { Expected::ValueOrEnd } else { Expected::NameOrEnd };
                if is_of_path && !is_list {
                    self.objects[self.open.len()] = Some(Vec::new());
                    self.open.push(Member::default());
                }
                return Ok(());
            }
            b'"' => {
                self.at += 1;
                self.expected = Expected::Text { is_name: false, checked: self.at };
                return Ok(());
            }
            b']' if self.ends.last() == Some(&b']') => return Err("trailing comma"),
            _ => {}
        }
        match WORDS.iter().find(|word| text[self.at..].starts_with(word)) {
            Some(word) => self.at += word.len(),
            None if matches!(byte, b'-' | b'0'..=b'9') => {
                self.at += Parser::new(&text[self.at..]).number()?.len()
            }
            None => return Err("expected a value"),
        }
        self.end();
        Ok(())
    }

    /// Notes the start of a value; returns whether it is at the next place of the path.
    fn begin(&mut self, text: &[u8]) -> bool {
        let (at, noted) = (place(self.at), self.is_noted());
        let Some(member) = self.open.last_mut().filter(|_| noted) else { return self.ends.is_empty() };
        member.value[0] = at;
        let places = self.open.len();
        let is_of_path =
            self.path.get(places - 1).is_some_and(|name| self.open[places - 1].name(text) == *name);
        if is_of_path {
            // Of members with the same name, the last one counts.
            self.objects[places..].fill(None);
        }
        is_of_path
    }

    /// Notes the end of a value.
    fn end(&mut self) {
        if self.is_noted()
            && let Some(member) = self.open.last_mut()
        {
            member.value[1] = place(self.at);
            let member = *member;
            if let Some(Some(members)) = self.objects.get_mut(self.open.len() - 1) {
                members.push(member);
            }
        }
        self.expected = if self.ends.is_empty() { Expected::Nothing } else { Expected::CommaOrEnd };
    }

    fn close(&mut self) {
        if self.is_noted() {
            self.open.pop();
        }
        self.ends.pop();
        self.at += 1;
        self.end();
    }

    /// Whether the scan is in an object whose members are noted, and not in one of their values.
    fn is_noted(&self) -> bool {
        !self.open.is_empty() && self.open.len() == self.ends.len()
    }

    /// Reads on in a string.
    fn string(
        &mut self,
        text: &[u8],
        stop: usize,
        is_name: bool,
        checked: usize,
    ) -> Result<(), &'static str> {
        while matches!(text[..stop].get(self.at), Some(byte) if *byte >= b' ' && *byte != b'"' && *byte != b'\\')
        {
            self.at += 1;
        }
        let byte = text[..stop].get(self.at);
        let checked = match str::from_utf8(&text[checked..self.at]) {
            Ok(_) => self.at,
            // A character goes on in the next slice.
            Err(error) if byte.is_none() && error.error_len().is_none() => checked + error.valid_up_to(),
            Err(error) => {
                self.at = checked + error.valid_up_to();
                return Err("text that is not UTF-8");
            }
        };
        match byte {
            None => self.expected = Expected::Text { is_name, checked },
            Some(b'\\') => {
                self.at += escape(&text[self.at..])?;
                self.expected = Expected::Text { is_name, checked };
            }
            Some(b'"') => {
                self.at += 1;
                if !is_name {
                    self.end();
                    return Ok(());
                }
                if self.is_noted()
                    && let Some(member) = self.open.last_mut()
                {
                    member.name[1] = place(self.at);
                }
                self.expected = Expected::Colon;
            }
            Some(_) => return Err("an unescaped control character in a string"),
        }
        Ok(())
    }
}

/// Length of the escape at the start of a text.
fn escape(text: &[u8]) -> Result<usize, &'static str> {
    match text.get(1).ok_or(CUT_SHORT)? {
        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => Ok(2),
        b'u' if text.get(2..6).is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit)) => Ok(6),
        b'u' => Err("expected a hexadecimal digit"),
        _ => Err("an invalid escape in a string"),
    }
}

/// A place in a text, which has less than 4 GiB.
fn place(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// A piece of a text that was scanned, and so is UTF-8.
fn piece(text: &[u8], [start, end]: [u32; 2]) -> &str {
    text.get(start as usize..end as usize).and_then(|piece| str::from_utf8(piece).ok()).unwrap_or_default()
}
