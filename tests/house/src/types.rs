//! The types that a source defines.

/// The names of its structs, enums, traits and type aliases; those inside of blocks and of tests do not count.
#[must_use]
pub fn types(source: &str) -> Vec<&str> {
    let code = source.split("\n#[cfg(test)]\nmod ").next().unwrap_or_default();
    code.lines().filter_map(defined).collect()
}

fn defined(line: &str) -> Option<&str> {
    let line = match line.strip_prefix("pub(") {
        Some(rest) => rest.split_once(") ")?.1,
        None => line.strip_prefix("pub ").unwrap_or(line),
    };
    let words = ["struct ", "enum ", "trait ", "type "];
    let rest = words.iter().find_map(|word| line.strip_prefix(word))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_count_whatever_their_visibility_and_others_do_not() {
        let source = "pub struct A;\npub(crate) enum B<'a> {\n    type Target = u8;\n}\ntrait C: D {}\ntype E = u8;\n\
                      fn f() {}\n\n#[cfg(test)]\nmod tests {\nstruct F;\n}";
        assert_eq!(types(source), ["A", "B", "C", "E"]);
    }
}
