//! Text of original files, which say seldom how it is encoded.

/// The text of bytes: UTF-8, or else Latin-1, which older files have.
pub(crate) fn text_of(bytes: &[u8]) -> String {
    let latin = || bytes.iter().map(|byte| char::from(*byte)).collect();
    std::str::from_utf8(bytes).map_or_else(|_| latin(), str::to_owned)
}
