//! NetCDF-3 files: classic, with 64-bit offsets, and CDF-5. A variable is an array whose chunks are ranges of the file.
//!
//! Invariant: values are those of the file, and attributes say what they say there; what CF makes of them is left to
//! reads. Text that variables hold as characters along their last dimension is one item.
//! Spec: <https://docs.unidata.ucar.edu/netcdf-c/current/file_format_specifications.html>

mod header;
mod values;
mod variable;

use self::header::{Header, Parsed};
use self::variable::Variable;
use super::ByteLocation;
use super::original::{
    DocumentBytes, FilePages, Found, OriginalFile, SingleFile, group_document, split_key, unreadable,
};
use crate::error::{Error, Result};

/// A NetCDF-3 file as a virtual store.
pub(crate) type NetCdf = SingleFile<NetCdfFile>;

/// Longest header: 16 MiB, some hundred thousand attributes.
const MOST_HEADER: u64 = 16 << 20;

/// Bytes of the header that are read first.
const FIRST_READ: u64 = 64 << 10;

/// What was read of a file.
#[derive(Debug, Default)]
pub(crate) struct NetCdfFile {
    opened: Option<Opened>,
}

/// A file whose header was read.
#[derive(Debug)]
struct Opened {
    header: Header,
    /// The variables by their names; those that are not read say why.
    variables: Vec<(String, Result<Variable>)>,
}

impl OriginalFile for NetCdfFile {
    const NAME: &'static str = "NetCDF file";

    fn prepare(&mut self, pages: &FilePages) -> Found<()> {
        if self.opened.is_none() {
            let mut header = read_header(pages)?;
            let record = header.record();
            if header.is_streamed {
                let records = header.variables.iter().filter(|variable| header.is_record(variable));
                let first = records.map(|variable| variable.begin).min();
                let length =
                    first.map_or(Ok(0), |first| pages.length().map(|all| all.saturating_sub(first)))?;
                header.set_records(length.checked_div(record.0).unwrap_or(0));
            }
            let mut variables = Vec::with_capacity(header.variables.len());
            for variable in &header.variables {
                variables.push((variable.name.clone(), Variable::new(&header, variable, record)));
            }
            self.opened = Some(Opened { header, variables });
        }
        Ok(())
    }

    fn find(&mut self, pages: &FilePages, key: &str) -> Found<ByteLocation> {
        let Some(Opened { header, variables }) = &self.opened else { return Ok(ByteLocation::Missing) };
        if key == "zarr.json" {
            let document = |variable: &Result<Variable>| match variable {
                Ok(variable) => variable.node.document(),
                Err(error) => unreadable(error),
            };
            let (mut bytes, mut named) = (DocumentBytes::default(), Vec::new());
            for (name, variable) in variables {
                let document = document(variable);
                bytes.add(document.as_object().unwrap_or(&header.attributes), 1)?;
                named.push((name.clone(), document));
            }
            return Ok(ByteLocation::Inline(group_document(&header.attributes, named)));
        }
        let of = |path: &str| variables.iter().find(|(name, _)| name == path).map(|(_, variable)| variable);
        if let Some(variable) = key.strip_suffix("/zarr.json").and_then(of) {
            let variable = variable.as_ref().map_err(Error::clone)?;
            return Ok(ByteLocation::Inline(variable.node.document().to_string().into_bytes()));
        }
        let Some((variable, coords)) = split_key(key).and_then(|(path, coords)| Some((of(path)?, coords)))
        else {
            return Ok(ByteLocation::Missing);
        };
        let variable = variable.as_ref().map_err(Error::clone)?;
        match variable.span(&coords) {
            None => Ok(ByteLocation::Missing),
            Some(span) => match variable.text {
                None => Ok(ByteLocation::File { url: String::new(), span: Some(span) }),
                Some(width) => {
                    let letters = pages.read(span.start, span.end - span.start, "a chunk of text")?;
                    Ok(ByteLocation::Inline(values::texts(&letters, width)))
                }
            },
        }
    }
}

/// The header, of as many bytes of the file as it takes.
fn read_header(pages: &FilePages) -> Found<Header> {
    let mut length = FIRST_READ;
    loop {
        let bytes = pages.read_up_to(0..length)?;
        match Header::parse(&bytes)? {
            Parsed::Whole(header) => return Ok(header),
            Parsed::Short if (bytes.len() as u64) < length => {
                let reason = format!("the file ends after {} bytes, within its header", bytes.len());
                return Err(Error::metadata("", reason).into());
            }
            Parsed::Short if length >= MOST_HEADER => {
                let feature = "a NetCDF header of more than 16 MiB".to_owned();
                let reason = "copy what is needed of the file with nccopy or ncks".to_owned();
                return Err(Error::Unsupported { feature, reason }.into());
            }
            Parsed::Short => length *= 2,
        }
    }
}
