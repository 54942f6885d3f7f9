//! A large JSON document that stays text: its members are found in slices, and parsed when they are looked up.
//!
//! Invariant: besides the text there are 16 bytes for each member, and up to 16 in the index of names, so a million
//! members cost little more than their text.

use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};

use super::bare_number::quote_bare_numbers;
use super::document::fault;
use super::parser::SyntaxError;
use super::scan::Scan;
use super::value::{Map, Value};
use crate::error::{Error, Result};

/// Bytes of text that a step scans: a millisecond's work.
pub const STEP_BYTES: usize = 256 << 10;

/// Members that a step adds to the index.
const STEP_MEMBERS: usize = 4096;

/// The most members of an object that is indexed: 2^23, which take 128 MiB beside their text, and 64 MiB in the index.
pub const MAX_MEMBERS: usize = 1 << 23;

/// A document, and where the members of its root and of the objects on a path are.
#[derive(Debug)]
pub struct ScannedJson {
    text: Vec<u8>,
    scan: Scan,
    index: Index,
    stage: ScanStage,
}

#[derive(Debug)]
enum ScanStage {
    Text,
    Index,
    Done,
    Failed(SyntaxError),
    TooMany(usize),
}

/// Members of the innermost object by the hashes of their names.
#[derive(Debug, Default)]
struct Index {
    /// Place in the path of the object.
    object: usize,
    hasher: RandomState,
    /// Members by hash, the next free place where that is taken: one more than their number, 0 where there is none.
    places: Vec<u32>,
    /// Members that are in the index.
    members: usize,
    /// Names that are written with escapes, with the numbers of their members, in order.
    escaped: Vec<(usize, String)>,
}

impl ScannedJson {
    /// A document of which nothing is scanned; the names lead from the root to the object whose members are indexed.
    #[must_use]
    pub fn new(text: Vec<u8>, path: &'static [&'static str]) -> Self {
        Self { scan: Scan::new(&text, path), text, index: Index::default(), stage: ScanStage::Text }
    }

    /// Scans a whole document.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub fn parse(text: Vec<u8>, path: &'static [&'static str]) -> Result<Self> {
        let mut document = Self::new(text, path);
        while !document.step() {}
        document.check()?;
        Ok(document)
    }

    /// Does a step of the work, of about a millisecond; returns whether all is done.
    pub fn step(&mut self) -> bool {
        match self.stage {
            ScanStage::Text => {
                match self.scan.step(&self.text, STEP_BYTES) {
                    Ok(false) => {}
                    Ok(true) => self.begin_index(),
                    Err(error) => self.stage = ScanStage::Failed(error),
                }
                false
            }
            ScanStage::Index => {
                self.add_to_index();
                false
            }
            _ => true,
        }
    }

    /// Checks that the document is JSON.
    ///
    /// # Errors
    /// [`Error::InvalidMetadata`] where it is not, [`Error::Unsupported`] where it has more than [`MAX_MEMBERS`].
    pub fn check(&self) -> Result<()> {
        match &self.stage {
            ScanStage::Failed(error) => Err(fault(&self.text, error)),
            ScanStage::TooMany(members) => Err(Error::Unsupported {
                feature: format!("{members} members in one object of a document"),
                reason: format!("at most {MAX_MEMBERS} are read"),
            }),
            _ => Ok(()),
        }
    }

    /// The text of the document.
    #[must_use]
    pub fn text(&self) -> &[u8] {
        &self.text
    }

    /// The number of members of the root (0), or of the object at a place of the path (from 1), those that others with
    /// the same name hide included; `None` if it is missing or no object.
    #[must_use]
    pub fn len(&self, object: usize) -> Option<usize> {
        self.scan.object(object).map(<[_]>::len)
    }

    /// The name and the value of a member by its number.
    #[must_use]
    pub fn nth(&self, object: usize, number: usize) -> Option<(Cow<'_, str>, &str)> {
        let member = self.scan.object(object)?.get(number)?;
        Some((member.name(&self.text), member.value(&self.text)))
    }

    /// The names and values of members, in the order of the text.
    pub fn members(&self, object: usize) -> impl Iterator<Item = (Cow<'_, str>, &str)> {
        (0..self.len(object).unwrap_or_default()).filter_map(move |number| self.nth(object, number))
    }

    /// The names of the members of the innermost object of the path that is there.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let members = self.scan.object(self.index.object).unwrap_or_default().iter().enumerate();
        members.map(|(number, member)| match member.name(&self.text) {
            Cow::Borrowed(name) => name,
            Cow::Owned(_) => {
                let at = self.index.escaped.partition_point(|(known, _)| *known < number);
                self.index.escaped.get(at).map_or("", |(_, name)| name)
            }
        })
    }

    /// The root without one of its members; `None` where it is no object, or a member is nested too deep.
    #[must_use]
    pub fn without(&self, name: &str) -> Option<Value> {
        self.len(0)?;
        let mut rest = Map::new();
        for (field, text) in self.members(0).filter(|(field, _)| field != name) {
            rest.insert(field.into_owned(), parse_part(text).ok()?);
        }
        Some(Value::Object(rest))
    }

    /// The value of the last member with this name, as JSON.
    #[must_use]
    pub fn get(&self, object: usize, name: &str) -> Option<&str> {
        let members = self.scan.object(object)?;
        if object == self.index.object {
            let number = self.index.places.get(self.place(name)?)?.checked_sub(1)?;
            return members.get(number as usize).map(|member| member.value(&self.text));
        }
        let member = members.iter().rev().find(|member| member.name(&self.text) == name);
        member.map(|member| member.value(&self.text))
    }

    /// The parsed value of the last member with this name; `None` if it is missing or nested too deep.
    #[must_use]
    pub fn value(&self, object: usize, name: &str) -> Option<Value> {
        parse_part(self.get(object, name)?).ok()
    }

    fn begin_index(&mut self) {
        let innermost = (0..).take_while(|object| self.len(*object).is_some()).last();
        let (object, members) =
            (innermost.unwrap_or_default(), innermost.and_then(|object| self.len(object)));
        let members = members.unwrap_or_default();
        if members > MAX_MEMBERS {
            self.stage = ScanStage::TooMany(members);
            return;
        }
        self.index.object = object;
        self.index.places = vec![0; (2 * members).next_power_of_two()];
        self.stage = ScanStage::Index;
    }

    fn add_to_index(&mut self) {
        let members = self.len(self.index.object).unwrap_or_default();
        let end = members.min(self.index.members + STEP_MEMBERS);
        for number in self.index.members..end {
            let Some((name, _)) = self.nth(self.index.object, number) else { continue };
            let (place, escaped) =
                (self.place(&name), if let Cow::Owned(name) = name { Some(name) } else { None });
            if let Some(place) = place {
                self.index.places[place] = u32::try_from(number + 1).unwrap_or_default();
            }
            if let Some(name) = escaped {
                self.index.escaped.push((number, name));
            }
        }
        self.index.members = end;
        if end == members {
            self.stage = ScanStage::Done;
        }
    }

    /// The place in the index of the member with this name, or the free place for it.
    fn place(&self, name: &str) -> Option<usize> {
        let (members, last) = (self.scan.object(self.index.object)?, self.index.places.len().checked_sub(1)?);
        #[expect(clippy::cast_possible_truncation, reason = "the low bits are enough")]
        let first = self.index.hasher.hash_one(name) as usize;
        (0..=last).map(|step| first.wrapping_add(step) & last).find(|place| {
            match self.index.places[*place].checked_sub(1) {
                None => true,
                Some(number) => members[number as usize].name(&self.text) == name,
            }
        })
    }
}

/// Parses a part of a document that was scanned.
///
/// # Errors
/// Where it is nested too deep.
pub fn parse_part(text: &str) -> std::result::Result<Value, SyntaxError> {
    Value::parse(&quote_bare_numbers(text.as_bytes()))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::ScannedJson;

    fn scanned(text: &str) -> ScannedJson {
        ScannedJson::parse(text.as_bytes().to_vec(), &["a", "b"]).unwrap()
    }

    #[test]
    fn members_of_the_path_are_found() {
        let found = scanned(
            r#"{"x": [1, {"a": 2}], "\u0061": {"c": {"b": {}}, "b": {"d": NaN, "e": "é", "d": [ 3 ]}}, "y": -1}"#,
        );
        assert_eq!([0, 1, 2, 3].map(|object| found.len(object)), [Some(3), Some(2), Some(3), None]);
        assert_eq!(found.get(0, "x"), Some(r#"[1, {"a": 2}]"#));
        assert_eq!(found.get(0, "y"), Some("-1"));
        assert_eq!(found.get(1, "c"), Some(r#"{"b": {}}"#));
        assert_eq!(
            (found.get(2, "d"), found.get(2, "e"), found.get(2, "f")),
            (Some("[ 3 ]"), Some("\"é\""), None)
        );
        let names: Vec<_> = found.members(0).map(|(name, _)| name.into_owned()).collect();
        assert_eq!(names, ["x", "a", "y"]);
    }

    #[test]
    fn of_members_with_one_name_the_last_one_counts() {
        let found = scanned(r#"{"a": {"b": {"c": 1}}, "a": {"b": 5}}"#);
        assert_eq!([0, 1, 2].map(|object| found.len(object)), [Some(2), Some(1), None]);
        assert_eq!((found.get(1, "b"), found.get(0, "a")), (Some("5"), Some(r#"{"b": 5}"#)));
        let found = scanned(r#"{"a": {"b": {"c": 1}}, "a": null}"#);
        assert_eq!([0, 1, 2].map(|object| found.len(object)), [Some(2), None, None]);
        assert_eq!(scanned("[1]").len(0), None);
    }

    #[test]
    fn ten_thousand_members_are_found_by_name() {
        let members: Vec<_> = (0..10_000).map(|n| format!("\"k/{n}\":{n}")).collect();
        let found = scanned(&format!("{{\"a\":{{\"b\":{{{}}}}}}}", members.join(",")));
        assert!((0..10_000).all(|n| found.get(2, &format!("k/{n}")) == Some(&*n.to_string())));
        assert_eq!(found.get(2, "k/10000"), None);
    }
}
