//! Items of every type decode by the CF conventions to the types and the values that xarray gives them.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rectilinear_zarr::metadata::{ArrayMetadata, DataType, Json};
use rectilinear_zarr::output::{Cast, Numeric, OutputField};
use rectilinear_zarr::parts::Loaded;
use rectilinear_zarr::read::{Conversion, Mask, Scaling, Target};
use serde_json::{Value, json};

use crate::support::original::Original;

/// The metadata of an array of one axis; `attributes` is JSON text, in which 2 and 2.0 differ.
fn metadata(entry: &Value, attributes: &str) -> ArrayMetadata {
    let name = entry["dtype"].as_str().unwrap();
    let mut document =
        json!({ "zarr_format": entry["zarr_format"], "shape": [1], "fill_value": entry["fill_value"] });
    if entry["zarr_format"] == 2 {
        // `dtype` is what numpy calls the type: its first letter, and bytes.
        let kind = &name[..1];
        let bits: usize = name.trim_start_matches(char::is_alphabetic).parse().unwrap_or(8);
        let order = if bits == 8 { '|' } else { '<' };
        document["dtype"] = json!(format!("{order}{kind}{}", bits / 8));
        document["chunks"] = json!([1]);
        document["order"] = json!("C");
        for none in ["compressor", "filters"] {
            document[none] = Value::Null;
        }
        let [document, attributes] =
            [document.to_string(), attributes.to_owned()].map(|text| Json::parse(text.as_bytes()).unwrap());
        return ArrayMetadata::from_v2(Json::root(&document), Some(Json::root(&attributes))).unwrap();
    }
    document["node_type"] = json!("array");
    document["data_type"] = json!(name);
    document["chunk_grid"] = json!({ "name": "regular", "configuration": { "chunk_shape": [1] } });
    document["chunk_key_encoding"] = json!({ "name": "default" });
    document["codecs"] = json!([{ "name": "bytes", "configuration": { "endian": "little" } }]);
    let text = document.to_string();
    let text = format!("{},\"attributes\":{attributes}}}", text.strip_suffix('}').unwrap());
    ArrayMetadata::parse(text.as_bytes()).unwrap()
}

fn bytes(text: &Value) -> Vec<u8> {
    STANDARD.decode(text.as_str().unwrap()).unwrap()
}

/// Items as a message shows them, all NaN alike.
fn shown(items: &[u8], number: Numeric) -> Vec<String> {
    let item = |item: &[u8]| match number {
        Numeric::Float(_) => format!("{:?}", number.float(item)),
        _ => number.integer(item).to_string(),
    };
    items.chunks(number.size()).map(item).collect()
}

#[test]
fn items_are_decoded_as_xarray_decodes_them() {
    let text = include_str!("../neighbours/fixtures/cf/packed.json");
    let entries: Vec<Value> = serde_json::from_str(text).unwrap();
    let (mut wrong, mut count) = (Vec::new(), 0);
    for entry in &entries {
        let items = bytes(&entry["items"]);
        let rows = entry["rows"].as_array().unwrap();
        for row in rows {
            let attributes = row[0].as_str().unwrap();
            let earlier = row[1].as_u64().map(|nth| &rows[usize::try_from(nth).unwrap()][1]);
            let expected = earlier.unwrap_or(&row[1]);
            let metadata = metadata(entry, attributes);
            let column = OutputField::whole(&metadata.data_type, &metadata.fill_value);
            let cast = |target| {
                let (mask, scaling) = (Some(Mask::Cf), Some(Scaling::Attributes));
                Conversion { target, mask, scaling, levels: None }.cast(&metadata, &column).unwrap()
            };
            let (number, made) = match cast(Target::Needed { halves: true }) {
                Some(cast) => (cast.target(), cast.made(&items)),
                None => (metadata.data_type.numeric().unwrap(), items.clone()),
            };
            let found = (number.to_string(), shown(&made, number));
            let name = expected[0].as_str().unwrap();
            let values = bytes(&expected[1]);
            let said = format!("v{} {} {attributes}", entry["zarr_format"], entry["dtype"]);
            if name != found.0 {
                wrong.push(format!("{said}: {} and not {name}", found.0));
            } else if found.1 != shown(&values, number) {
                wrong.push(format!("{said}: {name} {:?} and not {:?}", found.1, shown(&values, number)));
            }
            // Engines without halves have the same numbers as float32.
            if let ("float16", Some(cast)) = (name, cast(Target::Needed { halves: false })) {
                let widened = shown(&cast.made(&items), cast.target());
                if (cast.target(), &widened) != (Numeric::Float(32), &shown(&values, number)) {
                    wrong.push(format!("{said} without halves: {} {widened:?}", cast.target()));
                }
            }
            // As another type, they are what becomes of xarray's values then.
            for target in [Numeric::Float(32), Numeric::Float(64)] {
                let whole =
                    Cast::new(Loaded::get().unwrap(), &DataType::scalar(name).unwrap(), target).unwrap();
                let [found, expected] = [(cast(Target::Decoded(target)).unwrap(), &items), (whole, &values)]
                    .map(|(cast, items)| shown(&cast.made(items), target));
                if found != expected {
                    wrong.push(format!("{said} as {target}: {found:?} and not {expected:?}"));
                }
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{} of {count} rows differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(count > 1600, "the table is whole");
}

#[test]
fn items_of_original_files_become_float32_where_xarray_makes_them_so() {
    let files: Vec<Value> =
        serde_json::from_str(include_str!("../neighbours/fixtures/cf/singles.json")).unwrap();
    let (mut wrong, mut singles, mut doubles) = (Vec::new(), 0, 0);
    for entry in &files {
        let format = entry["format"].as_str().unwrap();
        let mut file = Original::of(format, bytes(&entry["file"]));
        file.begin().unwrap();
        for (name, expected) in entry["variables"].as_object().unwrap() {
            let array = file.array(name).unwrap();
            let items = file.read(&array).unwrap();
            let column = OutputField::whole(&array.metadata.data_type, &array.metadata.fill_value);
            let conversion = Conversion {
                target: Target::Needed { halves: true },
                mask: Some(Mask::Cf),
                scaling: Some(Scaling::Attributes),
                levels: None,
            };
            let (number, made) = match conversion.cast(&array.metadata, &column).unwrap() {
                Some(cast) => (cast.target(), cast.made(&items)),
                None => (array.metadata.data_type.numeric().unwrap(), items),
            };
            let (found, wanted) = (shown(&made, number), shown(&bytes(&expected[1]), number));
            if expected[0] != number.to_string() || found != wanted {
                wrong.push(format!("{format} {name}: {number} {found:?}, not {} {wanted:?}", expected[0]));
            }
            singles += usize::from(number == Numeric::Float(32));
            doubles += usize::from(number == Numeric::Float(64));
        }
    }
    assert!(wrong.is_empty(), "{} differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(singles >= 60 && doubles > 100, "{singles} and {doubles}");
}

#[test]
fn missing_items_are_compared_in_their_own_type() {
    let decoded = |dtype: &str, items: &[u8], attributes: &str| {
        let metadata = metadata(&json!({ "zarr_format": 3, "dtype": dtype, "fill_value": 0 }), attributes);
        let column = OutputField::whole(&metadata.data_type, &metadata.fill_value);
        let (mask, scaling) = (Some(Mask::Cf), Some(Scaling::Attributes));
        let conversion = Conversion { target: Target::Needed { halves: true }, mask, scaling, levels: None };
        let cast = conversion.cast(&metadata, &column).unwrap().unwrap();
        shown(&cast.made(items), cast.target())
    };
    let floats: Vec<u8> = [1e20_f32, 1.0].into_iter().flat_map(f32::to_le_bytes).collect();
    assert_eq!(decoded("float32", &floats, r#"{ "missing_value": 1e20 }"#), ["NaN", "1.0"]);
    let wide: Vec<u8> = [(1 << 53) + 1, 1_i64 << 53].into_iter().flat_map(i64::to_le_bytes).collect();
    let found = decoded("int64", &wide, r#"{ "_FillValue": 9007199254740993 }"#);
    assert_eq!(found, ["NaN", "9007199254740992.0"]);
}
