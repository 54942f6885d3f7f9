//! The page on formats and the registry of codecs list the names that the code knows: `make names` writes the lists.
#![cfg(feature = "default")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{read_to_string, write};
use std::path::{Path, PathBuf};

use rectilinear_zarr::error::Error;
use rectilinear_zarr::metadata::{CHUNK_GRIDS, ChunkKeyEncoding, CodecEntry, CodecKind, DataType};
use rectilinear_zarr::read::Array;
use serde_json::{Value, json};

const START: &str = "<!-- names: `make names` writes them from the lists in src/ -->\n";
const END: &str = "<!-- /names -->\n";

/// The most letters of a line.
const WIDTH: usize = 118;

fn page() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("www/docs/formats.md")
}

#[test]
fn the_list_of_names_is_that_of_the_code() {
    let text = read_to_string(page()).unwrap();
    let (before, rest) = text.split_once(START).expect("the page marks where the list starts");
    let (found, after) = rest.split_once(END).expect("the page marks where the list ends");
    let wanted = list();
    if std::env::var("NAMES").is_ok_and(|asked| asked == "write") {
        write(page(), [before, START, &wanted, END, after].concat()).unwrap();
        return;
    }
    assert!(found == wanted, "the page's list is not the code's, run `make names`; wanted:\n{wanted}");
}

#[test]
fn every_data_type_has_a_typed_array() {
    let text = read_to_string(page()).unwrap();
    let (_, rest) = text.split_once("\n## Data types and typed arrays\n").expect("the page has the section");
    let section = rest.split("\n## ").next().unwrap();
    for name in DataType::names() {
        assert!(section.contains(&format!("`{name}`")), "the table of typed arrays has no row for {name}");
    }
}

/// The Cargo features that a module is built with, and those that they turn on.
fn features_of(module: &str) -> BTreeSet<String> {
    let manifest = include_str!("../../Cargo.toml");
    let given: Vec<&str> = match module {
        "main" => quoted(include_str!("../../src/wasm/main/Cargo.toml"), "rectilinear-zarr = {"),
        "rare" => quoted(include_str!("../../src/wasm/rare/Cargo.toml"), "rectilinear-zarr = {"),
        _ => vec![module],
    };
    let mut found: BTreeSet<String> = BTreeSet::new();
    let mut left: Vec<String> = given.into_iter().map(str::to_owned).collect();
    while let Some(feature) = left.pop() {
        if manifest.contains(&format!("\n{feature} = [")) && found.insert(feature.clone()) {
            left.extend(quoted(manifest, &format!("{feature} = [")).into_iter().map(str::to_owned));
        }
    }
    found
}

/// The quoted words of a list of a manifest, from the line that begins so to the end of the list.
fn quoted<'a>(manifest: &'a str, start: &str) -> Vec<&'a str> {
    let at = manifest.find(&format!("\n{start}")).unwrap_or_else(|| panic!("no line begins with {start}"));
    let list = &manifest[at..];
    let list = &list[..list.find(']').expect("the list ends")];
    list.split('"').skip(1).step_by(2).collect()
}

#[test]
fn each_name_of_a_codec_is_in_one_line_whose_module_is_built_with_its_feature() {
    let mut names = BTreeMap::new();
    for (kind, entry) in CodecEntry::all() {
        for name in entry.names {
            let other = names.insert(*name, entry);
            assert!(other.is_none(), "{name} is in two lines");
            assert_eq!(CodecEntry::named(name), Some((kind, entry)), "{name}");
        }
        let features = features_of(entry.module);
        let is_built = entry.feature().is_none_or(|feature| features.contains(feature));
        assert!(is_built, "{:?}: the module {} is built without its feature", entry.names, entry.module);
        assert!(entry.feature().is_some() || entry.module == "main", "{:?} is in every module", entry.names);
        let in_main = entry.feature().is_none_or(|feature| features_of("main").contains(feature));
        assert_eq!(in_main, entry.module == "main", "{:?}: whether the main module has it", entry.names);
        assert_eq!(entry.is_on_demand(), entry.feature() == Some(entry.module) && entry.module != "rare");
    }
    assert!(names.len() > 60, "the table has lines");
}

/// A codec of this build takes the metadata, or says what is wrong with its configuration; others are unsupported.
#[test]
fn a_build_parses_the_codecs_that_the_table_says_it_has_and_no_others() {
    let types = ["uint8", "bool", "float32", "string", "bytes", "float64"];
    for (kind, entry) in CodecEntry::all() {
        for name in entry.names {
            let errors: Vec<_> =
                types.iter().filter_map(|data_type| refusal(kind, name, data_type)).collect();
            let is_unknown = errors.iter().any(|error| error.to_string().contains("this build "));
            assert_eq!(is_unknown, !entry.is_here, "{name}: {errors:?}");
        }
    }
}

/// The error of an array with a codec that has no configuration.
fn refusal(kind: CodecKind, name: &str, data_type: &str) -> Option<Error> {
    let codec = json!({ "name": name, "configuration": {} });
    let codecs = match kind {
        CodecKind::ArrayToArray => json!([codec, crate::support::little()]),
        CodecKind::ArrayToBytes => json!([codec]),
        CodecKind::BytesToBytes => json!([crate::support::little(), codec]),
    };
    let document = crate::support::document_with(&[4], &json!([[4]]), data_type, &codecs);
    let mut document: Value = serde_json::from_slice(&document).unwrap();
    document["fill_value"] = match data_type {
        "string" => json!(""),
        "bytes" => json!([]),
        "bool" => json!(false),
        _ => json!(0),
    };
    Array::parse(document.to_string().as_bytes(), "", 1 << 30).err()
}

/// Files that list the modules with one codec each, and how they write a module.
const LISTS: [(&str, &str); 6] = [
    ("src/wasm/decoders/Cargo.toml", "\n@ = [\"rectilinear-zarr/@\""),
    ("pkg.json", "\"./rectilinear_zarr_@_bg.wasm\""),
    (
        "src/web/load/codec-modules.js",
        "  @: () => new URL(\"./rectilinear_zarr_@_bg.wasm\", import.meta.url),",
    ),
    ("src/web/load/inline.js", "import(\"../wasm/@.inlined.js\")"),
    (".tools/size.mjs", " @: "),
    ("tests/packaging/numbers.test.mjs", "\"rectilinear_zarr_@_bg.wasm\""),
];

#[test]
fn each_module_with_one_codec_is_built_and_shipped_and_off_by_default() {
    let modules: BTreeSet<&str> =
        CodecEntry::all().filter(|(_, entry)| entry.is_on_demand()).map(|(_, entry)| entry.module).collect();
    let default = quoted(include_str!("../../Cargo.toml"), "default = [");
    for module in modules {
        assert!(!default.contains(&module), "{module} is in every build");
        for (file, form) in LISTS {
            let text = read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file)).unwrap();
            assert!(text.contains(&form.replace('@', module)), "{file} lacks the module {module}");
        }
    }
}

#[test]
fn the_list_of_built_in_codecs_is_that_of_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web/codecs/built-in.js");
    let text = read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("(\n  \"").expect("the file has a text of names");
    let (found, after) = rest.split_once("\".split").expect("the text of names is split");
    // The file knows them without the prefix.
    let is_listed = |name: &&str| !name.starts_with("numcodecs.vlen-") || *name == "numcodecs.vlen-array";
    let names = CodecEntry::all().flat_map(|(_, entry)| entry.names).copied().filter(is_listed);
    let wanted = names.collect::<Vec<_>>().join(" ");
    if std::env::var("NAMES").is_ok_and(|asked| asked == "write") {
        write(&path, [before, "(\n  \"", &wanted, "\".split", after].concat()).unwrap();
        return;
    }
    assert!(found == wanted, "the list of the file is not the table's, run `make names`; wanted:\n{wanted}");
}

/// The list, an entry for each kind of name.
fn list() -> String {
    let mut entries =
        vec![entry("chunk grids", &CHUNK_GRIDS), entry("chunk key encodings", &ChunkKeyEncoding::NAMES)];
    let types = DataType::names();
    let kinds = ["whole numbers", "floats", "complex numbers", "others"];
    for (at, kind) in kinds.iter().enumerate() {
        let names: Vec<&str> = types.iter().map(String::as_str).filter(|name| kind_of(name) == at).collect();
        entries.push(entry(&format!("data types, {kind}"), &names));
    }
    let kinds = [
        (CodecKind::ArrayToArray, "codecs, arrays to arrays"),
        (CodecKind::ArrayToBytes, "codecs, arrays to bytes"),
        (CodecKind::BytesToBytes, "codecs, bytes to bytes"),
    ];
    for (kind, title) in kinds {
        let of_kind = CodecEntry::all().filter(|(of, entry)| *of == kind && !entry.is_on_demand());
        let names: Vec<&str> = of_kind.flat_map(|(_, entry)| entry.names).copied().collect();
        entries.push(entry(title, &names));
    }
    // The names of a module follow one another.
    let mut on_demand: Vec<(&str, Vec<&str>)> = Vec::new();
    for (_, entry) in CodecEntry::all().filter(|(_, entry)| entry.is_on_demand()) {
        match on_demand.iter_mut().find(|(module, _)| *module == entry.module) {
            Some((_, names)) => names.extend(entry.names),
            None => on_demand.push((entry.module, entry.names.to_vec())),
        }
    }
    let on_demand: Vec<String> = on_demand
        .into_iter()
        .flat_map(|(module, names)| {
            let last = names.len() - 1;
            (0..).zip(names).map(move |(nth, name)| {
                if nth == last { format!("`{name}` (`{module}`)") } else { format!("`{name}`") }
            })
        })
        .collect();
    entries.push(wrapped("codecs in modules of their own (the module's name after its codecs)", &on_demand));
    format!("\n{}\n", entries.concat())
}

/// Which of the four kinds of data types a name is of.
fn kind_of(name: &str) -> usize {
    if ["bool", "int", "uint"].iter().any(|start| name.starts_with(start)) {
        0
    } else if name.starts_with("complex") {
        2
    } else if name.contains("float") {
        1
    } else {
        3
    }
}

/// One entry of the list.
fn entry(kind: &str, names: &[&str]) -> String {
    wrapped(kind, &names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>())
}

/// The kind and the items, in lines of [`WIDTH`].
fn wrapped(kind: &str, items: &[String]) -> String {
    let mut lines = vec![format!("- **{kind}**:")];
    for (at, item) in items.iter().enumerate() {
        let item = if at + 1 < items.len() { format!("{item},") } else { item.clone() };
        for word in item.split(' ') {
            let line = lines.last_mut().unwrap();
            if line.len() + 1 + word.len() > WIDTH {
                lines.push(format!("  {word}"));
            } else {
                line.push(' ');
                line.push_str(word);
            }
        }
    }
    lines.join("\n") + "\n"
}
