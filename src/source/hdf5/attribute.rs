//! Attributes of an object, in its header or in a heap with a B-tree.

use super::btree2;
use super::dataspace::Dataspace;
use super::datatype::Datatype;
use super::fault::{Fault, Parsed, Read, all, both};
use super::fields::Fields;
use super::file::FileBytes;
use super::fractal_heap::FractalHeap;
use super::group::dense_places;
use super::header::{Header, SharedPlace, kind};
use super::shared_heaps::shared_object;
use crate::source::original::{Lack, text_of};

/// Most attributes of an object.
const MOST: usize = 1 << 16;

/// Type of the records of names in the B-tree of attributes.
const NAMES: u8 = 8;

/// An attribute.
#[derive(Debug, Clone)]
pub(super) struct Attribute {
    pub(super) name: String,
    pub(super) datatype: Datatype,
    pub(super) space: Dataspace,
    /// Its items as they are stored.
    pub(super) items: Vec<u8>,
}

/// Parts of an attribute message, of which some may be shared.
struct Parts<'a> {
    name: String,
    datatype: Part<'a>,
    space: Part<'a>,
    items: &'a [u8],
}

/// Body of a message within an attribute, or where it is shared.
enum Part<'a> {
    Here(Fields<'a>),
    Shared(SharedPlace),
}

/// Reads the attributes of the object that has this header.
pub(super) fn attributes(file: &FileBytes, header: &Header) -> Read<Vec<Attribute>> {
    let located = |fault: Fault| fault.at(file.offset(header.address), "an attribute");
    let own = header.messages.iter().filter(|message| message.kind == kind::ATTRIBUTE);
    let own = all(own.map(|message| {
        let body = message.body(file)?;
        Attribute::read(file, &body, located)
    }));
    let dense = dense(file, header);
    let (own, dense) = both(own, dense)?;
    let attributes: Vec<Attribute> = own.into_iter().chain(dense).flatten().collect();
    if attributes.len() > MOST {
        return Err(located(Fault::Damaged("there are more than 65,536")).into());
    }
    Ok(attributes)
}

/// Attributes in a heap.
fn dense(file: &FileBytes, header: &Header) -> Read<Vec<Option<Attribute>>> {
    let located = |fault: Fault| fault.at(file.offset(header.address), "an attribute");
    let Some(message) = header.message(kind::ATTRIBUTE_INFO) else { return Ok(Vec::new()) };
    let places = dense_places(file.fields(&message.body), 2).map_err(located)?;
    let Some((heap, tree)) = places else { return Ok(Vec::new()) };
    let (heap, records) = both(FractalHeap::read(file, heap), btree2::records(file, tree, NAMES))?;
    all(records.iter().map(|record| {
        // The id has 8 bytes, and the flags that follow it are those of a message, which may be in the heap of all objects.
        let body = if record.get(8).is_some_and(|flags| flags & 2 != 0) {
            shared_object(file, kind::ATTRIBUTE, &record[..8])?
        } else {
            heap.object(file, record)?
        };
        Attribute::read(file, &body, located)
    }))
}

impl Attribute {
    /// Reads an attribute message; `None` where it is of a type or a version that is not supported.
    fn read(
        file: &FileBytes,
        body: &[u8],
        located: impl Fn(Fault) -> crate::error::Error,
    ) -> Read<Option<Self>> {
        let parts = match Parts::parse(file.fields(body)) {
            Ok(parts) => parts,
            Err(Fault::Unsupported(_)) => return Ok(None),
            Err(fault) => return Err(located(fault).into()),
        };
        let (datatype, space) =
            both(parts.datatype.body(file, kind::DATATYPE), parts.space.body(file, kind::DATASPACE))?;
        let parsed = Datatype::parse(&mut file.fields(&datatype))
            .and_then(|datatype| Ok((datatype, Dataspace::parse(&mut file.fields(&space))?)));
        let (datatype, space) = match parsed {
            Ok(parsed) => parsed,
            Err(Fault::Unsupported(_)) => return Ok(None),
            Err(fault) => return Err(located(fault).into()),
        };
        let length = space.items().saturating_mul(datatype.size);
        let items = usize::try_from(length).ok().and_then(|length| parts.items.get(..length));
        let items = items.ok_or_else(|| Lack::from(located(Fault::Short)))?.to_vec();
        Ok(Some(Self { name: parts.name, datatype, space, items }))
    }
}

impl<'a> Parts<'a> {
    fn parse(mut fields: Fields<'a>) -> Parsed<Self> {
        let (version, flags) = (fields.u8()?, fields.u8()?);
        if !(1..=3).contains(&version) {
            return Err(Fault::Unsupported(format!("version {version} of HDF5's attributes")));
        }
        let sizes = [fields.u16()?, fields.u16()?, fields.u16()?].map(usize::from);
        fields.bytes(if version == 3 { 1 } else { 0 })?;
        let mut part = |size: usize| -> Parsed<&'a [u8]> {
            let bytes = fields.bytes(size)?;
            // Version 1 pads each part.
            fields.bytes(if version == 1 { size.next_multiple_of(8) - size } else { 0 })?;
            Ok(bytes)
        };
        let (name, datatype, space) = (part(sizes[0])?, part(sizes[1])?, part(sizes[2])?);
        let name = name.split(|byte| *byte == 0).next().unwrap_or_default();
        Ok(Self {
            name: text_of(name),
            datatype: Part::new(fields.of(datatype), version > 1 && flags & 1 != 0)?,
            space: Part::new(fields.of(space), version > 1 && flags & 2 != 0)?,
            items: fields.rest(),
        })
    }
}

impl<'a> Part<'a> {
    fn new(mut fields: Fields<'a>, is_shared: bool) -> Parsed<Self> {
        Ok(if is_shared { Self::Shared(SharedPlace::parse(&mut fields)?) } else { Self::Here(fields) })
    }

    fn body(&self, file: &FileBytes, kind: u16) -> Read<Vec<u8>> {
        match self {
            Self::Here(fields) => Ok(fields.rest().to_vec()),
            Self::Shared(place) => place.body(file, kind),
        }
    }
}
