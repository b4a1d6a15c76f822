//! The folder of one run, removed with all it holds when the run ends.

use super::trouble::Trouble;
use std::path::{Path, PathBuf};

/// It lies under target rather than in the system's temporary folder, because that is often memory, where a sync costs
/// nothing.
#[derive(Debug)]
pub(crate) struct Scratch(PathBuf);

impl Scratch {
    pub(crate) fn new() -> Result<Self, Trouble> {
        let target = std::env::current_exe()?.ancestors().nth(2).ok_or("this program lies in no folder")?.to_owned();
        let directory = target.join("bench").join(std::process::id().to_string());
        std::fs::create_dir_all(&directory)?;
        Ok(Self(directory))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed lies under target, which is anybody's to remove.
        let _left = std::fs::remove_dir_all(&self.0);
    }
}
