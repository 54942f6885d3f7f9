//! Parsing of strings, with their escapes.

use super::{CUT_SHORT, Parser, ParserResult};

impl Parser<'_> {
    /// Reads a string, starting at its opening quote.
    pub(in crate::metadata::json) fn string(&mut self) -> ParserResult<String> {
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
