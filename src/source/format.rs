//! Formats of the data at an address: plain Zarr, or a system that says of Zarr keys where their bytes are.

/// First bytes of a folder's file, by the file's key, where they tell the folder's format.
pub const MARKS: [(&str, &[u8], Format); 2] = [
    ("repo", b"ICE\xf0\x9f\xa7\x8aCHUNK", Format::Icechunk),
    ("refs/branch.main/ref.json", b"{\"snapshot\"", Format::Icechunk),
];

/// Format of the data at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A hierarchy of Zarr, one key below the address for each of its things.
    Zarr,
    /// A JSON document of kerchunk's references.
    Kerchunk,
    /// A folder of Icechunk's, versions 1 and 2.
    Icechunk,
    /// A file of cfdb's.
    Cfdb,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Zarr, Self::Kerchunk, Self::Icechunk, Self::Cfdb];

    /// The format of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// The name that it is asked for by.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Zarr => "zarr",
            Self::Kerchunk => "kerchunk",
            Self::Icechunk => "icechunk",
            Self::Cfdb => "cfdb",
        }
    }

    /// Format that is likely at an address of this path beside plain Zarr, and is looked for there first.
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

    /// Whether it is one file that is written in place: where it was written anew, what was told of it before holds no more.
    #[must_use]
    pub fn is_written_in_place(self) -> bool {
        self == Self::Cfdb
    }

    /// Whether it is a folder, below which the addresses in it are.
    #[must_use]
    pub fn is_folder(self) -> bool {
        self == Self::Icechunk
    }
}
