//! Which file of a crate imports which.

use crate::paths::paths;
use crate::tree::Tree;
use std::collections::{BTreeMap, BTreeSet};

/// The modules that each module imports from; itself left out.
pub type Imports = BTreeMap<Vec<String>, BTreeSet<Vec<String>>>;

/// Reads the imports of every file.
pub fn imports(tree: &Tree) -> std::io::Result<Imports> {
    let mut imports = Imports::new();
    for (module, file) in &tree.files {
        let source = std::fs::read_to_string(file)?;
        let named = paths(&source).into_iter().filter_map(|path| from_root(tree, module, &path));
        let found = named.filter_map(|path| tree.find(&path).cloned()).filter(|found| found != module);
        imports.insert(module.clone(), found.collect());
    }
    Ok(imports)
}

/// A path as it is from the crate's root; `None` where it leads out of the crate.
fn from_root(tree: &Tree, module: &[String], path: &[String]) -> Option<Vec<String>> {
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "self" => Some([module, rest].concat()),
        "super" => {
            let ups = path.iter().take_while(|part| *part == "super").count();
            let above = module.get(..module.len().checked_sub(ups)?)?;
            Some([above, path.get(ups..)?].concat())
        }
        // A folder's own file names what is in the folder without saying where.
        _ => {
            let inside = match module {
                [only] if only == "lib" || only == "main" => path.to_vec(),
                _ => [module, path].concat(),
            };
            let child = inside.get(..inside.len() - path.len() + 1)?;
            tree.files.contains_key(child).then_some(inside)
        }
    }
}
