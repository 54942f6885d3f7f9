//! Paths and links of the README and of the pages for contributors: each one is there. The README stays short.

use std::path::{Path, PathBuf};

const PAGES: [&str; 4] = ["design.md", "tried.md", "contributing.md", "adding.md"];

/// Folders of the repository that pages name paths in.
const TOP: [&str; 5] = ["src", "tests", "www", ".tools", ".ci"];

/// Files at the top that pages name.
const FILES: [&str; 4] = ["Cargo.toml", "wasm-pack.toml", "pkg.json", "Makefile"];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Words that a page has between backticks on one line, outside of fenced blocks.
fn quoted(page: &str) -> impl Iterator<Item = &str> {
    let mut fenced = false;
    let prose = page.lines().filter(move |line| {
        let is_fence = line.starts_with("```");
        fenced ^= is_fence;
        !fenced && !is_fence
    });
    prose.flat_map(|line| line.split('`').skip(1).step_by(2))
}

/// Whether quoted text is a path of the repository.
fn is_path(text: &str) -> bool {
    let top = text.split('/').next().unwrap_or(text);
    let is_plain = text.chars().all(|letter| letter.is_ascii_alphanumeric() || "._/-".contains(letter));
    is_plain && (FILES.contains(&text) || text.contains('/') && TOP.contains(&top))
}

/// Targets of a page's links that are neither addresses nor places on a page.
fn links(page: &str) -> impl Iterator<Item = &str> {
    let targets = page.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    targets.filter(|target| !target.contains("://") && !target.starts_with('#'))
}

#[test]
fn every_path_is_there() {
    let mut count = 0;
    for page in PAGES {
        let text = std::fs::read_to_string(root().join("www/docs").join(page)).expect(page);
        for path in quoted(&text).filter(|text| is_path(text)) {
            assert!(root().join(path).exists(), "{page} names {path}, which is not there");
            count += 1;
        }
    }
    assert!(count > 80, "the search found {count} paths");
}

#[test]
fn every_browser_test_that_the_map_names_is_there() {
    let text = std::fs::read_to_string(root().join("www/docs/contributing.md")).unwrap();
    let bare: Vec<_> =
        quoted(&text).filter(|text| text.ends_with(".test.mjs") && !text.starts_with("tests/")).collect();
    for name in &bare {
        assert!(root().join("tests/browser").join(name).exists(), "{name} is not in tests/browser");
    }
    assert!(bare.len() > 20, "the search found {} tests", bare.len());
}

/// A file that the program does not name would not be compiled, and its tests not run.
#[test]
fn every_native_test_is_in_the_program() {
    let program = include_str!("main.rs");
    let entries = std::fs::read_dir(root().join("tests/native")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let files: Vec<String> = names.filter_map(|name| name.strip_suffix(".rs").map(str::to_owned)).collect();
    assert!(files.len() > 40, "the search found {} files", files.len());
    let lacking = |name: &&String| *name != "main" && !program.contains(&format!("\nmod {name};\n"));
    let lacking: Vec<&String> = files.iter().filter(lacking).collect();
    assert!(lacking.is_empty(), "tests/native/main.rs lacks {lacking:?}");
    let loose = std::fs::read_dir(root().join("tests")).unwrap();
    let loose: Vec<String> = loose
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".rs"))
        .collect();
    let manifest = include_str!("../../Cargo.toml");
    for name in loose {
        let name = name.trim_end_matches(".rs");
        assert!(
            manifest.contains(&format!("[[test]]\nname = \"{name}\"\n")),
            "Cargo.toml lacks the test {name}"
        );
    }
}

/// The Makefile names the folders of `tests/browser`, and no file beside them.
#[test]
fn every_browser_test_lies_in_a_folder_of_its_subject() {
    let entries = std::fs::read_dir(root().join("tests/browser")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let loose: Vec<String> = names.filter(|name| name.ends_with(".test.mjs")).collect();
    assert!(loose.is_empty(), "no make target runs {loose:?}: move them into a folder of tests/browser");
}

#[test]
fn every_linked_page_and_picture_is_there() {
    let mut count = 0;
    for page in PAGES {
        let text = std::fs::read_to_string(root().join("www/docs").join(page)).expect(page);
        for target in links(&text) {
            assert!(
                root().join("www/docs").join(target).exists(),
                "{page} links to {target}, which is not there"
            );
            count += 1;
        }
    }
    assert!(count > 5, "the search found {count} links");
}

/// The map has a row for each room, in the order of the rooms.
#[test]
fn the_map_has_every_room() {
    let text = std::fs::read_to_string(root().join("www/docs/contributing.md")).unwrap();
    let rows: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("| `src/")).collect();
    let position = |room: &str| {
        let found = rows.iter().position(|row| row.starts_with(room));
        found.unwrap_or_else(|| panic!("the map has no row for src/{room}"))
    };
    for folder in ["", "js/"] {
        let rooms = Path::new("src").join(folder);
        let entries = std::fs::read_dir(root().join(&rooms)).unwrap();
        for entry in entries.map(|entry| entry.unwrap().path()).filter(|path| path.is_dir()) {
            let name = entry.file_name().unwrap().to_str().unwrap();
            if !["web", "types"].contains(&name) {
                position(&format!("{folder}{name}"));
            }
        }
    }
    let order = include_str!("rooms.rs");
    for (list, folder) in [("const ROOMS", ""), ("const JS_ROOMS", "js/")] {
        let (_, rest) = order.split_once(list).expect(list);
        let names = rest.split_once('=').expect(list).1.split_once("];").expect(list).0;
        let places: Vec<usize> =
            names.split('"').skip(1).step_by(2).map(|room| position(&format!("{folder}{room}"))).collect();
        assert!(places.is_sorted() && places.len() > 9, "the map's rooms are in another order: {places:?}");
    }
}

#[test]
fn paths_are_seen() {
    let page = "a `src/x.rs` and `make b`\n```sh\n`tests/y`\n```\n`Cargo.toml` `source/http` `tests/b/*.mjs` [c](d.md)";
    let found: Vec<_> = quoted(page).filter(|text| is_path(text)).collect();
    assert_eq!(found, ["src/x.rs", "Cargo.toml"]);
    assert_eq!(links(page).collect::<Vec<_>>(), ["d.md"]);
}

#[test]
fn the_readme_is_short_and_its_links_lead_somewhere() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    assert!(text.lines().count() <= 180, "{} lines", text.lines().count());
    assert!(text.len() <= 10_000, "{} bytes", text.len());
    let targets: Vec<_> = links(&text).collect();
    assert!(targets.len() > 20, "{targets:?}");
    for target in targets {
        assert!(root().join(target).exists(), "the README links to {target}, which is not there");
    }
}
