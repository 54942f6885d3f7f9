//! Parsing of numbers.

use super::{Parser, ParserResult};

impl<'a> Parser<'a> {
    /// Reads the text of a number.
    pub(in crate::metadata::json) fn number(&mut self) -> ParserResult<&'a str> {
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
}
