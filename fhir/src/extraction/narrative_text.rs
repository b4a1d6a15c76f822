//! The text of a narrative's `div`: tags and comments are gaps between words, and references to characters are the characters.

/// A piece of a markup: characters, or what is inside of a tag or a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkupPart<'m> {
    Characters(&'m str),
    Tag(&'m str),
    Comment(&'m str),
}

/// The text between the tags, as it is searched for. What is no sound markup ends it; nothing of the kind is ever stored.
#[must_use]
pub fn text(markup: &str) -> String {
    let mut text = String::with_capacity(markup.len());
    for part in parts(markup) {
        match part {
            MarkupPart::Characters(words) => characters(words, &mut text),
            MarkupPart::Tag(_) | MarkupPart::Comment(_) => text.push(' '),
        }
    }
    text
}

/// The pieces of a markup one after another, as far as it is sound.
pub fn parts(markup: &str) -> impl Iterator<Item = MarkupPart<'_>> {
    let mut rest = markup;
    std::iter::from_fn(move || {
        if let Some(comment) = rest.strip_prefix("<!--") {
            let (inside, behind) = comment.split_once("-->").unwrap_or((comment, ""));
            rest = behind;
            return Some(MarkupPart::Comment(inside));
        }
        if let Some(tag) = rest.strip_prefix('<') {
            let behind = behind_tag(tag);
            let inside = tag.strip_suffix(behind).unwrap_or(tag);
            rest = behind;
            return Some(MarkupPart::Tag(inside.strip_suffix('>').unwrap_or(inside)));
        }
        let (words, behind) = rest.split_at_checked(rest.find('<').unwrap_or(rest.len()))?;
        rest = behind;
        (!words.is_empty()).then_some(MarkupPart::Characters(words))
    })
}

/// What follows a tag. An attribute may have the sign in it that ends a tag.
fn behind_tag(tag: &str) -> &str {
    let mut quote = None;
    let end = tag.char_indices().find(|(_, c)| {
        match quote {
            Some(open) if open == *c => quote = None,
            None if matches!(c, '"' | '\'') => quote = Some(*c),
            _ => {}
        }
        quote.is_none() && *c == '>'
    });
    end.and_then(|(at, _)| tag.get(at + 1..)).unwrap_or_default()
}

/// Adds words, with what their references to characters stand for.
fn characters(words: &str, text: &mut String) {
    let mut parts = words.split('&');
    text.push_str(parts.next().unwrap_or_default());
    for part in parts {
        match part.split_once(';') {
            Some((name, rest)) => {
                character(name, text);
                text.push_str(rest);
            }
            None => text.push_str(part),
        }
    }
}

/// Signs over, under and through letters, as the names of characters have them behind the letter.
const ACCENTS: [&str; 8] = ["acute", "grave", "circ", "uml", "tilde", "ring", "cedil", "slash"];

/// Adds the character of this name or number. Of a letter with an accent the letter is enough: words are compared without
/// accents. What has another name is no letter, and parts words.
fn character(name: &str, text: &mut String) {
    if let Some(number) = name.strip_prefix('#') {
        let code = match number.strip_prefix('x') {
            Some(hex) => u32::from_str_radix(hex, 16),
            None => number.parse(),
        };
        text.push(code.ok().and_then(char::from_u32).unwrap_or(' '));
        return;
    }
    let letters = match name {
        "apos" | "rsquo" | "lsquo" => "'",
        "szlig" => "ss",
        _ => {
            let with_accent = ACCENTS.iter().find_map(|accent| name.strip_suffix(accent));
            with_accent.or_else(|| name.strip_suffix("lig")).unwrap_or(" ")
        }
    };
    text.push_str(letters);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::folding::fold;

    #[test]
    fn words_are_what_stands_between_tags_and_comments() {
        for (markup, words) in [
            ("<div>Chest pain<br/>for <b>two</b>days</div>", "chest pain for two days"),
            ("<div title='a > b' lang=\"de\">x<!-- <b>not this</b> -->y</div>", "x y"),
            (
                "<div>Fran&ccedil;ois &amp; M&#252;ller&#x2019;s caf&eacute;&nbsp;&AElig;r&oslash;</div>",
                "francois mullers cafe aero",
            ),
            ("<div>5 &lt; 6 &unknown; Stra&szlig;e &#x110000;&#xZ;</div>", "5 6 strasse"),
            ("no markup & nothing; else", "no markup else"),
            ("<div>open <b title=\"never closed", "open"),
            ("<div>open <!-- for ever", "open"),
            ("", ""),
        ] {
            assert_eq!(fold(&text(markup)), words, "{markup}");
        }
    }
}
