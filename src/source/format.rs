//! Formats of the data at an address: plain Zarr, or a virtual store that maps Zarr keys to byte ranges.

/// Signatures of formats: a file's key, its first bytes, and the format of the folder that has it.
pub const MARKS: [(&str, &[u8], Format); 2] = [
    ("repo", b"ICE\xf0\x9f\xa7\x8aCHUNK", Format::Icechunk),
    ("refs/branch.main/ref.json", b"{\"snapshot\"", Format::Icechunk),
];

/// Format of the data at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A plain Zarr hierarchy: one key below the address for each document and each chunk.
    Zarr,
    /// A JSON document of kerchunk references.
    Kerchunk,
    /// An Icechunk repository: a folder, versions 1 and 2.
    Icechunk,
    /// A cfdb file.
    Cfdb,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Zarr, Self::Kerchunk, Self::Icechunk, Self::Cfdb];

    /// The format of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Name of the format in options.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Zarr => "zarr",
            Self::Kerchunk => "kerchunk",
            Self::Icechunk => "icechunk",
            Self::Cfdb => "cfdb",
        }
    }

    /// Format that the ending of an address's path suggests, to be looked for first; `None` for plain Zarr.
    #[must_use]
    pub fn likely_at(path: &str) -> Option<Self> {
        let name = path.trim_end_matches('/');
        match name.rsplit_once('.')?.1 {
            "json" if name == path => Some(Self::Kerchunk),
            "icechunk" => Some(Self::Icechunk),
            "cfdb" if name == path => Some(Self::Cfdb),
            _ => None,
        }
    }

    /// Whether the format is one file that is written in place, so that a new version of it outdates all that was read.
    #[must_use]
    pub fn is_written_in_place(self) -> bool {
        self == Self::Cfdb
    }

    /// Whether the format is a folder, to which the addresses in it are relative.
    #[must_use]
    pub fn is_folder(self) -> bool {
        self == Self::Icechunk
    }
}
