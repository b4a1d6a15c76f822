//! Text as it is compared when case, accents and punctuation do not matter.

use unicode_normalization::UnicodeNormalization;

/// Lower case, without accents; apostrophes and full stops gone, any other punctuation and white space one space, none at
/// the ends: `O'Brien-Müller, St. Mary` is `obrien muller st mary`.
#[must_use]
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    if text.is_ascii() {
        text.chars().for_each(|c| push(&mut folded, c.to_ascii_lowercase()));
    } else {
        let bare = text.nfkd().filter(|c| !is_accent(*c));
        bare.flat_map(char::to_lowercase).for_each(|c| match special(c) {
            Some(letters) => folded.push_str(letters),
            None => push(&mut folded, c),
        });
    }
    folded.truncate(folded.trim_end().len());
    folded
}

fn push(folded: &mut String, c: char) {
    if c.is_alphanumeric() || is_mark(c) {
        folded.push(c);
    } else if !matches!(c, '\'' | '’' | '‘' | 'ʼ' | '`' | '.') && !folded.is_empty() && !folded.ends_with(' ') {
        folded.push(' ');
    }
}

/// Marks that change a letter of the scripts where people leave them out. Marks of other scripts are letters to readers.
fn is_accent(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{1dc0}'..='\u{1dff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe20}'..='\u{fe2f}')
}

/// A mark that is not an accent belongs to its word.
fn is_mark(c: char) -> bool {
    unicode_normalization::char::is_combining_mark(c)
}

/// Letters that have no decomposition, as people write them on another keyboard.
const fn special(c: char) -> Option<&'static str> {
    Some(match c {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'đ' | 'ð' => "d",
        'ł' => "l",
        'þ' => "th",
        'ı' => "i",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn case_accents_and_punctuation_do_not_matter() {
        for (text, folded) in [
            ("O'Brien-Müller, St. Mary", "obrien muller st mary"),
            ("  ÅSA\t Łukasz ", "asa lukasz"),
            ("Straße", "strasse"),
            ("İstanbul", "istanbul"),
            ("Ærø", "aero"),
            ("J.R.R.", "jrr"),
            ("が", "か\u{3099}"),
            ("ﬁ Ｂ", "fi b"),
            ("--", ""),
            ("", ""),
        ] {
            assert_eq!(fold(text), folded, "{text}");
        }
    }

    proptest! {
        #[test]
        fn folding_twice_is_folding_once(text in "\\PC{0,20}") {
            let once = fold(&text);
            prop_assert_eq!(fold(&once), once);
        }
    }
}
