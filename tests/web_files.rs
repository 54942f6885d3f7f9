//! The hand-written JavaScript and the types lie in folders but are published flat: names and imports must fit that.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Modules of the package that the build writes: wasm-bindgen's glue, its mark, and WebAssembly as text.
const BUILT: [&str; 11] = [
    "build.js",
    "rectilinear_zarr.js",
    "rectilinear_zarr_systems.js",
    "inlined.js",
    "inlined-grib.js",
    "inlined-jpeg2000.js",
    "inlined-lzma.js",
    "inlined-pcodec.js",
    "inlined-rare.js",
    "inlined-systems.js",
    "inlined-zfp.js",
];

/// The files below a folder of `src`, by path, with their text.
fn below(folder: &str) -> BTreeMap<PathBuf, String> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(folder)];
    let mut found = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let text = std::fs::read_to_string(&path).unwrap();
                found.insert(path, text);
            }
        }
    }
    assert!(!found.is_empty(), "the walk found files");
    found
}

/// The names of files as the package has them; fails where two files of different folders would overwrite each other.
fn names(files: &BTreeMap<PathBuf, String>) -> Vec<&str> {
    let mut names: Vec<_> = files.keys().map(|path| path.file_name().unwrap().to_str().unwrap()).collect();
    names.sort_unstable();
    let twice: Vec<_> = names.windows(2).filter(|pair| pair[0] == pair[1]).collect();
    assert!(twice.is_empty(), "these names are used twice: {twice:?}");
    names
}

/// The modules beside it that a text names: every quoted `./name.js`.
fn imports(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2).filter_map(|quoted| quoted.strip_prefix("./"))
}

/// `.tools/package` copies `src/web/*/*.js`, `src/types/*.d.ts` and `src/types/*/*.d.ts`: no other files of these folders.
#[test]
fn the_package_copies_every_file() {
    for (path, _) in below("web") {
        assert_eq!(path.extension().unwrap(), "js", "{}", path.display());
        let web = path.ancestors().nth(2).unwrap();
        assert!(web.ends_with("src/web"), "{} does not lie in a folder of src/web", path.display());
    }
    for (path, _) in below("types") {
        assert!(path.to_str().unwrap().ends_with(".d.ts"), "{}", path.display());
        let depth = path.ancestors().skip(1).position(|folder| folder.ends_with("src/types"));
        assert!(
            depth.is_some_and(|depth| depth < 2),
            "{} does not lie in src/types or a folder of it",
            path.display()
        );
    }
}

#[test]
fn imports_name_files_of_the_package() {
    let web = below("web");
    let names = names(&web);
    let mut checked = 0;
    for (path, text) in &web {
        for import in imports(text).filter(|import| import.ends_with(".js")) {
            checked += 1;
            let known = names.binary_search(&import).is_ok() || BUILT.contains(&import);
            assert!(known, "{} imports ./{import}, which the package does not have", path.display());
        }
    }
    assert!(checked > 40, "the search found imports");
}

#[test]
fn types_import_types() {
    let types = below("types");
    let names = names(&types);
    for (path, text) in &types {
        for import in imports(text).filter_map(|import| import.strip_suffix(".js")) {
            let known = names.contains(&format!("{import}.d.ts").as_str());
            assert!(known, "{} imports ./{import}.js, which has no types", path.display());
        }
    }
}

#[test]
fn rust_binds_only_files_of_the_package() {
    let web = below("web");
    let names = names(&web);
    let mut checked = 0;
    for (path, text) in below("js") {
        for line in text.lines().filter(|line| line.contains("raw_module")) {
            for import in imports(line) {
                checked += 1;
                let known = names.binary_search(&import).is_ok();
                assert!(known, "{} binds ./{import}, which the package does not have", path.display());
            }
        }
    }
    assert!(checked > 0, "the search found raw_module");
}
