//! JSON laid out for people: a line for each member and each item.

/// Levels that are indented; what is deeper stands below the last of them, so that no text grows without bound.
const DEEPEST: usize = 12;

/// The text of compact JSON with lines and spaces.
#[must_use]
pub fn laid_out(compact: &str) -> String {
    let mut text = String::with_capacity(compact.len().saturating_mul(2));
    let (mut depth, mut is_inside, mut is_escaped) = (0_usize, false, false);
    let mut letters = compact.chars().peekable();
    while let Some(letter) = letters.next() {
        if is_inside {
            text.push(letter);
            is_inside = letter != '"' || is_escaped;
            is_escaped = letter == '\\' && !is_escaped;
            continue;
        }
        match letter {
            '{' | '[' => {
                text.push(letter);
                match letters.next_if(|next| matches!(next, '}' | ']')) {
                    Some(end) => text.push(end),
                    None => {
                        depth += 1;
                        line(&mut text, depth);
                    }
                }
            }
            '}' | ']' => {
                depth = depth.saturating_sub(1);
                line(&mut text, depth);
                text.push(letter);
            }
            ',' => {
                text.push(letter);
                line(&mut text, depth);
            }
            ':' => text.push_str(": "),
            _ => {
                is_inside = letter == '"';
                text.push(letter);
            }
        }
    }
    text.push('\n');
    text
}

fn line(text: &mut String, depth: usize) {
    text.push('\n');
    (0..depth.min(DEEPEST)).for_each(|_| text.push_str("  "));
}

#[cfg(test)]
mod tests {
    use super::laid_out;
    use crate::limits::Shape;
    use crate::strict;
    use proptest::prelude::*;

    const SHAPE: Shape = Shape { depth: 64, values: 1000 };

    #[test]
    fn every_member_has_a_line_and_texts_stay_as_they_are() {
        let text = laid_out(r#"{"a":[1.50,{}],"b":"x,{\"y\\","c":[]}"#);
        assert_eq!(text, "{\n  \"a\": [\n    1.50,\n    {}\n  ],\n  \"b\": \"x,{\\\"y\\\\\",\n  \"c\": []\n}\n");
    }

    proptest! {
        #[test]
        fn what_is_laid_out_is_the_same_json(text in "[\\[\\]{}\",:0-9a-z\\\\ é-]{0,40}") {
            if let Ok(compact) = strict::compact(&text, SHAPE) {
                prop_assert_eq!(strict::compact(&laid_out(&compact), SHAPE).unwrap(), compact);
            }
            let _either = laid_out(&text);
        }
    }
}
