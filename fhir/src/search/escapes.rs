//! The characters that part values (`,`, `$`, `|`), and the backslash that takes this meaning from them.

/// The parts between unescaped separators, still escaped.
pub(crate) fn split(text: &str, separator: char) -> Vec<&str> {
    let mut escaped = false;
    text.split(|c: char| {
        let parts = c == separator && !escaped;
        escaped = c == '\\' && !escaped;
        parts
    })
    .collect()
}

/// The text without its escapes. A backslash before any other character is itself.
pub(crate) fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let escaped = if c == '\\' { characters.next_if(|next| matches!(next, ',' | '$' | '|' | '\\')) } else { None };
        plain.push(escaped.unwrap_or(c));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backslash_takes_the_meaning_from_a_separator() {
        assert_eq!(split(r"a\,b,c\\,d", ','), [r"a\,b", r"c\\", "d"]);
        assert_eq!(split("", ','), [""]);
        assert_eq!(plain(r"a\,b\\\|\$\n"), r"a,b\|$\n");
    }
}
