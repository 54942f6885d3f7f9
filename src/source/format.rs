//! Formats of the data at an address: plain Zarr, or a virtual store that maps Zarr keys to byte ranges.

/// Signatures of formats: a file's key, its first bytes, and the format of the folder that has it.
pub const MARKS: [(&str, &[u8], Format); 3] = [
    (".zmetadata", b"{", Format::KerchunkFolder),
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
    /// A folder of kerchunk references in Parquet.
    KerchunkFolder,
    /// An Icechunk repository: a folder, versions 1 and 2.
    Icechunk,
    /// A cfdb file.
    Cfdb,
}

impl Format {
    /// Formats that callers name.
    pub const NAMED: [Self; 4] = [Self::Zarr, Self::Kerchunk, Self::Icechunk, Self::Cfdb];

    /// The format of a caller's name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.into_iter().find(|format| format.name() == name)
    }

    /// Formats that a format at an address's path may have, the likelier one first.
    #[must_use]
    pub fn forms(self, path: &str) -> Vec<Self> {
        match (self, Self::likely_at(path)) {
            (Self::Kerchunk, Some(Self::Kerchunk)) => vec![Self::Kerchunk],
            (Self::Kerchunk, None) if !path.ends_with('/') => vec![Self::Kerchunk, Self::KerchunkFolder],
            (Self::Kerchunk, _) => vec![Self::KerchunkFolder, Self::Kerchunk],
            _ => vec![self],
        }
    }

    /// Name of the format in options, and of its index in the module of virtual stores.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Zarr => "zarr",
            Self::Kerchunk => "kerchunk",
            Self::KerchunkFolder => "kerchunk-folder",
            Self::Icechunk => "icechunk",
            Self::Cfdb => "cfdb",
        }
    }

    /// Format that the ending of an address's path suggests, to be looked for first; `None` for plain Zarr.
    #[must_use]
    pub fn likely_at(path: &str) -> Option<Self> {
        let name = path.trim_end_matches('/');
        let (stem, extension) = name.rsplit_once('.')?;
        match extension {
            "json" if name == path => Some(Self::Kerchunk),
            "zst" | "zstd" if name == path && stem.ends_with(".json") => Some(Self::Kerchunk),
            "parq" | "parquet" => Some(Self::KerchunkFolder),
            "icechunk" => Some(Self::Icechunk),
            "cfdb" if name == path => Some(Self::Cfdb),
            _ => None,
        }
    }

    /// Whether an address is that of a file that Icechunk repositories may do without: version 1 has no `repo`, and not
    /// every one has a configuration.
    #[must_use]
    pub fn may_lack(address: &str) -> bool {
        address
            .split('?')
            .next()
            .is_some_and(|path| path.ends_with("/repo") || path.ends_with("/config.yaml"))
    }

    /// Whether the format is one file that is written in place, so that a new version of it outdates all that was read.
    #[must_use]
    pub fn is_written_in_place(self) -> bool {
        self == Self::Cfdb
    }

    /// Whether the format is a folder, to which the addresses in it are relative.
    #[must_use]
    pub fn is_folder(self) -> bool {
        matches!(self, Self::Icechunk | Self::KerchunkFolder)
    }
}
