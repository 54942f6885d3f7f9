//! Which file of the crate imports which, by the text of `use` items and of paths in code.
//!
//! A name that a module re-exports counts as the file that defines it, so that a parent which only declares and
//! re-exports takes no part. Paths of other crates, and of types' own methods, do not count.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::text::{blanked, inline_modules, leaves, paths, uses};

/// Module path of a file: `["codec", "zstd"]`.
type Module = Vec<String>;

/// The files of a crate and what they say of each other.
pub struct Graph {
    /// By module path: file name, and text without comments and literals.
    files: BTreeMap<Module, (String, String)>,
    /// Names that modules re-export, each with the path it comes from.
    exports: BTreeMap<Module, Vec<(String, Module)>>,
}

impl Graph {
    /// The graph of all Rust files below a folder, apart from those whose names begin with one of `without`.
    pub fn of(root: &Path, without: &[&str]) -> Self {
        let mut files = BTreeMap::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
                if without.iter().any(|prefix| name.starts_with(prefix)) {
                    continue;
                }
                if path.is_dir() {
                    folders.push(path);
                } else if let Some(module) = name.strip_suffix(".rs") {
                    let mut module: Module = module.split('/').map(str::to_owned).collect();
                    if module.last().is_some_and(|last| last == "mod" || last == "lib") {
                        module.pop();
                    }
                    let text = blanked(&std::fs::read_to_string(path).unwrap());
                    files.insert(module, (name, text));
                }
            }
        }
        assert!(files.len() > 10, "the walk found the source");
        let mut graph = Self { files, exports: BTreeMap::new() };
        graph.exports = graph
            .files
            .iter()
            .map(|(module, (_, text))| (module.clone(), graph.exported(module, text)))
            .collect();
        graph
    }

    fn exported(&self, module: &Module, text: &str) -> Vec<(String, Module)> {
        let mut found = Vec::new();
        for item in uses(text).into_iter().filter(|item| item.is_public) {
            for (path, name) in leaves(&item.tree) {
                if let Some(path) = self.absolute(module, &path, false) {
                    found.push((name, path));
                }
            }
        }
        found
    }

    /// A path from the crate's root; nothing where it begins with another crate or a name in scope.
    fn absolute(&self, module: &Module, path: &[String], is_inline: bool) -> Option<Module> {
        let (first, mut rest) = path.split_first()?;
        let mut base = match first.as_str() {
            "crate" => Vec::new(),
            "self" => module.clone(),
            "super" => {
                let mut base = module.clone();
                // `super` of a module within the file is the file's own.
                if !is_inline {
                    base.pop();
                }
                while rest.first().is_some_and(|next| next == "super") {
                    base.pop();
                    rest = &rest[1..];
                }
                base
            }
            _ => {
                let child = [module.as_slice(), &path[..1]].concat();
                return self.files.contains_key(&child).then(|| [module.as_slice(), path].concat());
            }
        };
        base.extend_from_slice(rest);
        Some(base)
    }

    /// The module whose file defines what is at a path of the crate.
    fn definer(&self, path: &[String], depth: usize) -> Option<Module> {
        let is_module = |length: &usize| self.files.contains_key(&path[..*length]);
        let length = (1..=path.len()).take_while(is_module).last().unwrap_or(0);
        let (module, rest) = path.split_at(length);
        if let (Some(name), true) = (rest.first(), depth < 9) {
            let export = self.exports.get(module)?.iter().find(|(exported, _)| exported == name);
            if let Some((_, from)) = export {
                return self.definer(&[from.as_slice(), &rest[1..]].concat(), depth + 1);
            }
        }
        self.files.contains_key(module).then(|| module.to_vec())
    }

    /// The files that each file imports.
    pub fn edges(&self) -> BTreeMap<&str, BTreeSet<&str>> {
        self.files.iter().map(|(module, (name, text))| (name.as_str(), self.imports(module, text))).collect()
    }

    fn imports(&self, module: &Module, text: &str) -> BTreeSet<&str> {
        let inline = inline_modules(text);
        let is_inline = |at: usize| inline.iter().any(|range| range.contains(&at));
        let mut found = BTreeSet::new();
        let mut add = |path: &[String], at: usize| {
            let definer = self.absolute(module, path, is_inline(at)).and_then(|path| self.definer(&path, 0));
            if let Some(definer) = definer.filter(|definer| definer != module && !definer.is_empty()) {
                found.insert(self.files[&definer].0.as_str());
            }
        };
        let items = uses(text);
        for item in &items {
            for (path, _) in leaves(&item.tree) {
                // What a module re-exports of its own children, it does not use.
                let is_own = self.absolute(module, &path, false).is_some_and(|path| path.starts_with(module));
                if !(item.is_public && is_own) {
                    add(&path, item.range.start);
                }
            }
        }
        for (path, at) in paths(text) {
            if !items.iter().any(|item| item.range.contains(&at)) {
                add(&path, at);
            }
        }
        found
    }
}

/// The groups of files that import each other, each in order: what can be reached both ways.
pub fn circles(edges: &BTreeMap<&str, BTreeSet<&str>>) -> Vec<BTreeSet<String>> {
    let reached = |from: &str| {
        let (mut found, mut rest) = (BTreeSet::new(), vec![from.to_owned()]);
        while let Some(file) = rest.pop() {
            for next in edges.get(file.as_str()).into_iter().flatten() {
                if found.insert((*next).to_owned()) {
                    rest.push((*next).to_owned());
                }
            }
        }
        found
    };
    let all: BTreeMap<String, BTreeSet<String>> =
        edges.keys().map(|file| ((*file).to_owned(), reached(file))).collect();
    let mut circles: Vec<BTreeSet<String>> = Vec::new();
    for (file, there) in all.iter().filter(|(file, there)| there.contains(*file)) {
        let circle: BTreeSet<String> =
            there.iter().filter(|other| all[*other].contains(file)).cloned().collect();
        if !circles.contains(&circle) {
            circles.push(circle);
        }
    }
    circles
}
