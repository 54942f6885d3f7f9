//! Parser of JSON, with a limit on the nesting depth.

use super::number::json_number::JsonNumber;
use super::value::{Map, Value};

/// The most nested levels of lists and objects: each takes some of the stack, of which WebAssembly has 1 MiB.
pub(super) const MOST_LEVELS: usize = 512;

/// Syntax error in JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SyntaxError {
    /// Whether lists and objects are nested too deep there.
    pub is_too_deep: bool,
    /// Description of the mistake.
    pub words: &'static str,
    /// Line of the mistake, from 1.
    pub line: usize,
    /// Byte in that line, from 1.
    pub column: usize,
}

type ParserResult<T> = Result<T, &'static str>;

const TOO_DEEP: &str = "lists and objects are nested too deep";
pub(super) const CUT_SHORT: &str = "unexpected end of the text";

impl Value {
    /// Parses JSON text.
    ///
    /// # Errors
    /// The first syntax error.
    pub fn parse(text: &[u8]) -> Result<Self, SyntaxError> {
        Parser::new(text).document()
    }
}

/// Parser state: a text and a position in it.
#[derive(Debug)]
pub struct Parser<'a> {
    text: &'a [u8],
    at: usize,
    levels: usize,
}

impl<'a> Parser<'a> {
    /// A parser at the start of a text.
    #[must_use]
    pub const fn new(text: &'a [u8]) -> Self {
        Self { text, at: 0, levels: 0 }
    }

    /// Reads the only value of a text.
    ///
    /// # Errors
    /// The first syntax error.
    fn document(&mut self) -> Result<Value, SyntaxError> {
        let read = self.value().and_then(|value| {
            self.space();
            if self.at == self.text.len() { Ok(value) } else { Err("unexpected text after the value") }
        });
        read.map_err(|words| {
            let before = &self.text[..self.at];
            let line_start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
            SyntaxError {
                is_too_deep: words == TOO_DEEP,
                words,
                line: before.iter().filter(|&&byte| byte == b'\n').count() + 1,
                column: self.at - line_start + 1,
            }
        })
    }

    fn value(&mut self) -> ParserResult<Value> {
        self.space();
        match self.text.get(self.at) {
            Some(b'[') => {
                let mut items = Vec::new();
                self.enter()?;
                self.list(b']', |parser| {
                    items.push(parser.value()?);
                    Ok(())
                })?;
                self.levels -= 1;
                Ok(Value::Array(items))
            }
            Some(b'{') => {
                let mut fields = Map::new();
                self.enter()?;
                self.list(b'}', |parser| {
                    let name = parser.name()?;
                    fields.insert(name, parser.value()?);
                    Ok(())
                })?;
                self.levels -= 1;
                Ok(Value::Object(fields))
            }
            Some(b'-' | b'0'..=b'9') => Ok(Value::Number(JsonNumber::read(self.number()?))),
            _ => self.plain(),
        }
    }

    /// Reads a string or a literal.
    fn plain(&mut self) -> ParserResult<Value> {
        match self.text.get(self.at).ok_or(CUT_SHORT)? {
            b'n' => self.word("null", Value::Null),
            b't' => self.word("true", Value::Bool(true)),
            b'f' => self.word("false", Value::Bool(false)),
            b'"' => self.string().map(Value::String),
            _ => Err("expected a value"),
        }
    }

    fn enter(&mut self) -> ParserResult<()> {
        if self.levels == MOST_LEVELS {
            return Err(TOO_DEEP);
        }
        self.levels += 1;
        self.at += 1;
        Ok(())
    }

    /// Reads items between commas, up to the end of a list or an object.
    fn list(&mut self, end: u8, mut item: impl FnMut(&mut Self) -> ParserResult<()>) -> ParserResult<()> {
        self.space();
        if self.takes(end) {
            return Ok(());
        }
        loop {
            item(self)?;
            if self.ends(end)? {
                return Ok(());
            }
        }
    }

    /// Reads the end of a list or an object, or a comma; returns whether it was the end.
    fn ends(&mut self, end: u8) -> ParserResult<bool> {
        self.space();
        if self.takes(end) {
            return Ok(true);
        }
        if self.takes(b',') {
            self.space();
            let is_last = matches!(self.text.get(self.at), Some(b']' | b'}'));
            return if is_last { Err("trailing comma") } else { Ok(false) };
        }
        let is_there = self.at < self.text.len();
        Err(if is_there { "expected a comma or the end of the list or object" } else { CUT_SHORT })
    }

    /// Reads the name of a field, and the colon after it.
    fn name(&mut self) -> ParserResult<String> {
        self.space();
        if self.text.get(self.at) != Some(&b'"') {
            return Err("expected a field name in quotes");
        }
        let name = self.string()?;
        self.space();
        if self.takes(b':') { Ok(name) } else { Err("expected a colon") }
    }

    fn space(&mut self) {
        while matches!(self.text.get(self.at), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn takes(&mut self, byte: u8) -> bool {
        let is_next = self.text.get(self.at) == Some(&byte);
        self.at += usize::from(is_next);
        is_next
    }

    fn word(&mut self, word: &str, value: Value) -> ParserResult<Value> {
        if !self.text[self.at..].starts_with(word.as_bytes()) {
            return Err("expected a value");
        }
        self.at += word.len();
        Ok(value)
    }

    /// Reads the text of a number.
    pub(super) fn number(&mut self) -> ParserResult<&'a str> {
        const WRONG: &str = "a number with a leading zero";
        let start = self.at;
        self.takes(b'-');
        if !self.takes(b'0') {
            self.digits()?;
        } else if matches!(self.text.get(self.at), Some(b'0'..=b'9')) {
            return Err(WRONG);
        }
        if self.takes(b'.') {
            self.digits()?;
        }
        if self.takes(b'e') || self.takes(b'E') {
            let _ = self.takes(b'+') || self.takes(b'-');
            self.digits()?;
        }
        str::from_utf8(&self.text[start..self.at]).map_err(|_| WRONG)
    }

    fn digits(&mut self) -> ParserResult<()> {
        let start = self.at;
        while matches!(self.text.get(self.at), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at > start { Ok(()) } else { Err("expected a digit") }
    }

    /// Reads a string, starting at its opening quote.
    pub(super) fn string(&mut self) -> ParserResult<String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let start = self.at;
            while matches!(self.text.get(self.at), Some(byte) if *byte >= b' ' && *byte != b'"' && *byte != b'\\')
            {
                self.at += 1;
            }
            let plain = str::from_utf8(&self.text[start..self.at]).map_err(|_| "text that is not UTF-8")?;
            text.push_str(plain);
            match self.text.get(self.at).ok_or(CUT_SHORT)? {
                b'"' => {
                    self.at += 1;
                    return Ok(text);
                }
                b'\\' => {
                    self.at += 1;
                    text.push(self.escaped()?);
                }
                _ => return Err("an unescaped control character in a string"),
            }
        }
    }

    /// Reads the rest of an escape.
    fn escaped(&mut self) -> ParserResult<char> {
        const WRONG: &str = "an invalid escape in a string";
        let byte = *self.text.get(self.at).ok_or(CUT_SHORT)?;
        self.at += 1;
        Ok(match byte {
            b'"' | b'\\' | b'/' => char::from(byte),
            b'b' => '\x08',
            b'f' => '\x0c',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let mut code = self.hexadecimal()?;
                let after = self.at;
                // Two surrogates make a character above U+FFFF.
                if (0xd800..0xdc00).contains(&code) && self.takes(b'\\') && self.takes(b'u') {
                    match self.hexadecimal() {
                        Ok(low @ 0xdc00..0xe000) => {
                            code = 0x1_0000 + ((code - 0xd800) << 10 | (low - 0xdc00))
                        }
                        _ => self.at = after,
                    }
                } else {
                    self.at = after;
                }
                // One alone is no character: Python and JavaScript keep it, and UTF-8 cannot.
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return Err(WRONG),
        })
    }

    /// Reads four hexadecimal digits.
    fn hexadecimal(&mut self) -> ParserResult<u32> {
        let mut code = 0;
        for _ in 0..4 {
            let digit = self.text.get(self.at).and_then(|&byte| char::from(byte).to_digit(16));
            code = code << 4 | digit.ok_or("expected a hexadecimal digit")?;
            self.at += 1;
        }
        Ok(code)
    }
}
