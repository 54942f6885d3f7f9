//! Datatypes of HDF5, versions 1 to 5, parsed from datatype messages.
//!
//! A type that has no counterpart in Zarr is parsed too, as [`Class::Other`], because attributes and the fields of
//! compounds after it must be found.

use std::ops::Range;

use rectilinear_zarr_kernels::numeric::widened;

use super::fault::{Fault, Parsed};
use super::fields::{Fields, number, width_of};

/// Most types within each other.
const DEEPEST: u8 = 16;

/// Most axes of a type that is an array, as in HDF5.
const MOST_AXES: u8 = 32;

/// A datatype.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Datatype {
    pub(super) class: Class,
    /// Bytes of an item.
    pub(super) size: u64,
    pub(super) is_big_endian: bool,
}

/// Meaning of a datatype's items.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Class {
    /// Two's complement or unsigned, in all bits.
    Integer {
        is_signed: bool,
    },
    /// The same in some bits of 1, 2, 4 or 8 bytes, from the bit `offset` on.
    NarrowInteger {
        is_signed: bool,
        offset: u16,
        precision: u16,
    },
    /// IEEE 754 of 2, 4 or 8 bytes.
    Float,
    /// The upper half of a 32-bit float.
    BFloat16,
    /// Text of a fixed length, with zeros or spaces after it.
    Text {
        is_space_padded: bool,
    },
    /// Bits, as an unsigned number.
    Bits,
    /// Bytes without further meaning.
    Opaque,
    Compound(Vec<Member>),
    /// Address of an object's header.
    ObjectReference,
    /// Numbers with names.
    Enum {
        base: Box<Datatype>,
        names: Vec<String>,
        values: Vec<u8>,
    },
    /// Text of any length, in a heap.
    VariableText,
    /// Lists of any length, in a heap.
    VariableList(Box<Datatype>),
    Array {
        base: Box<Datatype>,
        shape: Vec<u64>,
    },
    /// Real and imaginary part.
    Complex(Box<Datatype>),
    /// A type without a counterpart, by its name.
    Other(String),
}

/// A field of a compound.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) offset: u64,
    pub(super) datatype: Datatype,
}

impl Member {
    /// The member's place in an item.
    fn place(&self) -> Range<usize> {
        let start = usize::try_from(self.offset).unwrap_or(usize::MAX);
        start..start.saturating_add(usize::try_from(self.datatype.size).unwrap_or(usize::MAX))
    }

    /// The member's bytes in an item; none where the item ends before.
    pub(super) fn of<'a>(&self, item: &'a [u8]) -> &'a [u8] {
        item.get(self.place()).unwrap_or_default()
    }

    /// The member's bytes in an item that is made of a stored one.
    pub(super) fn of_mut<'a>(&self, item: &'a mut [u8]) -> &'a mut [u8] {
        item.get_mut(self.place()).unwrap_or_default()
    }
}

impl Datatype {
    /// Parses a datatype message.
    pub(super) fn parse(fields: &mut Fields<'_>) -> Parsed<Self> {
        Self::nested(fields, 0)
    }

    fn nested(fields: &mut Fields<'_>, depth: u8) -> Parsed<Self> {
        if depth > DEEPEST {
            return Err(Fault::Damaged("a datatype is nested too deeply"));
        }
        let (head, bits) = (fields.u8()?, fields.number(3)?);
        let (version, size) = (head >> 4, u64::from(fields.u32()?));
        if !(1..=5).contains(&version) {
            return Err(Fault::Unsupported(format!("version {version} of HDF5's datatypes")));
        }
        if size == 0 {
            return Err(Fault::Damaged("a datatype has items of no bytes"));
        }
        let mut is_big_endian = bits & 1 != 0;
        let class = match head & 0xf {
            0 => {
                let (offset, precision) = (fields.u16()?, fields.u16()?);
                let is_signed = bits & 8 != 0;
                let fits = precision > 0 && u64::from(offset) + u64::from(precision) <= 8 * size;
                match size {
                    1 | 2 | 4 | 8 if u64::from(precision) == 8 * size && offset == 0 => {
                        Class::Integer { is_signed }
                    }
                    1 | 2 | 4 | 8 if fits => Class::NarrowInteger { is_signed, offset, precision },
                    _ => Class::Other(format!("HDF5 integers of {precision} bits in {size} bytes")),
                }
            }
            1 => float(fields, bits, size)?,
            2 => {
                fields.bytes(2)?;
                Class::Other("HDF5 times".to_owned())
            }
            3 => {
                is_big_endian = false;
                Class::Text { is_space_padded: bits & 0xf == 2 }
            }
            4 => {
                fields.bytes(4)?;
                if [1, 2, 4, 8].contains(&size) {
                    Class::Bits
                } else {
                    Class::Other(format!("HDF5 bit fields of {size} bytes"))
                }
            }
            5 => {
                is_big_endian = false;
                fields.counted(bits & 0xff)?;
                Class::Opaque
            }
            6 => {
                is_big_endian = false;
                compound(fields, version, bits & 0xffff, size, depth)?
            }
            7 => {
                is_big_endian = false;
                match bits & 0xf {
                    0 => Class::ObjectReference,
                    1 => Class::Other("HDF5 region references".to_owned()),
                    _ => Class::Other("HDF5 references".to_owned()),
                }
            }
            8 => {
                let base = Self::nested(fields, depth + 1)?;
                let is_integer = matches!(
                    base.class,
                    Class::Integer { .. } | Class::NarrowInteger { .. } | Class::Other(_)
                );
                if base.size != size || !is_integer {
                    return Err(Fault::Damaged("an enumeration has no integers"));
                }
                is_big_endian = base.is_big_endian;
                let (mut names, count) = (Vec::new(), bits & 0xffff);
                for _ in 0..count {
                    names.push(if version < 3 { padded_text(fields)? } else { fields.text()? });
                }
                let values = fields.counted(count.saturating_mul(size))?.to_vec();
                Class::Enum { base: Box::new(base), names, values }
            }
            9 => {
                let base = Self::nested(fields, depth + 1)?;
                is_big_endian = false;
                if bits & 0xf == 1 { Class::VariableText } else { Class::VariableList(Box::new(base)) }
            }
            10 => {
                let rank = fields.u8()?;
                if rank == 0 || rank > MOST_AXES {
                    return Err(Fault::Damaged("an array type has no axis or too many"));
                }
                fields.bytes(if version < 3 { 3 } else { 0 })?;
                let mut shape = Vec::new();
                for _ in 0..rank {
                    shape.push(u64::from(fields.u32()?));
                }
                fields.bytes(if version < 3 { 4 * usize::from(rank) } else { 0 })?;
                let base = Self::nested(fields, depth + 1)?;
                is_big_endian = base.is_big_endian;
                array(base, shape, size)?
            }
            11 => {
                let base = Self::nested(fields, depth + 1)?;
                is_big_endian = base.is_big_endian;
                if base.class == Class::Float && base.size * 2 == size {
                    Class::Complex(Box::new(base))
                } else {
                    Class::Other(format!("HDF5 complex numbers of {size} bytes"))
                }
            }
            class => return Err(Fault::Unsupported(format!("class {class} of HDF5's datatypes"))),
        };
        Ok(Self { class, size, is_big_endian })
    }

    /// Number of the fields and of the values with names, of the type and of its parts.
    pub(super) fn members(&self) -> usize {
        match &self.class {
            Class::Compound(members) => members.iter().map(|member| 1 + member.datatype.members()).sum(),
            Class::Enum { names, .. } => names.len(),
            Class::Array { base, .. } | Class::VariableList(base) => base.members(),
            _ => 0,
        }
    }

    /// Whether integers of the type, or of its parts, have some of their bits only.
    pub(super) fn is_narrow(&self) -> bool {
        match &self.class {
            Class::NarrowInteger { .. } => true,
            Class::Enum { base, .. } | Class::Array { base, .. } => base.is_narrow(),
            Class::Compound(members) => members.iter().any(|member| member.datatype.is_narrow()),
            _ => false,
        }
    }

    /// Whether numbers of little and of big endian are among its parts.
    fn has_both_orders(&self) -> bool {
        let (mut little, mut big) = (false, false);
        self.find_orders(&mut little, &mut big);
        little && big
    }

    /// Notes which byte orders the numbers of the type have; those of one byte have none.
    pub(super) fn find_orders(&self, little: &mut bool, big: &mut bool) {
        match &self.class {
            Class::Compound(members) => {
                members.iter().for_each(|member| member.datatype.find_orders(little, big));
            }
            Class::Array { base: part, .. } | Class::Enum { base: part, .. } | Class::Complex(part) => {
                part.find_orders(little, big);
            }
            Class::Text { .. } | Class::Opaque | Class::Other(_) => {}
            _ if self.size > 1 && self.is_big_endian => *big = true,
            _ if self.size > 1 => *little = true,
            _ => {}
        }
    }

    /// Whether items are not shown as they are stored: integers of some of their bits get all of them, and where numbers are
    /// of both byte orders, all become little endian.
    pub(super) fn is_remade(&self) -> bool {
        self.is_narrow() || self.has_both_orders()
    }

    /// The type of the items that are made of those that are stored.
    pub(super) fn remade(&self) -> Self {
        let wide = self.widened();
        if self.has_both_orders() { wide.in_little() } else { wide }
    }

    /// Makes items of those that are stored, one item after the other.
    pub(super) fn remake(&self, items: &mut [u8]) {
        self.widen_all(items);
        if self.has_both_orders() {
            self.reverse_big(items);
        }
    }

    /// The type whose numbers are all little endian.
    fn in_little(&self) -> Self {
        let little = |part: &Self| Box::new(part.in_little());
        let class = match &self.class {
            Class::Array { base, shape } => Class::Array { base: little(base), shape: shape.clone() },
            Class::Complex(part) => Class::Complex(little(part)),
            Class::Enum { base, names, values } => {
                let mut values = values.clone();
                base.reverse_big(&mut values);
                Class::Enum { base: little(base), names: names.clone(), values }
            }
            Class::Compound(members) => {
                let little =
                    |member: &Member| Member { datatype: member.datatype.in_little(), ..member.clone() };
                Class::Compound(members.iter().map(little).collect())
            }
            class => class.clone(),
        };
        Self { class, size: self.size, is_big_endian: false }
    }

    /// Reverses the bytes of numbers that are big endian.
    fn reverse_big(&self, items: &mut [u8]) {
        match &self.class {
            Class::Compound(members) => {
                for item in items.chunks_exact_mut(self.size as usize) {
                    members.iter().for_each(|member| member.datatype.reverse_big(member.of_mut(item)));
                }
            }
            Class::Array { base: part, .. } | Class::Enum { base: part, .. } | Class::Complex(part) => {
                part.reverse_big(items);
            }
            _ if self.is_big_endian => items.chunks_exact_mut(self.size as usize).for_each(<[u8]>::reverse),
            _ => {}
        }
    }

    /// The type whose integers have all bits.
    fn widened(&self) -> Self {
        let wide = |base: &Self| Box::new(base.widened());
        let class = match &self.class {
            Class::NarrowInteger { is_signed, .. } => Class::Integer { is_signed: *is_signed },
            Class::Array { base, shape } => Class::Array { base: wide(base), shape: shape.clone() },
            Class::Enum { base, names, values } => {
                let mut values = values.clone();
                base.widen_all(&mut values);
                Class::Enum { base: wide(base), names: names.clone(), values }
            }
            Class::Compound(members) => {
                let wide = |member: &Member| Member { datatype: member.datatype.widened(), ..member.clone() };
                Class::Compound(members.iter().map(wide).collect())
            }
            class => class.clone(),
        };
        Self { class, ..self.clone() }
    }

    /// Gives the integers of items, one item after the other, all bits.
    fn widen_all(&self, items: &mut [u8]) {
        if self.is_narrow() {
            items.chunks_exact_mut(self.size as usize).for_each(|item| self.widen(item));
        }
    }

    fn widen(&self, item: &mut [u8]) {
        match &self.class {
            Class::NarrowInteger { is_signed, offset, precision } => {
                if self.is_big_endian {
                    item.reverse();
                }
                let whole = widened(number(item), (*offset).into(), (*precision).into(), *is_signed);
                let length = item.len().min(8);
                item[..length].copy_from_slice(&whole.to_le_bytes()[..length]);
                if self.is_big_endian {
                    item.reverse();
                }
            }
            Class::Enum { base, .. } => base.widen(item),
            Class::Array { base, .. } => base.widen_all(item),
            Class::Compound(members) => {
                members.iter().for_each(|member| member.datatype.widen_all(member.of_mut(item)));
            }
            _ => {}
        }
    }

    /// Whether items are numbers that `ndarray` has.
    pub(super) fn is_number(&self) -> bool {
        match &self.class {
            Class::Integer { .. } | Class::Bits | Class::Float => true,
            Class::Enum { base, .. } => base.is_number(),
            _ => self.complex_part().is_some_and(|part| part.size > 2),
        }
    }

    /// Makes the numbers of items little endian.
    pub(super) fn make_little(&self, items: &mut [u8]) {
        let part = self.complex_part().unwrap_or(self);
        if part.is_big_endian {
            items.chunks_exact_mut(part.size as usize).for_each(<[u8]>::reverse);
        }
    }

    /// Whether items have no other form than JSON: they are parts of which some lie in heaps.
    pub(super) fn is_object(&self) -> bool {
        match &self.class {
            Class::VariableText | Class::ObjectReference => false,
            Class::VariableList(base) => !base.is_number(),
            _ => self.is_variable() || self.has_references(),
        }
    }

    /// Type of an element where the type is an array, and lengths of its axes.
    pub(super) fn element(&self) -> (&Self, Vec<u64>) {
        match &self.class {
            Class::Array { base, shape } => {
                let (element, within) = base.element();
                (element, shape.iter().copied().chain(within).collect())
            }
            _ => (self, Vec::new()),
        }
    }

    /// Number and type of the items along the first axis of an array.
    pub(super) fn first_axis(&self) -> Option<(u64, Self)> {
        let Class::Array { base, shape } = &self.class else { return None };
        let (length, rest) = shape.split_first()?;
        if rest.is_empty() {
            return Some((*length, (**base).clone()));
        }
        let class = Class::Array { base: base.clone(), shape: rest.to_vec() };
        Some((*length, Self { class, size: self.size.checked_div(*length)?, ..*self }))
    }

    /// Whether items lie in a heap, wholly or in part.
    pub(super) fn is_variable(&self) -> bool {
        match &self.class {
            Class::VariableText | Class::VariableList(_) => true,
            Class::Array { base, .. } => base.is_variable(),
            Class::Compound(members) => members.iter().any(|member| member.datatype.is_variable()),
            _ => false,
        }
    }

    /// Whether items are references to objects, wholly or in part.
    pub(super) fn has_references(&self) -> bool {
        match &self.class {
            Class::ObjectReference => true,
            Class::Array { base, .. } | Class::VariableList(base) => base.has_references(),
            Class::Compound(members) => members.iter().any(|member| member.datatype.has_references()),
            _ => false,
        }
    }

    /// Whether the type is h5py's boolean: an enumeration of one byte.
    pub(super) fn is_bool(&self) -> bool {
        let Class::Enum { names, values, .. } = &self.class else { return false };
        self.size == 1 && names == &["FALSE", "TRUE"] && values == &[0, 1]
    }

    /// Parts of a complex number, or of a compound that is one, as h5py writes it.
    pub(super) fn complex_part(&self) -> Option<&Self> {
        let members = match &self.class {
            Class::Complex(part) => return Some(part),
            Class::Compound(members) => members,
            _ => return None,
        };
        let [real, imaginary] = members.as_slice() else { return None };
        let is_complex = real.name == "r"
            && imaginary.name == "i"
            && real.datatype == imaginary.datatype
            && real.datatype.class == Class::Float
            && real.offset == 0
            && imaginary.offset == real.datatype.size
            && self.size == 2 * real.datatype.size;
        is_complex.then_some(&real.datatype)
    }
}

/// A float's class, from its layout of bits.
fn float(fields: &mut Fields<'_>, bits: u64, size: u64) -> Parsed<Class> {
    let (offset, precision) = (fields.u16()?, fields.u16()?);
    let [exponent_at, exponent, mantissa_at, mantissa] =
        [fields.u8()?, fields.u8()?, fields.u8()?, fields.u8()?];
    let bias = fields.u32()?;
    let is_vax = bits & 0x40 != 0;
    let sign = bits >> 8 & 0xff;
    let layout = (size, sign, exponent_at, exponent, mantissa, bias);
    let is_plain = !is_vax && offset == 0 && u64::from(precision) == 8 * size && mantissa_at == 0;
    Ok(match layout {
        (2, 15, 10, 5, 10, 15) | (4, 31, 23, 8, 23, 127) | (8, 63, 52, 11, 52, 1023) if is_plain => {
            Class::Float
        }
        (2, 15, 7, 8, 7, 127) if is_plain => Class::BFloat16,
        _ => Class::Other(format!("HDF5 floats of {precision} bits in {size} bytes")),
    })
}

fn compound(fields: &mut Fields<'_>, version: u8, count: u64, size: u64, depth: u8) -> Parsed<Class> {
    let mut members = Vec::new();
    for _ in 0..count {
        let name = if version < 3 { padded_text(fields)? } else { fields.text()? };
        let offset = fields.number(if version < 3 { 4 } else { width_of(size) })?;
        let mut shape = Vec::new();
        if version == 1 {
            let rank = fields.u8()?;
            if rank > 4 {
                return Err(Fault::Damaged("a field of a compound has more than four axes"));
            }
            fields.bytes(11)?;
            let lengths = [fields.u32()?, fields.u32()?, fields.u32()?, fields.u32()?];
            if lengths[..rank.into()].contains(&0) {
                return Err(Fault::Damaged("a field of a compound has an axis without items"));
            }
            shape.extend(lengths.iter().take(rank.into()).map(|length| u64::from(*length)));
        }
        let mut datatype = Datatype::nested(fields, depth + 1)?;
        if !shape.is_empty() {
            let size = shape.iter().fold(datatype.size, |size, length| size.saturating_mul(*length));
            let is_big_endian = datatype.is_big_endian;
            datatype = Datatype { class: array(datatype, shape, size)?, size, is_big_endian };
        }
        if offset.saturating_add(datatype.size) > size {
            return Err(Fault::Damaged("a field lies beyond its compound"));
        }
        members.push(Member { name, offset, datatype: joined(datatype) });
    }
    if members.is_empty() {
        return Err(Fault::Damaged("a compound has no fields"));
    }
    Ok(Class::Compound(members))
}

/// Letters in an array, as netCDF-4 writes text in compounds, as texts along its last axis.
fn joined(datatype: Datatype) -> Datatype {
    let Class::Array { base, shape } = &datatype.class else { return datatype };
    let is_letter = matches!(base.class, Class::Text { .. }) && base.size == 1;
    let Some((length, rest)) = shape.split_last().filter(|_| is_letter) else {
        return datatype;
    };
    let text = Datatype { size: *length, ..(**base).clone() };
    if rest.is_empty() {
        return text;
    }
    let class = Class::Array { base: Box::new(text), shape: rest.to_vec() };
    Datatype { class, ..datatype }
}

fn array(base: Datatype, shape: Vec<u64>, size: u64) -> Parsed<Class> {
    let whole = shape.iter().fold(base.size, |size, length| size.saturating_mul(*length));
    if whole != size {
        return Err(Fault::Damaged("an array type has another size than its elements"));
    }
    Ok(Class::Array { base: Box::new(base), shape })
}

/// Text up to a zero, with zeros after it up to a multiple of eight bytes.
fn padded_text(fields: &mut Fields<'_>) -> Parsed<String> {
    let start = fields.at();
    let text = fields.text()?;
    fields.bytes((fields.at() - start).next_multiple_of(8) - (fields.at() - start))?;
    Ok(text)
}
