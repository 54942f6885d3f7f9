//! The house rules that a compiler does not hold: who may use whom, and where WebAssembly and `async` may be named.

use std::path::{Path, PathBuf};

/// In dependency order: a room uses itself and the rooms before it.
const ROOMS: [&str; 14] = [
    "later", "kernels", "parts", "error", "grid", "metadata", "output", "codec", "network", "source", "read",
    "answers", "js", "wasm",
];

/// The rooms of `js`, in dependency order.
const JS_ROOMS: [&str; 12] = [
    "convert",
    "support",
    "http",
    "stores",
    "workers",
    "virtual_store",
    "options",
    "chunks",
    "open",
    "output",
    "run",
    "class",
];

const WASM_CRATES: [&str; 7] = [
    "wasm_bindgen",
    "js_sys",
    "web_sys",
    "serde_wasm_bindgen",
    "wasm_bindgen_futures",
    "futures_util",
    "JsValue",
];

struct SourceFile {
    name: String,
    room: usize,
    text: String,
}

fn files() -> Vec<SourceFile> {
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut folders = vec![src.clone()];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path: PathBuf = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let name = path.strip_prefix(&src).unwrap().to_string_lossy().into_owned();
                let room = name.trim_end_matches(".rs").split(['/', '\\']).next().unwrap().to_owned();
                let Some(room) = ROOMS.iter().position(|known| *known == room) else {
                    assert_eq!(name, "lib.rs", "a file outside every room");
                    continue;
                };
                found.push(SourceFile { name, room, text: std::fs::read_to_string(path).unwrap() });
            }
        }
    }
    assert!(found.len() > 30, "the walk found the source");
    found
}

/// Lines that are code, without their comments.
fn code(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(|line| line.split("//").next().unwrap_or(line))
}

#[test]
fn rooms_use_only_rooms_to_their_left() {
    for file in files() {
        for line in code(&file.text) {
            for used in line.split("crate::").skip(1) {
                let used =
                    used.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next().unwrap();
                // `crate::{Error, Result}` are the error room's.
                let room = ROOMS.iter().position(|room| *room == used).unwrap_or(0);
                assert!(room <= file.room, "{} may not use {used}: {line}", file.name);
            }
        }
    }
}

#[test]
fn rooms_of_js_use_only_rooms_to_their_left() {
    let position = |name: &str| JS_ROOMS.iter().position(|room| *room == name);
    let mut uses = 0;
    for file in files() {
        let mut parts = file.name.split(['/', '\\']);
        let (Some("js"), Some(folder)) = (parts.next(), parts.next()) else { continue };
        let Some(own) = position(folder) else {
            assert_eq!(folder, "mod.rs", "{} is in no room of js", file.name);
            continue;
        };
        for line in code(&file.text) {
            for used in line.split("crate::js::").skip(1) {
                let Some(room) = used.split("::").next().and_then(position) else { continue };
                assert!(room <= own, "{} may not use {}: {line}", file.name, JS_ROOMS[room]);
                uses += 1;
            }
        }
    }
    assert!(uses > 100, "the search found {uses} imports between rooms of js");
}

#[test]
fn only_js_and_the_modules_name_webassembly_crates_and_async() {
    for file in files().into_iter().filter(|file| !["js", "wasm"].contains(&ROOMS[file.room])) {
        for line in code(&file.text) {
            for name in WASM_CRATES {
                assert!(!line.contains(name), "{} names {name}: {line}", file.name);
            }
            assert!(!line.contains("async ") && !line.contains(".await"), "{}: {line}", file.name);
        }
    }
}

#[test]
fn every_file_says_what_it_is() {
    for file in files() {
        assert!(file.text.starts_with("//! "), "{} does not begin with what it is", file.name);
    }
}

#[test]
fn no_javascript_lies_among_rust() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        let paths: Vec<PathBuf> =
            std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        let has = |ending: &str| paths.iter().any(|path| path.to_string_lossy().ends_with(ending));
        assert!(!(has(".rs") && (has(".js") || has(".ts"))), "{} has both", folder.display());
        folders.extend(paths.into_iter().filter(|path| path.is_dir()));
    }
}
