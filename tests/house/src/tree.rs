//! The source files of a crate, and the module that each of them is.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The files under a `src` by module: `["access", "clients"]` is `access/clients.rs`. The crate's own file is `["lib"]`
/// or `["main"]`. Files that hold only tests are left out.
#[derive(Debug, Default)]
pub struct Tree {
    pub files: BTreeMap<Vec<String>, PathBuf>,
}

impl Tree {
    /// Reads the names of all files.
    pub fn read(src: &Path) -> std::io::Result<Self> {
        let mut tree = Self::default();
        tree.add(src, &[])?;
        Ok(tree)
    }

    fn add(&mut self, folder: &Path, module: &[String]) -> std::io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let stem = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default().to_owned();
            let inner: Vec<String> = module.iter().cloned().chain([stem.clone()]).collect();
            if path.is_dir() {
                self.add(&path, &inner)?;
            } else if path.extension().is_some_and(|end| end == "rs") && stem != "tests" && !stem.ends_with("_tests") {
                self.files.insert(inner, path);
            }
        }
        Ok(())
    }

    /// The file that a path from the crate's root leads to: the longest beginning of it that is a file.
    #[must_use]
    pub fn find(&self, path: &[String]) -> Option<&Vec<String>> {
        (1..=path.len()).rev().find_map(|length| {
            let (known, _) = self.files.get_key_value(path.get(..length)?)?;
            Some(known)
        })
    }
}
