//! Templates: `{{name}}` in a URL, replaced by the text of that name.

use std::collections::HashMap;

use crate::error::{Error, Result};
use crate::metadata::Json;

/// Most templates nested in each other: far beyond any use.
const DEEPEST: usize = 16;

/// Longest URL after replacement, in bytes: far beyond any use.
const LONGEST: usize = 64 << 10;

/// Most replacements in one URL. [`LONGEST`] does not bound them, because a template may be empty.
const MOST: usize = 16 << 10;

/// Texts of templates by name.
#[derive(Debug, Default)]
pub(super) struct Templates(HashMap<String, String>);

impl Templates {
    /// Parses the field `templates`; null gives none.
    pub(super) fn parse(json: Json<'_>) -> Result<Self> {
        if json.value().is_null() {
            return Ok(Self::default());
        }
        let mut templates = HashMap::new();
        for name in json.object()?.keys() {
            templates.insert(name.clone(), json.required(name)?.string()?.to_owned());
        }
        Ok(Self(templates))
    }

    /// Replaces the templates in a URL; `json` is where the URL stands, for errors.
    pub(super) fn applied(&self, url: &str, json: Json<'_>) -> Result<String> {
        if self.0.is_empty() {
            return Ok(url.to_owned());
        }
        let mut whole = String::new();
        self.append(url, &mut whole, 0, &mut 0, json)?;
        Ok(whole)
    }

    /// Appends a text with its templates replaced; counts the nesting depth and all replacements in the URL.
    fn append(
        &self,
        text: &str,
        whole: &mut String,
        depth: usize,
        replaced: &mut usize,
        json: Json<'_>,
    ) -> Result<()> {
        if depth > DEEPEST {
            return Err(json.invalid("the templates refer to each other in a circle"));
        }
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            whole.push_str(before);
            let Some((name, after)) = after.split_once("}}") else {
                return Err(json.invalid("{{ has no closing }}"));
            };
            let Some(value) = self.0.get(name.trim()) else {
                let known = self.0.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
                return Err(Error::Unsupported {
                    feature: format!("the template {{{{{name}}}}} at {}", json.pointer()),
                    reason: format!("expected the name of a template, one of: {known}"),
                });
            };
            *replaced += 1;
            if *replaced > MOST {
                return Err(json.invalid(format!("one URL uses more than {MOST} templates")));
            }
            self.append(value, whole, depth + 1, replaced, json)?;
            rest = after;
        }
        whole.push_str(rest);
        if whole.len() > LONGEST {
            return Err(json.invalid(format!("the templates expand to a URL of more than {LONGEST} bytes")));
        }
        Ok(())
    }
}
