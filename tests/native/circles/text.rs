//! Just enough of Rust's grammar to find what a file imports.

use std::ops::Range;

/// A `use` item.
pub struct Use {
    pub is_public: bool,
    pub tree: String,
    pub range: Range<usize>,
}

/// A text with blanks in place of comments, strings and letters; every other byte keeps its place.
pub fn blanked(text: &str) -> String {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text;
    while !rest.is_empty() {
        let length = literal(rest, out.last().copied());
        let taken = length.unwrap_or_else(|| rest.chars().next().map_or(1, char::len_utf8));
        let (now, after) = rest.split_at(taken);
        out.extend(now.bytes().map(|byte| if length.is_some() && byte != b'\n' { b' ' } else { byte }));
        rest = after;
    }
    String::from_utf8(out).unwrap()
}

/// Bytes of the comment or literal that a text begins with.
fn literal(text: &str, before: Option<u8>) -> Option<usize> {
    let is_in_name = before.is_some_and(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let raw = text.strip_prefix('b').unwrap_or(text);
    if let Some(raw) = raw.strip_prefix('r').filter(|raw| !is_in_name && raw.starts_with(['#', '"'])) {
        let hashes = raw.bytes().take_while(|byte| *byte == b'#').count();
        if raw[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let content = &raw[hashes + 1..];
            return Some(text.len() - content.len() + content.find(&end).unwrap() + end.len());
        }
    }
    let mut letters = text.char_indices();
    match letters.next()?.1 {
        '"' => {
            while let Some((at, letter)) = letters.next() {
                match letter {
                    '"' => return Some(at + 1),
                    '\\' => drop(letters.next()),
                    _ => {}
                }
            }
            None
        }
        // A letter in quotes, not a lifetime.
        '\'' if text[1..].starts_with('\\') => text[3..].find('\'').map(|at| at + 4),
        '\'' => {
            letters.next()?;
            letters.next().filter(|(_, letter)| *letter == '\'').map(|(at, _)| at + 1)
        }
        _ => None,
    }
}

/// Every `use` item of a blanked text.
pub fn uses(text: &str) -> Vec<Use> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim_start();
        let public = code.strip_prefix("pub").map(|rest| match rest.strip_prefix('(') {
            Some(rest) => rest.split_once(')').map_or(rest, |(_, rest)| rest).trim_start(),
            None => rest.trim_start(),
        });
        let tree = public.unwrap_or(code).strip_prefix("use ");
        if let Some(tree) = tree.filter(|_| !text[..start].trim_end().ends_with("//")) {
            let at = start + line.len() - tree.len();
            let end = at + text[at..].find(';').unwrap();
            found.push(Use {
                is_public: public.is_some(),
                tree: text[at..end].to_owned(),
                range: start..end,
            });
        }
        start += line.len();
    }
    found
}

/// The paths that a `use` tree names, each with the name that it has from then on.
pub fn leaves(tree: &str) -> Vec<(Vec<String>, String)> {
    let tree = tree.trim();
    if let Some((prefix, list)) = tree.split_once('{') {
        let prefix: Vec<String> =
            prefix.split("::").map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned).collect();
        let list = list.strip_suffix('}').unwrap();
        let (mut depth, mut from, mut found) = (0, 0, Vec::new());
        for (at, letter) in list.char_indices().chain([(list.len(), ',')]) {
            depth += i32::from(letter == '{') - i32::from(letter == '}');
            if letter == ',' && depth == 0 {
                if !list[from..at].trim().is_empty() {
                    found.extend(leaves(&list[from..at]));
                }
                from = at + 1;
            }
        }
        return found.into_iter().map(|(path, name)| ([prefix.clone(), path].concat(), name)).collect();
    }
    let (path, name) = tree.split_once(" as ").map_or((tree, None), |(path, name)| (path, Some(name)));
    let mut path: Vec<String> = path.split("::").map(|part| part.trim().to_owned()).collect();
    if path.len() > 1 && path.last().is_some_and(|last| last == "self") {
        path.pop();
    }
    let name = name.map_or_else(|| path.last().unwrap().clone(), |name| name.trim().to_owned());
    vec![(path, name)]
}

/// Every path of two parts or more in a blanked text, with its place, those after `pub(in ` left out.
pub fn paths(text: &str) -> Vec<(Vec<String>, usize)> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut found = Vec::new();
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        let length = rest.find(|letter: char| !is_name(letter)).unwrap_or(rest.len());
        if length == 0 {
            at += rest.chars().next().map_or(1, char::len_utf8);
            continue;
        }
        let mut path = vec![rest[..length].to_owned()];
        let mut end = at + length;
        while let Some(after) = text[end..].strip_prefix("::").filter(|after| after.starts_with(is_name)) {
            let length = after.find(|letter: char| !is_name(letter)).unwrap_or(after.len());
            path.push(after[..length].to_owned());
            end += 2 + length;
        }
        let before = &text[..at];
        if path.len() > 1 && !before.ends_with("::") && !before.ends_with("pub(in ") && !before.ends_with('.')
        {
            found.push((path, at));
        }
        at = end;
    }
    found
}

/// Where the modules lie that are written out in a file.
pub fn inline_modules(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.trim();
        if code.trim_start_matches("pub ").starts_with("mod ") && code.ends_with('{') {
            let indent = &line[..line.len() - line.trim_start().len()];
            let end = text[start..].find(&format!("\n{indent}}}")).map_or(text.len(), |end| start + end);
            found.push(start..end);
        }
        start += line.len();
    }
    found
}
