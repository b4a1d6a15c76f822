//! The paths of a source text: each `crate::…`, `super::…` and `self::…`, and what a `use` names otherwise.

/// All paths that a source names, as lists of their parts, with groups taken apart: `a::{b, c::d}` is two paths.
/// Comments, texts and the tests at the end of a file do not count.
#[must_use]
pub fn paths(source: &str) -> Vec<Vec<String>> {
    let code = code(source);
    let mut found = Vec::new();
    let mut rest = code.as_str();
    let mut before = ' ';
    while let Some(c) = rest.chars().next() {
        let starts = !is_part_of_word(before) && before != ':';
        let used = rest.strip_prefix("use ").filter(|_| starts);
        if let Some(tree) = used {
            let end = tree.find(';').unwrap_or(tree.len());
            expand(tree.get(..end).unwrap_or_default(), &[], &mut found);
            rest = tree.get(end..).unwrap_or_default();
            before = ' ';
            continue;
        }
        let rooted = starts && ["crate::", "super::", "self::"].iter().any(|root| rest.starts_with(root));
        if rooted {
            let end = rest.find(|c: char| !is_part_of_word(c) && c != ':').unwrap_or(rest.len());
            let path = rest.get(..end).unwrap_or_default();
            found.push(path.split("::").filter(|part| !part.is_empty()).map(String::from).collect());
            rest = rest.get(end..).unwrap_or_default();
            before = 'x';
            continue;
        }
        before = c;
        rest = rest.get(c.len_utf8()..).unwrap_or_default();
    }
    found
}

fn is_part_of_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// A source without its comments, its texts and its tests.
fn code(source: &str) -> String {
    let source = source.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    let mut code = String::with_capacity(source.len());
    let mut chars = source.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '/' if chars.peek() == Some(&'/') => {
                let _comment = chars.by_ref().find(|c| *c == '\n');
                code.push('\n');
            }
            '"' => {
                let mut escaped = false;
                let _text = chars.by_ref().find(|c| {
                    let ends = *c == '"' && !escaped;
                    escaped = *c == '\\' && !escaped;
                    ends
                });
            }
            // A quotation mark as a character is no beginning of a text.
            '\'' if chars.peek() == Some(&'"') => {
                chars.next();
            }
            c => code.push(c),
        }
    }
    code
}

/// Takes a tree of names apart.
fn expand(tree: &str, before: &[String], found: &mut Vec<Vec<String>>) {
    let tree = tree.trim();
    if let Some((head, group)) = tree.split_once('{') {
        let mut path = before.to_vec();
        path.extend(parts(head));
        let group = group.strip_suffix('}').unwrap_or(group);
        for member in members(group) {
            expand(member, &path, found);
        }
        return;
    }
    let tree = tree.split(" as ").next().unwrap_or_default();
    let mut path = before.to_vec();
    path.extend(parts(tree).filter(|part| part != "self" || before.is_empty()));
    if !path.is_empty() {
        found.push(path);
    }
}

fn parts(path: &str) -> impl Iterator<Item = String> + '_ {
    path.split("::").map(str::trim).filter(|part| !part.is_empty() && *part != "*").map(String::from)
}

/// The members of a group, separated by commas outside of groups within it.
fn members(group: &str) -> Vec<&str> {
    let (mut depth, mut start, mut found) = (0, 0, Vec::new());
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.extend(group.get(start..at));
                start = at + 1;
            }
            _ => {}
        }
    }
    found.extend(group.get(start..));
    found.into_iter().filter(|member| !member.trim().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(source: &str) -> Vec<String> {
        paths(source).iter().map(|path| path.join("::")).collect()
    }

    #[test]
    fn groups_are_taken_apart_and_other_names_are_left_out() {
        let source = "use crate::a::{self, b::{C, d}, E as F};\npub(crate) use child::Thing;\nuse super::g::*;";
        assert_eq!(
            found(source),
            ["crate::a", "crate::a::b::C", "crate::a::b::d", "crate::a::E", "child::Thing", "super::g"]
        );
    }

    #[test]
    fn paths_in_code_count_and_those_in_comments_texts_and_tests_do_not() {
        let source = "// crate::no\nfn f() { crate::yes::g(); let t = \"crate::no \\\" crate::no\"; $crate::too!() }\n\
                      #[cfg(test)]\nmod tests { use crate::no; }";
        assert_eq!(found(source), ["crate::yes::g", "crate::too"]);
    }

    #[test]
    fn a_path_in_the_middle_of_another_is_not_one_by_itself() {
        assert_eq!(found("other_crate::a::b(); x::super::y();"), Vec::<String>::new());
    }
}
