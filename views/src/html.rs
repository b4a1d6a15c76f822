//! HTML that people wrote for people: it is for reading, and is refused where it could do more.

use fhir::extraction::narrative_text::{MarkupPart, parts};
use fhir::validation::reading_markup;

/// What begins on a line of its own, and ends one.
const BLOCKS: [&str; 19] = [
    "blockquote",
    "br",
    "caption",
    "dd",
    "div",
    "dl",
    "dt",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "ol",
    "p",
    "pre",
    "tr",
    "ul",
];

/// Whether a text has tags, and so is HTML.
pub(crate) fn is_html(text: &str) -> bool {
    let mut parts = text.split('<').skip(1);
    parts.any(|part| part.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')))
}

/// What is wrong with HTML: scripts, handlers, forms, resources of others.
pub(crate) fn fault(html: &str) -> Option<String> {
    reading_markup(html).err()
}

/// What people read of HTML: its words, line by line, an item of a list with a sign before it.
#[must_use]
pub fn words(html: &str) -> String {
    let mut words = String::new();
    let begin_line = |words: &mut String| {
        words.truncate(words.trim_end_matches(' ').len());
        if !words.is_empty() && !words.ends_with('\n') {
            words.push('\n');
        }
    };
    for part in parts(html) {
        match part {
            MarkupPart::Characters(text) => {
                for c in html_escape::decode_html_entities(text).chars() {
                    match c {
                        ' ' | '\t' | '\r' | '\n' if words.is_empty() || words.ends_with([' ', '\n']) => {}
                        ' ' | '\t' | '\r' | '\n' => words.push(' '),
                        other => words.push(other),
                    }
                }
            }
            MarkupPart::Comment(_) => {}
            MarkupPart::Tag(tag) => {
                let name = tag.trim_start_matches('/').split([' ', '/', '\t', '\n']).next().unwrap_or_default();
                let name = name.to_ascii_lowercase();
                if name == "li" {
                    begin_line(&mut words);
                    words.push_str(if tag.starts_with('/') { "" } else { "• " });
                } else if BLOCKS.contains(&name.as_str()) {
                    begin_line(&mut words);
                } else if matches!(name.as_str(), "td" | "th") && !words.is_empty() && !words.ends_with([' ', '\n']) {
                    words.push(' ');
                }
            }
        }
    }
    words.truncate(words.trim_end().len());
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_read_the_words_of_html_line_by_line_and_its_signs_as_they_are_meant() {
        for (html, read) in [
            ("<p>Bring the <b>mask</b> &amp; tube</p>", "Bring the mask & tube"),
            ("<p>Fran&ccedil;ois: 5 &lt; 6</p>\n<p>Caf&#233;</p>", "François: 5 < 6\nCafé"),
            ("<ul><li>one</li><li>two<br/>three</li></ul>end", "• one\n• two\nthree\nend"),
            ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
            ("x<!-- <b>not this</b> -->y <b title=\"a > b\">z</b>", "xy z"),
            ("<p>open <b title=\"never closed", "open"),
            ("&lt;script&gt;", "<script>"),
            ("", ""),
        ] {
            assert_eq!(words(html), read, "{html}");
        }
    }

    #[test]
    fn tags_make_html_and_signs_do_not() {
        assert!(is_html("<p>x</p>") && is_html("x<br/>") && is_html("<!-- x -->"));
        assert!(!is_html("below 5 < x") && !is_html("a <3 b") && !is_html("plain & simple"));
    }

    #[test]
    fn html_that_runs_submits_or_fetches_is_refused() {
        for good in
            ["<p>Three <b>bad</b> nights: <a href=\"https://clinic.example/\">ring us</a>.</p>", "<ul><li>x</li></ul>y"]
        {
            assert_eq!(fault(good), None, "{good}");
        }
        for wrong in [
            "<script>x</script>",
            "<p onclick=\"x()\">x</p>",
            "<form><input/></form>",
            "<img src=\"https://elsewhere.example/a.png\" alt=\"\"/>",
            "<iframe src=\"x\"></iframe>",
            "<a href=\"javascript:x()\">x</a>",
            "<p>not closed",
            "<p style=\"background: url(https://elsewhere.example/a)\">x</p>",
        ] {
            assert!(fault(wrong).is_some(), "{wrong}");
        }
    }
}
