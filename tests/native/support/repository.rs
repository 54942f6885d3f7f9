//! Icechunk repositories of the fixtures, opened from folders or from functions.

use std::path::PathBuf;

use rectilinear_zarr::metadata::Json;
use rectilinear_zarr::source::{ByteLocation, InputRequest, Resolution, VirtualStore, system};
use rectilinear_zarr::{Error, Result};
use serde_json::Value;

/// Content of a file by its name; `None` for a missing file.
pub trait Files: Fn(&str) -> Option<Vec<u8>> {}
impl<F: Fn(&str) -> Option<Vec<u8>>> Files for F {}

pub fn sets() -> PathBuf {
    super::neighbours("icechunk")
}

pub fn index() -> Vec<Value> {
    let text = std::fs::read(sets().join("index.json")).expect("the list of sets");
    serde_json::from_slice(&text).expect("a list")
}

/// A virtual store and its files by name.
pub struct Opened<F: Files> {
    pub system: Box<dyn VirtualStore>,
    files: F,
    /// Names of the requested files.
    pub asked: Vec<String>,
}

/// Files of a set.
pub fn folder(name: &str) -> impl Files {
    let folder = sets().join(name);
    move |file| std::fs::read(folder.join(file)).ok()
}

pub fn open<F: Files>(files: F, options: &str) -> Result<Opened<F>> {
    let mut opened = Opened {
        system: system("icechunk", &Json::parse(options.as_bytes()).unwrap_or_default())?,
        files,
        asked: Vec::new(),
    };
    loop {
        let needs = opened.system.needs()?;
        if needs.is_empty() {
            return Ok(opened);
        }
        opened.provide(needs)?;
    }
}

impl<F: Files> Opened<F> {
    fn provide(&mut self, needs: Vec<InputRequest>) -> Result<()> {
        for need in needs {
            self.asked.push(need.url.clone());
            assert!(self.asked.len() < 100, "rounds end");
            self.system.tell(need.number, (self.files)(&need.url).as_deref())?;
        }
        Ok(())
    }

    fn settled(
        &mut self,
        look: impl Fn(&mut dyn VirtualStore) -> Result<Resolution>,
    ) -> Result<ByteLocation> {
        loop {
            match look(&mut *self.system)? {
                Resolution::Place(place) => return Ok(place),
                Resolution::Needs(needs) => self.provide(needs)?,
            }
        }
    }

    pub fn place(&mut self, key: &str) -> Result<ByteLocation> {
        self.settled(|system| system.find(key))
    }

    pub fn answer(&mut self, question: &str) -> Result<Value> {
        match self.settled(|system| system.answer(question))? {
            ByteLocation::Inline(text) => Ok(serde_json::from_slice(&text).expect("JSON")),
            other => panic!("{question}: {other:?}"),
        }
    }
}

/// Error of opening a repository, or of reading a chunk.
pub fn refusal(files: impl Files, options: &str) -> Error {
    match open(files, options) {
        Ok(mut opened) => opened.place("t2m/c/0/0/0").expect_err(options),
        Err(error) => error,
    }
}

/// Files of a set in which those whose name starts with `name` are changed.
pub fn changed(
    set: &'static str,
    name: &'static str,
    change: impl Fn(Vec<u8>) -> Option<Vec<u8>>,
) -> impl Files {
    move |file| {
        let bytes = folder(set)(file)?;
        if file.starts_with(name) { change(bytes) } else { Some(bytes) }
    }
}
