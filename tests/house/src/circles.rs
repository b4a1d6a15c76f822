//! Circles: files that import each other, directly or by way of others.

use crate::imports::Imports;
use std::collections::{BTreeMap, BTreeSet};

/// Every circle, as a way from a file back to itself: one for each set of files that reach each other.
#[must_use]
pub fn circles(imports: &Imports) -> Vec<Vec<Vec<String>>> {
    let mut named = BTreeSet::new();
    let mut circles = Vec::new();
    for start in imports.keys() {
        if named.contains(start) {
            continue;
        }
        if let Some(circle) = way_back(imports, start) {
            named.extend(circle.iter().cloned());
            circles.push(circle);
        }
    }
    circles
}

/// The shortest way from a file to itself.
fn way_back(imports: &Imports, start: &Vec<String>) -> Option<Vec<Vec<String>>> {
    let mut from: BTreeMap<&Vec<String>, &Vec<String>> = BTreeMap::new();
    let mut next: Vec<&Vec<String>> = vec![start];
    while !next.is_empty() {
        let mut after = Vec::new();
        for at in next {
            for to in imports.get(at).into_iter().flatten() {
                if to == start {
                    let mut way = vec![start.clone(), at.clone()];
                    let mut back = at;
                    while let Some(before) = from.get(back) {
                        way.push((*before).clone());
                        back = before;
                    }
                    way.reverse();
                    way.dedup();
                    return Some(way);
                }
                if to != at && !from.contains_key(to) {
                    from.insert(to, at);
                    after.push(to);
                }
            }
        }
        next = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(lines: &[(&str, &[&str])]) -> Imports {
        let name = |name: &str| vec![name.to_owned()];
        lines.iter().map(|(from, to)| (name(from), to.iter().map(|to| name(to)).collect())).collect()
    }

    #[test]
    fn files_that_import_each_other_are_a_circle_however_long_the_way() {
        let found = circles(&imports(&[("a", &["b"]), ("b", &["c"]), ("c", &["a", "d"]), ("d", &[])]));
        let found: Vec<String> = found.iter().map(|circle| circle.concat().concat()).collect();
        assert_eq!(found, ["abca"]);
    }

    #[test]
    fn files_that_share_what_is_below_them_are_none() {
        assert!(circles(&imports(&[("a", &["b", "c"]), ("b", &["d"]), ("c", &["d"]), ("d", &[])])).is_empty());
    }
}
