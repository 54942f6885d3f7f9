//! Every malformed array is refused with the error, the place and the words that it deserves, and nothing panics.

use crate::support::{Stored, cases, text};
use rectilinear_zarr::{Error, Result};

#[test]
fn every_broken_array_is_refused_with_its_name_and_place() {
    let mut wrong = Vec::new();
    for case in [
        "broken.json",
        "broken-dtypes.json",
        "broken-filters.json",
        "broken-grids.json",
        "broken-objects.json",
        "broken-v2.json",
    ]
    .into_iter()
    .flat_map(cases)
    {
        let name = text(&case, "name");
        let error = match refusal(&case) {
            Ok(()) => {
                wrong.push(format!("{name}: was read"));
                continue;
            }
            Err(error) => error,
        };
        let message = error.to_string();
        if error.name() != text(&case, "error") {
            wrong.push(format!("{name}: {} instead of {}: {message}", error.name(), case["error"]));
        }
        for mention in case["mentions"].as_array().expect("mentions") {
            let mention = mention.as_str().expect("a mention is text");
            if !message.to_lowercase().contains(&mention.to_lowercase()) {
                wrong.push(format!("{name}: {mention:?} is not in {message:?}"));
            }
        }
        if let Error::InvalidMetadata { path, .. } = &error {
            let fields = &case["fields"];
            let exact = fields["path"].as_str().is_none_or(|expected| expected == path);
            let within = fields["pathPrefix"].as_str().is_none_or(|prefix| path.starts_with(prefix));
            if !exact || !within {
                wrong.push(format!("{name}: at {path:?} instead of {fields}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Opens and reads; a broken chunk must leave the array as it was.
fn refusal(case: &serde_json::Value) -> Result<()> {
    let stored = Stored::case(case)?;
    let error = stored.get(&[]).map(|_| ());
    let again = stored.get(&[]).map(|_| ());
    assert_eq!(error, again, "{case}");
    error
}
