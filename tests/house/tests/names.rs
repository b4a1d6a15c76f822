//! No two types of a crate have one name (rule 7).

use house::tree::Tree;
use house::types::types;
use std::collections::BTreeMap;
use std::path::Path;

const CRATES: [&str; 8] = ["rules", "fhir", "people", "store", "views", "service", "bench", "cluster"];

#[test]
fn no_two_types_of_a_crate_have_one_name() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut twice = Vec::new();
    for name in CRATES {
        let mut defined: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (module, file) in &Tree::read(&root.join(name).join("src")).unwrap().files {
            for named in types(&std::fs::read_to_string(file).unwrap()) {
                defined.entry(named.to_owned()).or_default().push(module.join("/"));
            }
        }
        assert!(!defined.is_empty(), "{name} defines no type");
        let several = defined.iter().filter(|(_, files)| files.len() > 1);
        twice.extend(several.map(|(named, files)| format!("{name}: {named} in {}", files.join(" and "))));
    }
    assert!(twice.is_empty(), "types of one name:\n{}", twice.join("\n"));
}
