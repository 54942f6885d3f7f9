//! Original files, opened as a page would: bytes are provided as the store asks for them, and no more.

use std::borrow::Cow;

use rectilinear_zarr::network::ByteRange;
use rectilinear_zarr::read::{Array, DEFAULT_MAX_CHUNK_BYTES, Output, Plan};
use rectilinear_zarr::source::{ByteLocation, InputRequest, Resolution, VirtualStore, system};
use rectilinear_zarr::{Error, Result};
use serde_json::Value;

use super::contents;

/// More rounds than any key takes.
const MANY: usize = 400;

/// A file, the store that it is, and what that asked for.
pub struct Original {
    pub bytes: Vec<u8>,
    pub store: Box<dyn VirtualStore>,
    /// Numbers of bytes of the requests of each round.
    pub rounds: Vec<Vec<u64>>,
}

impl Original {
    pub fn of(format: &str, bytes: Vec<u8>) -> Self {
        let store = system(format, &Default::default()).expect("a store");
        Self { bytes, store, rounds: Vec::new() }
    }

    /// Provides what every key needs.
    pub fn begin(&mut self) -> Result<()> {
        loop {
            let needs = self.store.needs()?;
            if needs.is_empty() {
                return Ok(());
            }
            self.provide(needs)?;
        }
    }

    /// Where a key is, once the store was told what it needs.
    pub fn place(&mut self, key: &str) -> Result<ByteLocation> {
        loop {
            match self.store.find(key)? {
                Resolution::Place(place) => return Ok(place),
                Resolution::Needs(needs) => self.provide(needs)?,
            }
        }
    }

    fn provide(&mut self, needs: Vec<InputRequest>) -> Result<()> {
        assert!(self.rounds.len() < MANY, "no end of rounds");
        assert!(!needs.is_empty(), "nothing is needed");
        let mut round = Vec::new();
        for need in needs {
            assert_eq!(need.url, "");
            assert!(need.number < 1 << 53);
            let ByteRange::UpTo(range) = &need.range else { panic!("{need:?}") };
            round.push(range.end - range.start);
            let length = self.bytes.len() as u64;
            let span = range.start.min(length) as usize..range.end.min(length) as usize;
            // A host refuses a range that begins beyond the end.
            let bytes = (!span.is_empty()).then(|| self.bytes[span].to_vec());
            self.store.tell(need.number, bytes.as_deref())?;
        }
        self.rounds.push(round);
        Ok(())
    }

    /// The value of a key.
    pub fn value(&mut self, key: &str) -> Result<Option<Vec<u8>>> {
        match self.place(key)? {
            ByteLocation::Missing => Ok(None),
            ByteLocation::Inline(bytes) => Ok(Some(bytes)),
            ByteLocation::File { url, span } => {
                assert_eq!(url, "");
                let span = span.expect("a part of the file");
                let bytes =
                    self.bytes.get(span.start as usize..span.end as usize).ok_or_else(|| Error::Store {
                        key: key.to_owned(),
                        status: Some(416),
                        range: None,
                        reason: format!("no bytes {span:?}"),
                    })?;
                Ok(Some(bytes.to_vec()))
            }
            object @ ByteLocation::Object { .. } => panic!("{object:?} is no part of a file"),
        }
    }

    /// The document of the root.
    pub fn root(&mut self) -> Result<Value> {
        let document = self.value("zarr.json")?.expect("a root");
        Ok(serde_json::from_slice(&document).expect("JSON"))
    }

    pub fn array(&mut self, path: &str) -> Result<Array> {
        let document =
            self.value(&format!("{path}/zarr.json"))?.ok_or_else(|| Error::metadata("", "nothing"))?;
        Array::parse(&document, path, DEFAULT_MAX_CHUNK_BYTES)
            .and_then(|array| array.readable().map(|()| array))
    }

    /// All items of an array.
    pub fn read(&mut self, array: &Array) -> Result<Vec<u8>> {
        let plan = array.plan(&[])?;
        self.run(&plan)
    }

    pub fn run(&mut self, plan: &Plan<'_>) -> Result<Vec<u8>> {
        let mut output = Output::in_buffers(plan, 256)?;
        for task in plan.tasks() {
            let task = task?;
            let bytes = self.value(task.key())?;
            let chunk = plan.array().decode(&task, bytes.map(Cow::Owned))?;
            output.put(&task, chunk.as_ref())?;
        }
        Ok(contents(&plan.columns()[0].data_type, &output.finish()))
    }
}
