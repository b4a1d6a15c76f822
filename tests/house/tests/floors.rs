//! Every crate of the workspace has floors and no circle of files, and ARCHITECTURE.md's drawing of them is the tree.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a tree or a page that cannot be read must fail the test")]

use house::circles::circles;
use house::drawing::{Drawing, drawing};
use house::imports::{Imports, imports};
use house::tree::Tree;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const CRATES: [&str; 8] = ["rules", "fhir", "people", "store", "views", "service", "bench", "cluster"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn tree(name: &str) -> Tree {
    Tree::read(&root().join(name).join("src")).unwrap()
}

fn drawn(name: &str) -> Drawing {
    let page = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    drawing(&page, name).unwrap_or_else(|| panic!("ARCHITECTURE.md has no block \"```floors {name}\""))
}

fn path(module: &[String]) -> String {
    format!("{}.rs", module.join("/"))
}

#[test]
fn no_crate_has_a_circle_of_files() {
    let mut all = Vec::new();
    for name in CRATES {
        for circle in circles(&imports(&tree(name)).unwrap()) {
            let way: Vec<String> = circle.iter().map(|module| path(module)).collect();
            all.push(format!("{name}: {}", way.join(" → ")));
        }
    }
    assert!(all.is_empty(), "files that import each other in a circle:\n{}", all.join("\n"));
}

#[test]
fn every_file_imports_only_from_its_own_folder_and_from_floors_below() {
    let mut wrong = Vec::new();
    for name in CRATES {
        let (floors, imports) = (drawn(name), imports(&tree(name)).unwrap());
        for (from, to) in pairs(&imports) {
            let (Some((room, floor)), Some((other, below))) = (floors.room(from), floors.room(to)) else { continue };
            if room != other && below <= floor {
                let how = if below == floor { "beside it" } else { "above it" };
                wrong.push(format!("{name}: {} imports {}, {how}", path(from), path(to)));
            }
        }
    }
    assert!(wrong.is_empty(), "imports that do not go down:\n{}", wrong.join("\n"));
}

fn pairs(imports: &Imports) -> impl Iterator<Item = (&Vec<String>, &Vec<String>)> {
    imports.iter().flat_map(|(from, all)| all.iter().map(move |to| (from, to)))
}

#[test]
fn the_drawing_in_architecture_md_names_every_file_once_and_no_other() {
    for name in CRATES {
        let (floors, tree) = (drawn(name), tree(name));
        let there: BTreeSet<String> = tree.files.keys().map(|module| path(module)).collect();
        let drawn: BTreeSet<String> = floors.files.iter().map(|module| path(module)).collect();
        let missing: Vec<&String> = there.difference(&drawn).collect();
        let gone: Vec<&String> = drawn.difference(&there).collect();
        assert!(missing.is_empty() && gone.is_empty(), "{name}: not drawn {missing:?}; drawn and not there {gone:?}");
        assert_eq!(drawn.len(), floors.files.len(), "{name}: a file is drawn twice");
    }
}
