//! The tests of the tree by the names that documents give them: a function of a Rust file, a title or a function of another.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// What is no source: what was built, and the packages of others.
const LEFT_OUT: [&str; 3] = ["target", "node_modules", "__pycache__"];

/// The files that can hold tests, by name: `smart_apps.rs`, `smart-app.test.mjs`, `test_proxy.py`.
#[derive(Debug, Default)]
pub struct TestFiles {
    by_name: BTreeMap<String, Vec<PathBuf>>,
}

impl TestFiles {
    /// Reads the names of all files under a folder.
    pub fn read(root: &Path) -> io::Result<Self> {
        let mut files = Self::default();
        files.add(root)?;
        Ok(files)
    }

    fn add(&mut self, folder: &Path) -> io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let entry = entry?;
            let (path, name) = (entry.path(), entry.file_name().to_string_lossy().into_owned());
            if entry.file_type()?.is_dir() {
                if !name.starts_with('.') && !LEFT_OUT.contains(&name.as_str()) {
                    self.add(&path)?;
                }
            } else if [".rs", ".mjs", ".py"].iter().any(|end| name.ends_with(end)) {
                self.by_name.entry(name).or_default().push(path);
            }
        }
        Ok(())
    }

    /// Whether there is such a test; a file without an ending is one of Rust.
    pub fn has(&self, file: &str, test: &str) -> io::Result<bool> {
        let name = if file.contains('.') { file.to_owned() } else { format!("{file}.rs") };
        for path in self.by_name.get(&name).into_iter().flatten() {
            let source = std::fs::read_to_string(path)?;
            let is_there = match name.rsplit_once('.') {
                Some((_, "rs")) => is_in_rust(&source, test),
                Some((_, "py")) => source.contains(&format!("def {test}(self")),
                _ => source.replace("\\'", "'").contains(&format!("test('{test}',")),
            };
            if is_there {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Whether a function of this name is marked as a test.
fn is_in_rust(source: &str, test: &str) -> bool {
    let begins = format!("fn {test}(");
    let lines: Vec<&str> = source.lines().map(str::trim).collect();
    lines.iter().enumerate().any(|(at, line)| {
        let mut marks = lines.iter().take(at).rev().take_while(|line| line.starts_with("#["));
        line.strip_prefix("async ").unwrap_or(line).starts_with(&begins)
            && marks.any(|mark| ["#[test]", "#[tokio::test]"].contains(mark))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_test_is_a_function_that_is_marked_and_no_other() {
        let source =
            "async fn helper() {}\n    #[test]\n    #[expect(x)]\n    fn one() {}\n#[tokio::test]\nasync fn two() {}\n";
        assert_eq!(
            ["one", "two", "helper", "on", "three"].map(|name| is_in_rust(source, name)),
            [true, true, false, false, false]
        );
    }

    #[test]
    fn this_file_is_found_with_its_tests() {
        let files = TestFiles::read(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert!(files.has("test_files", "this_file_is_found_with_its_tests").unwrap());
        assert!(!files.has("test_files", "has").unwrap() && !files.has("no_file", "has").unwrap());
    }
}
