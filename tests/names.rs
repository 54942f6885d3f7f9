//! The page on formats and the registry of codecs list the names that the code knows: `make names` writes the lists.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(feature = "default")]

use std::fs::{read_to_string, write};
use std::path::{Path, PathBuf};

use rectilinear_zarr::codec::{ON_DEMAND, OnDemand, names, names_by_kind};
use rectilinear_zarr::metadata::{CHUNK_GRIDS, ChunkKeyEncoding, DataType};

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

#[test]
fn each_codec_with_a_module_of_its_own_has_a_feature_that_is_off_by_default() {
    let manifest = include_str!("../Cargo.toml");
    let modules = include_str!("../src/wasm/decoders/Cargo.toml");
    let default = manifest.lines().find(|line| line.starts_with("default = [")).expect("default features");
    for OnDemand { name, module, .. } in ON_DEMAND {
        assert!(manifest.contains(&format!("\n{module} = [")), "{name}: {module} is a feature");
        assert!(!default.contains(&format!("{module:?}")), "{name}: {module} is in every build");
        let selected = format!("\n{module} = [\"rectilinear-zarr/{module}\"]");
        assert!(modules.contains(&selected), "{name}: no module is built with {module}");
    }
}

#[test]
fn the_list_of_built_in_codecs_is_that_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web/codecs/built-in.js");
    let text = read_to_string(&path).unwrap();
    let (before, rest) = text.split_once("(\n  \"").expect("the file has a text of names");
    let (found, after) = rest.split_once("\".split").expect("the text of names is split");
    let mut wanted = names();
    // A build with the features has their codecs too.
    wanted.retain(|name| ON_DEMAND.iter().all(|codec| codec.name != *name));
    wanted.extend(ON_DEMAND.iter().map(|codec| codec.name));
    let wanted = wanted.join(" ");
    if std::env::var("NAMES").is_ok_and(|asked| asked == "write") {
        write(&path, [before, "(\n  \"", &wanted, "\".split", after].concat()).unwrap();
        return;
    }
    assert!(found == wanted, "the list of the file is not the code's, run `make names`; wanted:\n{wanted}");
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
    for (kind, mut names) in names_by_kind() {
        names.retain(|name| ON_DEMAND.iter().all(|codec| codec.name != *name));
        entries.push(entry(&format!("codecs, {kind}"), &names));
    }
    let on_demand = ON_DEMAND.map(|OnDemand { name, module, .. }| format!("`{name}` (`{module}`)"));
    entries.push(wrapped("codecs in modules of their own (the module's name)", &on_demand));
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
