//! Zarr's data type and fill value for a datatype of HDF5.
//!
//! Arrays within compounds are `ndarray`s of numbers; of other items, they are structs with a field for each item. Fields of
//! types without a counterpart are bytes.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::datatype::{Class, Datatype, Member};
use crate::metadata::{MAX_ITEM_BYTES, Value};

/// Most items of an array within a compound that are fields.
const MOST_FIELDS: u64 = 1024;

/// Zarr's terms for the items of a dataset.
#[derive(Debug)]
pub(super) struct StoredType {
    pub(super) data_type: Value,
    pub(super) fill_value: Value,
    /// Codec from items to bytes.
    pub(super) codec: Value,
}

impl StoredType {
    /// Terms for a datatype, with the bytes of the fill value; for items in heaps, the fill value as JSON.
    ///
    /// # Errors
    /// The name of what has no counterpart.
    pub(super) fn new(datatype: &Datatype, fill: Option<&[u8]>, fill_json: Value) -> Result<Self, String> {
        let (element, _) = datatype.element();
        check_size(element)?;
        let named = |name: &str| Value::object([("name", name.into())]);
        if element.is_object() {
            check_value(element)?;
            let codec = named("numcodecs.json2");
            return Ok(Self { data_type: "v2:object".into(), fill_value: fill_json, codec });
        }
        match &element.class {
            Class::VariableText | Class::ObjectReference => {
                let codec = named("vlen-utf8");
                return Ok(Self { data_type: "string".into(), fill_value: fill_json, codec });
            }
            Class::VariableList(base) => {
                let part = data_type(base)?;
                let settings = Value::object([("dtype", part), ("shape", Value::list([Value::Null]))]);
                let data_type = Value::object([("name", "ndarray".into()), ("configuration", settings)]);
                return Ok(Self { data_type, fill_value: "".into(), codec: named("vlen-ndarray") });
            }
            _ => {}
        }
        let zeros = vec![0; element.size as usize];
        // An item that is an array has a fill value for each element.
        let fill = fill.unwrap_or(&zeros);
        let mut parts = fill.chunks_exact(element.size as usize);
        let first = parts.next().unwrap_or(&zeros);
        if !parts.all(|part| part == first) {
            return Err("arrays as items whose fill values differ".to_owned());
        }
        let (mut little, mut big) = (false, false);
        element.find_orders(&mut little, &mut big);
        let endian = if big { "big" } else { "little" };
        let settings = Value::object([("endian", endian.into())]);
        Ok(Self {
            data_type: data_type(element)?,
            fill_value: fill_value(element, first),
            codec: Value::object([("name", "bytes".into()), ("configuration", settings)]),
        })
    }
}

/// A data type with one number as its configuration.
fn sized(name: &str, bytes: u64) -> Value {
    let settings = Value::object([("length_bytes", bytes.into())]);
    Value::object([("name", name.into()), ("configuration", settings)])
}

/// Checks that items are not too long to be read, before any is made.
fn check_size(datatype: &Datatype) -> Result<(), String> {
    if datatype.size > MAX_ITEM_BYTES {
        return Err(format!("items of {} bytes; at most {MAX_ITEM_BYTES} are read", datatype.size));
    }
    Ok(())
}

/// Zarr's data type.
fn data_type(datatype: &Datatype) -> Result<Value, String> {
    let bits = 8 * datatype.size;
    check_size(datatype)?;
    Ok(match &datatype.class {
        Class::Integer { is_signed: true } => format!("int{bits}").into(),
        Class::Integer { is_signed: false } | Class::Bits => format!("uint{bits}").into(),
        Class::Float => format!("float{bits}").into(),
        Class::BFloat16 => "bfloat16".into(),
        Class::Text { .. } => sized("null_terminated_bytes", datatype.size),
        Class::Opaque => sized("raw_bytes", datatype.size),
        Class::Enum { .. } if datatype.is_bool() => "bool".into(),
        Class::Enum { base, .. } => data_type(base)?,
        Class::Complex(part) => complex(part)?,
        Class::Compound(members) => {
            if let Some(part) = datatype.complex_part() {
                return complex(part);
            }
            let mut fields = Vec::new();
            for (name, bytes, member) in laid_out(members, datatype.size)? {
                let part = match member {
                    Some(Member { datatype, .. }) if !is_bytes(datatype) => data_type(datatype)?,
                    _ => sized("raw_bytes", bytes),
                };
                fields.push(field(name, part));
            }
            structure(fields)
        }
        Class::Array { .. } => {
            let (element, shape) = datatype.element();
            if element.is_number() {
                let shape = shape.into_iter().collect();
                let settings = Value::object([("dtype", data_type(element)?), ("shape", shape)]);
                return Ok(Value::object([("name", "ndarray".into()), ("configuration", settings)]));
            }
            if shape.iter().product::<u64>() > MOST_FIELDS {
                return Err(format!("arrays of more than {MOST_FIELDS} texts or compounds within compounds"));
            }
            let (length, item) = datatype.first_axis().unwrap_or((1, element.clone()));
            let item = data_type(&item)?;
            let fields = (0..length).map(|nth| field(nth.to_string(), item.clone()));
            structure(fields.collect())
        }
        Class::NarrowInteger { .. }
        | Class::ObjectReference
        | Class::VariableText
        | Class::VariableList(_) => {
            return Err("such items of HDF5".to_owned());
        }
        Class::Other(name) => return Err(name.clone()),
    })
}

/// Whether a field is shown as bytes, because its type has no counterpart.
fn is_bytes(datatype: &Datatype) -> bool {
    matches!(datatype.element().0.class, Class::Other(_)) && datatype.size <= MAX_ITEM_BYTES
}

/// A field of a struct.
fn field(name: String, data_type: Value) -> Value {
    Value::object([("name", name.into()), ("data_type", data_type)])
}

fn structure(fields: Vec<Value>) -> Value {
    let settings = Value::object([("fields", Value::Array(fields))]);
    Value::object([("name", "struct".into()), ("configuration", settings)])
}

/// Checks that items have a value as JSON.
///
/// # Errors
/// The name of what has none.
fn check_value(datatype: &Datatype) -> Result<(), String> {
    match &datatype.class {
        Class::VariableList(base) if base.is_variable() => Err("lists of texts or of lists".to_owned()),
        Class::VariableList(base) | Class::Array { base, .. } => check_value(base),
        Class::Compound(members) => members.iter().try_for_each(|member| check_value(&member.datatype)),
        _ => Ok(()),
    }
}

fn complex(part: &Datatype) -> Result<Value, String> {
    match part.size {
        4 => Ok("complex64".into()),
        8 => Ok("complex128".into()),
        _ => Ok("complex_float16".into()),
    }
}

/// A field of a struct: its name, its bytes, and the member that it is, if it is no gap.
type LaidOut<'a> = (String, u64, Option<&'a Member>);

/// Members of a compound in the order of their offsets, with the gaps between them.
fn laid_out(members: &[Member], size: u64) -> Result<Vec<LaidOut<'_>>, String> {
    let mut sorted: Vec<&Member> = members.iter().collect();
    sorted.sort_by_key(|member| member.offset);
    let (mut fields, mut at) = (Vec::new(), 0);
    let gap = |from: u64, to: u64| (format!("gap_at_{from}"), to - from, None);
    for member in sorted {
        if member.offset < at {
            return Err("compounds whose fields overlap".to_owned());
        }
        if member.offset > at {
            fields.push(gap(at, member.offset));
        }
        fields.push((member.name.clone(), member.datatype.size, Some(member)));
        at = member.offset + member.datatype.size;
    }
    if at < size {
        fields.push(gap(at, size));
    }
    Ok(fields)
}

/// The fill value of an item.
fn fill_value(datatype: &Datatype, item: &[u8]) -> Value {
    match &datatype.class {
        Class::Integer { is_signed } => datatype.integer(*is_signed, item),
        Class::Bits => datatype.integer(false, item),
        Class::Enum { .. } if datatype.is_bool() => (item.first() == Some(&1)).into(),
        Class::Enum { base, .. } => fill_value(base, item),
        Class::Float if datatype.float(item).is_number() => datatype.float(item),
        Class::Float | Class::BFloat16 => {
            let digits = item.iter().map(|byte| format!("{byte:02x}"));
            let digits: Vec<String> =
                if datatype.is_big_endian { digits.collect() } else { digits.rev().collect() };
            format!("0x{}", digits.concat()).into()
        }
        Class::Complex(part) => parts(part, item),
        Class::Array { .. } => {
            let (element, _) = datatype.element();
            if element.is_number() {
                let mut item = item.to_vec();
                element.make_little(&mut item);
                return STANDARD.encode(item).into();
            }
            let Some((_, part)) = datatype.first_axis() else { return Value::Null };
            let mut fields = crate::metadata::Map::new();
            for (nth, item) in item.chunks_exact(part.size as usize).enumerate() {
                fields.insert(nth.to_string(), fill_value(&part, item));
            }
            Value::Object(fields)
        }
        Class::Compound(members) => {
            if let Some(part) = datatype.complex_part() {
                return parts(part, item);
            }
            let mut fields = crate::metadata::Map::new();
            for (name, bytes, member) in laid_out(members, datatype.size).unwrap_or_default() {
                let value = match member {
                    Some(member) if is_bytes(&member.datatype) => STANDARD.encode(member.of(item)).into(),
                    Some(member) => fill_value(&member.datatype, member.of(item)),
                    None => STANDARD.encode(vec![0; bytes as usize]).into(),
                };
                fields.insert(name, value);
            }
            Value::Object(fields)
        }
        _ => STANDARD.encode(item).into(),
    }
}

fn parts(part: &Datatype, item: &[u8]) -> Value {
    item.chunks_exact(part.size as usize).map(|item| fill_value(part, item)).collect()
}
