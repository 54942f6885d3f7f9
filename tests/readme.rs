//! The README's table of names is what the code's own lists give: `make readme` writes it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg(feature = "default")]

use std::path::Path;

use rectilinear_zarr::codec::{LEFT_OUT, LeftOut, names, names_by_kind};
use rectilinear_zarr::metadata::{CHUNK_GRIDS, ChunkKeyEncoding, DataType};

const START: &str = "<!-- names: `make readme` writes them from the lists in src/ -->\n";
const END: &str = "<!-- /names -->\n";

#[test]
fn the_table_of_names_is_that_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let readme = std::fs::read_to_string(&path).unwrap();
    let (before, rest) = readme.split_once(START).expect("the README marks where the table starts");
    let (found, after) = rest.split_once(END).expect("the README marks where the table ends");
    let wanted = table();
    if std::env::var("README").is_ok_and(|asked| asked == "write") {
        std::fs::write(&path, [before, START, &wanted, END, after].concat()).unwrap();
        return;
    }
    assert!(found == wanted, "the README's table is not the code's, run `make readme`; wanted:\n{wanted}");
}

#[test]
fn what_the_package_leaves_out_is_behind_its_feature() {
    let manifest = include_str!("../Cargo.toml");
    let default = manifest.lines().find(|line| line.starts_with("default = [")).expect("default features");
    for LeftOut { what, feature, is_here } in LEFT_OUT {
        assert!(manifest.contains(&format!("\n{feature} = [")), "{feature} is a feature");
        assert!(!default.contains(&format!("{feature:?}")), "{feature} is in the npm package");
        // A part of a codec has a space in it.
        assert!(what.contains(' ') || names().contains(&what) == is_here, "{what}");
    }
}

/// The table, a row for each kind of name.
fn table() -> String {
    let mut rows = vec![
        ("chunk grids".to_owned(), list(&CHUNK_GRIDS)),
        ("chunk key encodings".to_owned(), list(&ChunkKeyEncoding::NAMES)),
    ];
    let names = DataType::names();
    let kinds = ["whole numbers", "floats", "complex numbers", "others"];
    for (at, kind) in kinds.iter().enumerate() {
        let names: Vec<&str> = names.iter().map(String::as_str).filter(|name| kind_of(name) == at).collect();
        rows.push((format!("data types: {kind}"), list(&names)));
    }
    for (kind, mut names) in names_by_kind() {
        names.retain(|name| LEFT_OUT.iter().all(|codec| codec.what != *name));
        rows.push((format!("codecs: {kind}"), codecs(&names)));
    }
    let left_out = LEFT_OUT.iter().map(|LeftOut { what, feature, .. }| format!("`{what}` (`{feature}`)"));
    rows.push((
        "left out of the npm package (Cargo feature)".to_owned(),
        left_out.collect::<Vec<_>>().join(", "),
    ));
    let rows = rows.iter().map(|(kind, names)| format!("| {kind} | {names} |\n"));
    format!("\n| | |\n|---|---|\n{}\n", rows.collect::<String>())
}

/// Which of the four rows a data type is in.
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

fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}

/// The names, those of numcodecs after the others and by their ids.
fn codecs(names: &[&str]) -> String {
    let ids: Vec<&str> = names.iter().filter_map(|name| name.strip_prefix("numcodecs.")).collect();
    let others: Vec<&str> = names.iter().filter(|name| !name.starts_with("numcodecs.")).copied().collect();
    let mut parts = Vec::new();
    if !others.is_empty() {
        parts.push(list(&others));
    }
    if !ids.is_empty() {
        parts.push(format!("`numcodecs.` and {}", list(&ids)));
    }
    parts.join("; ")
}
