//! HTML that people wrote for people: it is for reading, and is refused where it could do more.

use fhir::validation::reading_markup;

/// Whether a text has tags, and so is HTML.
pub(crate) fn is_html(text: &str) -> bool {
    let mut parts = text.split('<').skip(1);
    parts.any(|part| part.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!' | '?')))
}

/// What is wrong with HTML: scripts, handlers, forms, resources of others.
pub(crate) fn fault(html: &str) -> Option<String> {
    reading_markup(html).err()
}

#[cfg(test)]
mod tests {
    use super::*;

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
