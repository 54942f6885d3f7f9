//! Objects of a file: groups with their links, and datasets with all that their header says.

use std::borrow::Cow;

use super::attribute::{Attribute, attributes};
use super::dataspace::Dataspace;
use super::datatype::{Class, Datatype};
use super::fault::{Fault, Parsed, Read, both};
use super::fields::Fields;
use super::file::FileBytes;
use super::group::{Link, links};
use super::header::{Header, kind};
use super::layout::{Filter, Layout, filters};
use crate::metadata::MAX_ITEM_BYTES;

/// Attributes of datasets that have dimensions of netCDF.
const NETCDF: [&str; 2] = ["DIMENSION_LIST", "_Netcdf4Coordinates"];

/// Bytes of a field of a compound, or of a value of an enumeration, about.
const MEMBER_BYTES: usize = 64;

/// An object.
#[derive(Debug)]
pub(super) struct Object {
    pub(super) address: u64,
    pub(super) attributes: Vec<Attribute>,
    pub(super) content: Content,
}

/// Content of an object: the links of a group, a dataset, or a datatype.
#[derive(Debug)]
pub(super) enum Content {
    Group(Vec<Link>),
    Dataset(Box<Dataset>),
    /// A datatype with a name, which is no node of Zarr's.
    Datatype,
}

/// A dataset.
#[derive(Debug)]
pub(super) struct Dataset {
    pub(super) space: Dataspace,
    pub(super) datatype: Datatype,
    pub(super) layout: Layout,
    pub(super) filters: Vec<Filter>,
    /// Bytes of an item that was never written; `None` for zeros.
    pub(super) fill: Option<Vec<u8>>,
    /// Whether its items lie in other files.
    pub(super) is_external: bool,
    /// Letters of a text along the last axis, where netCDF's characters are texts; the axis is not shown then.
    pub(super) letters: Option<u64>,
}

impl Object {
    /// Reads the object whose header is at an address.
    pub(super) fn read(file: &FileBytes, address: u64) -> Read<Self> {
        let header = Header::read(file, address)?;
        let is_group = [kind::SYMBOL_TABLE, kind::LINK_INFO, kind::LINK, kind::GROUP_INFO]
            .iter()
            .any(|kind| header.has(*kind));
        let content = if header.has(kind::LAYOUT) {
            Dataset::read(file, &header).map(|dataset| Content::Dataset(Box::new(dataset)))
        } else if is_group {
            links(file, &header).map(Content::Group)
        } else if header.has(kind::DATATYPE) {
            Ok(Content::Datatype)
        } else {
            // A group without members may have no message about them.
            Ok(Content::Group(Vec::new()))
        };
        let (attributes, mut content) = both(attributes(file, &header), content)?;
        let is_netcdf = attributes.iter().any(|attribute| NETCDF.contains(&attribute.name.as_str()));
        if let Content::Dataset(dataset) = &mut content
            && is_netcdf
        {
            dataset.letters = dataset.text_length();
        }
        Ok(Self { address, attributes, content })
    }

    /// Bytes of names and values that the header holds, about.
    pub(super) fn held_bytes(&self) -> usize {
        let of_type = |datatype: &Datatype| MEMBER_BYTES * datatype.members();
        let own = match &self.content {
            Content::Dataset(dataset) => {
                let items = if let Layout::Compact(items) = &dataset.layout { items.len() } else { 0 };
                items + dataset.fill.as_ref().map_or(0, Vec::len) + of_type(&dataset.datatype)
            }
            Content::Group(_) | Content::Datatype => 0,
        };
        let attributes = self.attributes.iter();
        let bytes = |attribute: &Attribute| {
            attribute.name.len() + attribute.items.len() + of_type(&attribute.datatype)
        };
        own + attributes.map(bytes).sum::<usize>()
    }

    /// An attribute by its name.
    pub(super) fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }
}

impl Dataset {
    /// Letters of the texts that the dataset holds as netCDF's characters, if it does: items of one letter, whose last axis
    /// has one chunk and does not grow.
    fn text_length(&self) -> Option<u64> {
        let is_letter = matches!(self.datatype.class, Class::Text { .. }) && self.datatype.size == 1;
        let (length, most) = (*self.space.shape.last()?, *self.space.most.last()?);
        let is_whole = match &self.layout {
            Layout::Chunked(chunks) => chunks.shape.last() == Some(&length),
            _ => true,
        };
        (is_letter && is_whole && most.is_some() && (1..=MAX_ITEM_BYTES).contains(&length)).then_some(length)
    }

    /// The datatype of an item as it is shown.
    pub(super) fn item(&self) -> Cow<'_, Datatype> {
        match self.letters {
            Some(size) => Cow::Owned(Datatype { size, ..self.datatype.clone() }),
            None if self.datatype.is_remade() => Cow::Owned(self.datatype.remade()),
            None => Cow::Borrowed(&self.datatype),
        }
    }

    /// Bytes of the fill value of an item as it is shown.
    pub(super) fn item_fill(&self) -> Option<Vec<u8>> {
        let fill = self.fill.as_deref()?;
        let mut item = fill.repeat(self.letters.map_or(1, |letters| letters as usize));
        self.datatype.remake(&mut item);
        Some(item)
    }

    /// Whether items are made here, of those that are stored: their chunks have no codecs of filters then.
    pub(super) fn is_rewritten(&self) -> bool {
        // The filter nbit's codec gives plain integers all bits.
        let is_wide = matches!(self.datatype.class, Class::NarrowInteger { .. })
            && self.filters.first().is_some_and(Filter::is_nbit);
        let (element, _) = self.datatype.element();
        element.is_variable() || element.has_references() || self.datatype.is_remade() && !is_wide
    }

    fn read(file: &FileBytes, header: &Header) -> Read<Self> {
        let body = |kind: u16| header.message(kind).map(|message| message.body(file)).transpose();
        let (space, datatype) = both(body(kind::DATASPACE), body(kind::DATATYPE))?;
        let (layout, filter) = both(body(kind::LAYOUT), body(kind::FILTERS))?;
        let (fill, old_fill) = both(body(kind::FILL), body(kind::OLD_FILL))?;
        let parsed = || -> Parsed<Self> {
            let missing = || Fault::Damaged("it has no shape or no type");
            let space = Dataspace::parse(&mut file.fields(space.as_deref().ok_or_else(missing)?))?;
            let datatype = Datatype::parse(&mut file.fields(datatype.as_deref().ok_or_else(missing)?))?;
            let mut layout = Layout::parse(&mut file.fields(layout.as_deref().unwrap_or_default()))?;
            let whole = space.items().checked_mul(datatype.size).filter(|bytes| *bytes < 1 << 53);
            let whole = whole.ok_or(Fault::Damaged("it has more than 2^53 bytes"))?;
            match &mut layout {
                Layout::Contiguous { size, address } if *size < whole => {
                    if address.is_some() {
                        return Err(Fault::Damaged("it has fewer bytes than its shape needs"));
                    }
                    *size = whole;
                }
                Layout::Contiguous { size, .. } => *size = whole,
                Layout::Compact(items) if (items.len() as u64) < whole => {
                    return Err(Fault::Damaged("it has fewer bytes than its shape needs"));
                }
                Layout::Chunked(chunks) => {
                    let rank = space.shape.len();
                    let bytes =
                        chunks.shape.iter().try_fold(datatype.size, |bytes, edge| bytes.checked_mul(*edge));
                    if chunks.shape.len() != rank || bytes.is_none_or(|bytes| bytes > 1 << 53) {
                        return Err(Fault::Damaged("its chunks do not fit its shape"));
                    }
                }
                _ => {}
            }
            let filters = filter.as_deref().map_or(Ok(Vec::new()), |body| filters(&mut file.fields(body)))?;
            let fill = match (&fill, &old_fill) {
                (Some(body), _) => fill_value(file.fields(body))?,
                (None, Some(body)) => {
                    let mut fields = file.fields(body);
                    let length = fields.u32()?;
                    Some(fields.counted(length.into())?.to_vec())
                }
                (None, None) => None,
            };
            let fill = fill.filter(|fill| fill.len() as u64 == datatype.size);
            let is_external = header.has(kind::EXTERNAL);
            Ok(Self { space, datatype, layout, filters, fill, is_external, letters: None })
        };
        Ok(parsed().map_err(|fault| fault.at(file.offset(header.address), "a dataset"))?)
    }
}

/// Parses a message of the fill value; `None` where none is defined.
fn fill_value(mut fields: Fields<'_>) -> Parsed<Option<Vec<u8>>> {
    let version = fields.u8()?;
    let has_value = match version {
        1 | 2 => {
            fields.bytes(2)?;
            let is_defined = fields.u8()? != 0;
            is_defined || version == 1
        }
        3 => fields.u8()? & 0x20 != 0,
        _ => return Err(Fault::Unsupported(format!("version {version} of HDF5's fill values"))),
    };
    if !has_value {
        return Ok(None);
    }
    // Old files may say here that none is defined, by a negative length.
    let length = fields.u32()?;
    Ok(if length >> 31 == 0 { Some(fields.counted(length.into())?.to_vec()) } else { None })
}

#[cfg(test)]
mod tests {
    use super::fill_value;
    use crate::source::hdf5::fields::{Fields, Widths};

    #[test]
    fn fill_values_may_be_undefined_in_each_way_of_a_version() {
        let widths = Widths { address: 8, length: 8 };
        let fill = |bytes: &[u8]| fill_value(Fields::new(bytes, widths)).ok();
        assert_eq!(fill(&[1, 3, 2, 0, 255, 255, 255, 255]), Some(None));
        assert_eq!(fill(&[1, 3, 2, 1, 2, 0, 0, 0, 7, 8]), Some(Some(vec![7, 8])));
        assert_eq!(fill(&[2, 3, 2, 0]), Some(None));
        assert_eq!(fill(&[2, 3, 2, 1, 255, 255, 255, 255]), Some(None));
        assert_eq!(fill(&[3, 0x20, 1, 0, 0, 0, 7]), Some(Some(vec![7])));
        assert_eq!(fill(&[3, 0]), Some(None));
        assert_eq!(fill(&[3, 0x20, 9, 0, 0, 0, 7]), None);
    }
}
