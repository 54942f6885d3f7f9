//! No file imports another one that imports it, by whatever way round.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

mod graph;
mod text;

use graph::{Graph, circles};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

#[test]
fn no_file_is_in_a_circle_of_imports() {
    let graph = Graph::of(&source(), &["kernels", "wasm", "web", "types"]);
    let edges = graph.edges();
    let found = circles(&edges);
    let imports = |(circle, file): (&BTreeSet<String>, &String)| {
        let others: Vec<_> = edges[file.as_str()].iter().filter(|other| circle.contains(**other)).collect();
        format!("{file} imports {others:?}")
    };
    let lines: Vec<_> =
        found.iter().flat_map(|circle| circle.iter().map(move |file| (circle, file))).map(imports).collect();
    assert!(lines.is_empty(), "circles:\n{}", lines.join("\n"));
    let edges: usize = edges.values().map(BTreeSet::len).sum();
    assert!(edges > 500, "the search found {edges} imports");
}

#[test]
fn no_kernel_is_in_a_circle_of_imports() {
    let graph = Graph::of(&source().join("kernels"), &[]);
    assert_eq!(circles(&graph.edges()), Vec::<BTreeSet<String>>::new());
}

/// The search sees imports by `use`, by `super::`, by paths in code, and through re-exports.
#[test]
fn circles_are_seen() {
    let room = std::env::temp_dir().join(format!("circles-{}", std::process::id()));
    let write = |name: &str, text: &str| {
        let path = room.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("lib.rs", "mod a;\nmod b;\n");
    write(
        "a/mod.rs",
        "mod one;\nmod two;\npub use one::{One, other as Renamed};\npub(crate) use self::two::Two;\n",
    );
    write(
        "a/one.rs",
        "use super::Two;\n// crate::b::three is only a comment\nconst A: &str = \"crate::b::x\";\n",
    );
    write("a/two.rs", "fn f() { crate::b::three::g('\"', b'\\'') }\n");
    write("b/mod.rs", "pub mod three;\nmod four;\nmod five;\n");
    write("b/three.rs", "use std::{fmt, rc::Rc};\nuse crate::a::{self, Renamed};\n");
    write("b/four.rs", "pub(in crate::b) fn f() {}\nmod tests {\n    use super::f;\n}\n");
    write("b/five.rs", "use super::four::f;\nuse super::super::a::One;\n");
    for nth in 0..6 {
        write(&format!("c{nth}.rs"), "fn f() {}\n");
    }
    let graph = Graph::of(&room, &[]);
    let found = circles(&graph.edges());
    std::fs::remove_dir_all(&room).unwrap();
    let circle: BTreeSet<String> = ["a/one.rs", "a/two.rs", "b/three.rs"].map(str::to_owned).into();
    assert_eq!(found, [circle]);
}
