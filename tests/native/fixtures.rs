//! Every array that zarr-python wrote reads as zarr-python reads it: whole, by selection, by chunk.

use std::collections::HashMap;

use crate::support::rows::read_in_rows;
use crate::support::{Stored, cases, crc32, fixtures, items, ours, selection, text, theirs};
use rectilinear_zarr::grid::{Axis, ChunkGrid};
use rectilinear_zarr::metadata::{DataType, Json, Kind, bare_number};
use rectilinear_zarr::output::{Cast, Numeric};
use rectilinear_zarr::parts::Loaded;
use rectilinear_zarr::read::Array;
use serde_json::{Value, json};

/// The lists of arrays.
const INDEXES: [&str; 7] = [
    "index.json",
    "index-dtypes.json",
    "index-filters.json",
    "index-v2.json",
    "index-objects.json",
    "index-grids.json",
    "index-tensorstore.json",
];

#[test]
fn every_selection_equals_the_oracle() {
    for case in INDEXES.into_iter().flat_map(cases) {
        let name = text(&case, "name");
        let stored = Stored::case(&case).unwrap_or_else(|error| panic!("{name}: {error}"));
        let kinds = ["selections", "negativeSelections", "listSelections"];
        for wanted in kinds.into_iter().flat_map(|kind| case[kind].as_array().expect(kind)) {
            let asked = &wanted["selection"];
            let (shape, bytes) =
                stored.get(&selection(asked)).unwrap_or_else(|error| panic!("{name} {asked}: {error}"));
            assert_eq!(json!(shape), wanted["shape"], "{name} {asked}");
            assert_eq!(Some(crc32(&bytes)), wanted["crc32"].as_u64(), "{name} {asked}");
        }
    }
}

#[test]
fn reads_in_rows_equal_those_chunk_by_chunk() {
    let mut put = HashMap::new();
    for case in INDEXES.into_iter().flat_map(cases) {
        let name = text(&case, "name");
        let stored = Stored::case(&case).unwrap();
        if stored.array.metadata.data_type.is_variable() || stored.array.inner_grid.is_some() {
            continue;
        }
        for wanted in case["selections"].as_array().expect("selections") {
            let asked = selection(&wanted["selection"]);
            let plan = stored.array.plan(&asked).unwrap();
            let (bytes, rows) = read_in_rows(&plan, 256, |key| std::fs::read(stored.folder.join(key)).ok());
            assert_eq!(bytes, stored.get(&asked).unwrap().1, "{name} {asked:?}");
            let codecs = stored.array.metadata.codecs.iter().map(|codec| codec.name.clone());
            codecs.for_each(|codec| *put.entry(codec).or_insert(0) += rows);
        }
    }
    for codec in ["bytes", "transpose", "blosc", "zstd", "gzip", "crc32c"] {
        assert!(put.get(codec).is_some_and(|&rows| rows > 2), "{codec}: {put:?}");
    }
    assert_eq!(put["numcodecs.delta"], 0, "whose items are sums of those before");
}

#[test]
fn points_equal_the_oracle() {
    for case in INDEXES.into_iter().flat_map(cases) {
        let name = text(&case, "name");
        let stored = Stored::case(&case).unwrap_or_else(|error| panic!("{name}: {error}"));
        for wanted in case["pointSelections"].as_array().expect("pointSelections") {
            let points = wanted["points"].as_array().expect("points");
            let flat: Vec<i64> = points
                .iter()
                .flat_map(|point| point.as_array().unwrap())
                .map(|at| at.as_i64().unwrap())
                .collect();
            let plan = stored.array.plan_points(points.len(), &flat).unwrap();
            let (shape, bytes) = stored.run(&plan).unwrap_or_else(|error| panic!("{name}: {error}"));
            assert_eq!(json!(shape), wanted["shape"], "{name}");
            assert_eq!(Some(crc32(&bytes)), wanted["crc32"].as_u64(), "{name}");
        }
    }
}

#[test]
fn fields_of_structs_equal_the_oracle() {
    let mut seen = 0;
    for case in INDEXES.into_iter().flat_map(cases) {
        let stored = Stored::case(&case).unwrap();
        for field in case["fields"].as_array().into_iter().flatten() {
            let (name, path) = (text(&case, "name"), text(field, "path").to_owned());
            let plan = stored.array.plan(&[]).unwrap().with_fields(std::slice::from_ref(&path)).unwrap();
            let (shape, bytes) = stored.run(&plan).unwrap();
            assert_eq!((json!(shape), plan.output_size()), (case["shape"].clone(), bytes.len() as u64));
            assert_eq!(Some(crc32(&bytes)), field["crc32"].as_u64(), "{name} {path}");
            seen += 1;
        }
    }
    assert!(seen > 20);
}

#[test]
fn fields_that_are_not_there_are_refused_with_those_that_are() {
    let refused = |fixture: &str, fields: &[&str]| {
        let stored = Stored::open(&fixtures().join(fixture)).unwrap();
        let fields: Vec<String> = fields.iter().map(|&field| field.to_owned()).collect();
        stored.array.plan(&[]).unwrap().with_fields(&fields).unwrap_err().to_string()
    };
    for missing in ["e", "", "c.", "c.z", "a.x", "ab"] {
        let message = refused("dtype-struct.zarr", &["a", missing]);
        assert!(
            message.contains(&format!("{missing:?}")) && message.contains("\"a\", \"b\", \"c\", \"d\""),
            "{message}"
        );
    }
    // A field of structs in a subarray is in several places of an item.
    assert!(refused("older-subarray-nested.zarr", &["inner.x"]).contains("inner.x"));
    assert!(refused("dtype-struct.zarr", &[]).contains("empty"));
    assert!(refused("int8-regular.zarr", &["a"]).contains("int8"));
}

#[test]
fn subarrays_are_described_to_workers_and_cast_as_a_whole() {
    let mut seen = 0;
    for case in cases("index-v2.json").into_iter().filter(|case| text(case, "name").starts_with("older-")) {
        let data_type = Stored::case(&case).unwrap().array.metadata.data_type;
        let described = data_type.described();
        assert_eq!(DataType::from_described(Json::root(&described)), Ok(data_type.clone()));
        let Kind::Struct(fields) = data_type.kind() else { panic!("{data_type:?}") };
        for field in fields {
            let Kind::Subarray { element, shape } = field.data_type.kind() else { continue };
            let elements = usize::try_from(shape.iter().product::<u64>()).unwrap();
            assert_eq!(field.data_type.item_size(), elements * element.item_size());
            if let Some(cast) = Cast::new(Loaded::get().unwrap(), &field.data_type, Numeric::Float(64)) {
                let parts = if matches!(element.kind(), Kind::Complex(_)) { 2 } else { 1 };
                assert_eq!(
                    cast.sizes(),
                    (field.data_type.item_size(), 8 * parts * elements),
                    "{}",
                    field.name
                );
                seen += 1;
            }
        }
    }
    assert!(seen >= 6, "{seen}");
}

#[test]
fn whole_arrays_and_chunks_equal_the_oracle() {
    for case in INDEXES.into_iter().flat_map(cases) {
        let name = text(&case, "name");
        let stored = Stored::case(&case).unwrap();
        let expected = std::fs::read(fixtures().join(text(&case, "expected"))).unwrap();
        let (shape, whole) = stored.get(&[]).unwrap();
        assert_eq!(json!(shape), case["shape"], "{name}");
        assert!(whole == expected, "{name}: the whole array differs");

        // Each chunk, put where its bounds say, gives the whole again.
        let grid = &stored.array.metadata.chunk_grid;
        let mut assembled = vec![Vec::new(); items(&stored.array, &expected).len()];
        for coords in product(&grid.shape()) {
            let bounds = grid.bounds(&coords).expect("a chunk of the grid");
            let (chunk_shape, chunk) = stored.run(&stored.array.plan_chunk(&coords).unwrap()).unwrap();
            for (within, item) in product(&chunk_shape).into_iter().zip(items(&stored.array, &chunk)) {
                let flat = within
                    .iter()
                    .zip(&bounds)
                    .zip(&shape)
                    .fold(0, |flat, ((within, span), extent)| flat * extent + span.start + within);
                assembled[usize::try_from(flat).unwrap()] = item.to_vec();
            }
        }
        assert!(assembled.concat() == expected, "{name}: the chunks differ");
    }
}

#[test]
fn properties_equal_the_oracle() {
    for case in INDEXES.into_iter().flat_map(cases) {
        let name = text(&case, "name");
        let array = Stored::case(&case).unwrap().array;
        let edges = |axis: &Axis| -> Vec<u64> {
            (0..axis.chunks())
                .filter_map(|chunk| axis.span(chunk))
                .map(|span| span.stop - span.start)
                .collect()
        };
        let sizes = |grid: &ChunkGrid| -> Vec<Vec<u64>> { grid.axes().iter().map(edges).collect() };
        assert_eq!(json!(sizes(&array.metadata.chunk_grid)), case["writeChunkSizes"], "{name}");
        assert_eq!(json!(sizes(array.read_grid())), case["readChunkSizes"], "{name}");
        let metadata = array.metadata;
        assert_eq!(metadata.zarr_format, if case["zarrFormat"] == 2 { 2 } else { 3 }, "{name}");
        assert_eq!(metadata.fill_is_null, case["fillValue"].is_null(), "{name}");
        assert_eq!(metadata.data_type.name(), text(&case, "dtype"), "{name}");
        assert_eq!(json!(metadata.dimension_names), case["dimensionNames"], "{name}");
        assert_eq!(spelled(&theirs(&metadata.attributes.into())), case["attributes"], "{name}");
    }
}

#[test]
fn a_codec_that_this_build_lacks_is_refused_by_name() {
    for (name, module) in crate::support::lacking_modules() {
        let codecs = json!([{ "name": name, "configuration": {} }]);
        let document = crate::support::document_with(&[4], &json!([[4]]), "float64", &codecs);
        let mut errors = vec![Array::parse(&document, "", 1 << 30).map(|_| ()).unwrap_err()];
        // The oracle writes numcodecs' codecs; tests/native/grib.rs has GRIB2 messages, tests/native/imagecodecs.rs what others write.
        if module != "grib" && name.starts_with("numcodecs.") {
            let cases = crate::support::optional_cases("index.json", module);
            errors.extend(cases.iter().map(|case| Stored::case(case).map(|_| ()).unwrap_err()));
        }
        for error in errors {
            assert_eq!(error.name(), "UnsupportedError");
            let message = error.to_string();
            assert!(message.contains(name) && message.contains(&format!("{module:?}")), "{error}");
        }
    }
}

/// A value as the index spells it: bare numbers that JSON lacks as `{"number": "NaN"}`.
fn spelled(value: &Value) -> Value {
    match value {
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), spelled(value))).collect(),
        Value::Array(items) => items.iter().map(spelled).collect(),
        value => match bare_number(&ours(value)) {
            None => value.clone(),
            Some(number) if number.is_nan() => json!({ "number": "NaN" }),
            Some(number) => json!({ "number": if number > 0.0 { "Infinity" } else { "-Infinity" } }),
        },
    }
}

/// All coordinates below a shape, last axis fastest.
fn product(shape: &[u64]) -> Vec<Vec<u64>> {
    shape.iter().fold(vec![vec![]], |heads, &edge| {
        heads.iter().flat_map(|head| (0..edge).map(move |at| [head.as_slice(), &[at]].concat())).collect()
    })
}
