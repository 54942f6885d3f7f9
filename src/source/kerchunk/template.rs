//! Templates: names that stand for parts of URLs, `{{name}}`.

use std::collections::HashMap;

use crate::error::{Error, Result};
use crate::metadata::Json;

/// How deep templates may be in templates, and how long what comes of them may be: far beyond any use.
const DEEPEST: usize = 16;
const LONGEST: usize = 64 << 10;

/// How many names may be replaced in one URL: each may stand for nothing, and no length tells then.
const MOST: usize = 16 << 10;

/// Names and what they stand for.
#[derive(Debug, Default)]
pub(super) struct Templates(HashMap<String, String>);

impl Templates {
    /// The templates of a document, if it has any.
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

    /// A URL, which stands at this place, with the names in it replaced.
    pub(super) fn applied(&self, url: &str, json: Json<'_>) -> Result<String> {
        if self.0.is_empty() {
            return Ok(url.to_owned());
        }
        let mut whole = String::new();
        self.append(url, &mut whole, (0, &mut 0), json)?;
        Ok(whole)
    }

    /// Appends a text of a template so deep in others, after so many replaced names.
    fn append(
        &self,
        text: &str,
        whole: &mut String,
        (depth, replaced): (usize, &mut usize),
        json: Json<'_>,
    ) -> Result<()> {
        if depth > DEEPEST {
            return Err(json.invalid("the templates refer to each other in a circle"));
        }
        let mut rest = text;
        while let Some((before, after)) = rest.split_once("{{") {
            whole.push_str(before);
            let Some((name, after)) = after.split_once("}}") else {
                return Err(json.invalid("{{ is not closed"));
            };
            let Some(value) = self.0.get(name.trim()) else {
                let known = self.0.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
                return Err(Error::Unsupported {
                    feature: format!("the template {{{{{name}}}}} at {}", json.pointer()),
                    reason: format!("names of templates are read, and there are {known}"),
                });
            };
            *replaced += 1;
            if *replaced > MOST {
                return Err(json.invalid(format!("more than {MOST} templates are in one URL")));
            }
            self.append(value, whole, (depth + 1, replaced), json)?;
            rest = after;
        }
        whole.push_str(rest);
        if whole.len() > LONGEST {
            return Err(json.invalid(format!("the templates make a URL of more than {LONGEST} bytes")));
        }
        Ok(())
    }
}
