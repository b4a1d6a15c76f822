//! The rules depend on nothing: no crate, no standard library, no clock, no I/O.

const MANIFEST: &str = include_str!("../Cargo.toml");
const ROOT: &str = include_str!("../src/lib.rs");

/// The headings and entries of a manifest, comments and blank lines left out.
fn lines(manifest: &str) -> impl Iterator<Item = &str> {
    manifest.lines().map(|line| line.split('#').next().unwrap_or_default().trim()).filter(|line| !line.is_empty())
}

/// What a manifest depends on when it is built for use, however that is written.
fn dependencies(manifest: &str) -> Vec<&str> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in lines(manifest) {
        match line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            Some(heading) => {
                let of_a_target = heading.starts_with("target.") && !heading.contains("dev-dependencies");
                let names_one = heading.starts_with("dependencies.") || heading.starts_with("build-dependencies.");
                inside = matches!(heading, "dependencies" | "build-dependencies") || of_a_target;
                found.extend(names_one.then_some(heading));
            }
            None if inside => found.push(line),
            None => {}
        }
    }
    found
}

#[test]
fn the_rules_have_no_dependency() {
    assert_eq!(dependencies(MANIFEST), [""; 0]);
}

#[test]
fn the_rules_are_no_std() {
    assert!(ROOT.lines().any(|line| line == "#![no_std]"));
    assert!(!ROOT.contains("extern crate std"));
}

#[test]
fn a_dependency_would_be_seen_in_any_of_its_spellings() {
    for manifest in [
        "[dependencies]\nserde = \"1\"",
        "[dependencies.serde]\nversion = \"1\"",
        "[build-dependencies]\ncc = \"1\"",
        "[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"",
    ] {
        assert_eq!(dependencies(manifest).len(), 1, "{manifest}");
    }
    assert_eq!(dependencies("[dependencies]\n# none\n[dev-dependencies]\nproptest = \"1\""), [""; 0]);
}
