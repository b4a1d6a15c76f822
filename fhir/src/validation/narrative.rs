//! Safe narrative (txt-1, txt-2): XHTML for reading, that can neither run nor submit anything, and that says something.

use crate::issue::IssueCode;
use crate::json::Node;
use crate::validation::findings::Findings;
use crate::validation::markup::{MarkupPieces, Piece};

const XHTML: &str = "http://www.w3.org/1999/xhtml";
/// Elements of HTML 4's chapters 7 to 11 and 15, links and images: what R4 allows.
const ELEMENTS: &str = "a abbr acronym address area b bdo big blockquote br caption cite code col colgroup dd del dfn div dl \
    dt em font h1 h2 h3 h4 h5 h6 hr i img ins kbd li map ol p pre q s samp small span strike strong sub \
    sup table tbody td tfoot th thead tr tt u ul var";
const ATTRIBUTES: &str = "abbr accesskey align alt axis bgcolor border cellpadding cellspacing char charoff cite class clear \
    color colspan compact coords datetime dir face frame headers height href hreflang hspace id ismap \
    lang longdesc name nohref noshade nowrap rel rowspan rules scope shape size span src start style \
    summary tabindex title type usemap valign value vspace width";
/// Attributes that name something elsewhere.
const ADDRESSES: [&str; 5] = ["href", "src", "cite", "longdesc", "usemap"];
/// Styles that run something, or fetch it.
const UNSAFE_STYLES: [&str; 11] = [
    "javascript:",
    "vbscript:",
    "expression(",
    "behavior:",
    "-moz-binding",
    "@import",
    "\\",
    "://",
    "image-set",
    "/*",
    "&",
];

/// Checks a narrative's `div`.
pub(super) fn check(div: &Node<'_>, findings: &mut Findings<'_>) {
    let Some(text) = div.text() else {
        return findings.here(IssueCode::Structure, format!("must be a string (xhtml), not {}", div.sort()));
    };
    if let Err(fault) = examine(text) {
        findings.here(IssueCode::Invariant, fault);
    }
}

/// What is wrong with a narrative, if anything is.
fn examine(text: &str) -> Result<(), String> {
    let mut pieces = MarkupPieces::of(text.trim());
    let (mut open, mut is_over, mut says_something) = (Vec::new(), false, false);
    while let Some(piece) = pieces.next().map_err(|why| format!("txt-1: the narrative is no XHTML: {why}"))? {
        if is_over || (open.is_empty() && !matches!(piece, Piece::Open { name: "div", .. })) {
            return Err("txt-1: the narrative must be one div".into());
        }
        match piece {
            Piece::Open { name, attributes, is_empty } => {
                element(name, &attributes, open.is_empty())?;
                says_something |= name == "img";
                if !is_empty {
                    open.push(name);
                }
            }
            Piece::Close(name) => {
                if open.pop() != Some(name) {
                    return Err("txt-1: the narrative is no XHTML: a tag closes what is not open".into());
                }
            }
            Piece::Words(words) => says_something |= !words.trim().is_empty(),
        }
        is_over = open.is_empty();
    }
    match (is_over, says_something) {
        (false, _) => Err("txt-1: the narrative is no XHTML: an element does not end".into()),
        (true, false) => Err("txt-2: the narrative must say something".into()),
        (true, true) => Ok(()),
    }
}

/// What is wrong with a piece of XHTML that is shown to people beside others' words, if anything is: it may have what a narrative
/// may have, and fetches nothing from elsewhere.
pub fn reading_markup(text: &str) -> Result<(), String> {
    let mut pieces = MarkupPieces::of(text.trim());
    let mut open = Vec::new();
    let plain = |why: &str| why.replacen("txt-1: the narrative", "it", 1);
    while let Some(piece) = pieces.next().map_err(|why| format!("it is no XHTML: {why}"))? {
        match piece {
            Piece::Open { name, attributes, is_empty } => {
                element(name, &attributes, false).map_err(|why| plain(&why))?;
                let fetched = attributes.iter().find(|(attribute, _)| *attribute == "src");
                if fetched.is_some_and(|(_, address)| !address.trim_start().starts_with("data:")) {
                    return Err(format!("it must not fetch anything: src of {name}"));
                }
                if !is_empty {
                    open.push(name);
                }
            }
            Piece::Close(name) => {
                if open.pop() != Some(name) {
                    return Err("it is no XHTML: a tag closes what is not open".into());
                }
            }
            Piece::Words(_) => {}
        }
    }
    if open.is_empty() { Ok(()) } else { Err("it is no XHTML: an element does not end".into()) }
}

fn element(name: &str, attributes: &[(&str, &str)], is_root: bool) -> Result<(), String> {
    let shown = |text: &str| text.chars().take(40).collect::<String>();
    if !ELEMENTS.split(' ').any(|known| known == name) {
        return Err(format!("txt-1: the narrative must not have the element {:?}", shown(name)));
    }
    if is_root && !attributes.contains(&("xmlns", XHTML)) {
        return Err(format!("txt-1: the narrative's div must be of the namespace {XHTML}"));
    }
    for (attribute, value) in attributes {
        let is_known = match *attribute {
            "xmlns" => *value == XHTML,
            "xml:lang" | "xml:space" => true,
            "style" => is_safe_style(value),
            plain if ADDRESSES.contains(&plain) => is_safe_address(value, name == "img" && plain == "src"),
            plain => ATTRIBUTES.split(' ').any(|known| known == plain),
        };
        if !is_known {
            return Err(format!("txt-1: the narrative must not have this attribute: {} of {name}", shown(attribute)));
        }
    }
    Ok(())
}

/// No address that runs something. References to characters can hide one from us that a browser sees: only `&amp;` is plain.
fn is_safe_address(address: &str, is_image: bool) -> bool {
    if address.match_indices('&').any(|(at, _)| !address.get(at..).is_some_and(|rest| rest.starts_with("&amp;"))) {
        return false;
    }
    let Some((scheme, rest)) = address.trim().split_once(':') else { return true };
    if scheme.contains(['/', '#', '?']) {
        return true;
    }
    match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" | "mailto" | "tel" | "urn" | "ftp" | "cid" => true,
        "data" => is_image && rest.trim_start().to_ascii_lowercase().starts_with("image/"),
        _ => false,
    }
}

/// No style that runs something or fetches it from elsewhere.
fn is_safe_style(style: &str) -> bool {
    let plain =
        style.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect::<String>().to_ascii_lowercase();
    let is_near = |part: &str| {
        let address = part.trim_start_matches(['\'', '"']);
        let address = address.split(')').next().unwrap_or_default();
        address.starts_with("data:image/") || !(address.contains(':') || address.starts_with("//"))
    };
    !UNSAFE_STYLES.iter().any(|word| plain.contains(word)) && plain.split("url(").skip(1).all(is_near)
}

#[cfg(test)]
mod tests {
    use super::examine;
    use proptest::prelude::*;

    fn div(inside: &str) -> Result<(), String> {
        examine(&format!("<div xmlns=\"http://www.w3.org/1999/xhtml\">{inside}</div>"))
    }

    #[test]
    fn narrative_for_reading_is_safe() {
        for good in [
            "x",
            "<p>a &amp; b&nbsp;&#160;</p>",
            "<!-- c --><table border='1'><tr><td colspan=\"2\">x</td></tr></table>",
            "<img src=\"data:image/png;base64,AA\" alt=\"\"/>",
            "<a href=\"Patient/1\">x</a><a href=\"#a\" name=\"b\">y</a><a href='https://x.example/?a:b&amp;c=d'>z</a>",
            "<span style=\"color: red; background: url(data:image/png;base64,AA)\">x</span>",
        ] {
            assert_eq!(div(good), Ok(()), "{good}");
        }
        assert_eq!(examine("<div xmlns='http://www.w3.org/1999/xhtml'><br/>x</div> "), Ok(()));
    }

    #[test]
    fn whatever_runs_submits_or_hides_is_refused() {
        for wrong in [
            "<script>x</script>",
            "<p onclick=\"x()\">x</p>",
            "<form>x</form>",
            "<input/>x",
            "<iframe src=\"https://x.example\">x</iframe>",
            "<object>x</object>",
            "<style>x</style>",
            "<svg>x</svg>",
            "<a href=\"javascript:x()\">x</a>",
            "<a href=\" JavaScript:x()\">x</a>",
            "<a href=\"java&#115;cript:x()\">x</a>",
            "<a href=\"java\tscript:x()\">x</a>",
            "<a href=\"data:text/html,x\">x</a>",
            "<img src=\"data:text/html,x\"/>",
            "<p style=\"width: expression(x)\">x</p>",
            "<p style=\"background: url('https://x.example/a')\">x</p>",
            "<p style=\"background: u\\72l(x)\">x</p>",
            "<p style=\"background: url(//x.example/a)\">x</p>",
            "<p style=\"background: image-set('https://x.example/a' 1x)\">x</p>",
            "<p style=\"background: url(&quot;ftp://x.example/a&quot;)\">x</p>",
            "<a href=\"javascript&colon;x()\">x</a>",
            "<a href=\"java&Tab;script:x()\">x</a>",
            "<a href=\"&#106;avascript:x()\">x</a>",
            "<p xmlns=\"urn:x\">x</p>",
            "<x:script xmlns:x=\"http://www.w3.org/1999/xhtml\">x</x:script>",
            "<!DOCTYPE x>x",
            "<?x y?>x",
            "<![CDATA[x]]>",
        ] {
            let why = div(wrong).expect_err(wrong);
            assert!(why.starts_with("txt-1"), "{wrong}: {why}");
        }
    }

    #[test]
    fn what_is_no_xhtml_is_refused() {
        for wrong in [
            "<p>x",
            "x</p>",
            "<p>x</b>",
            "<p class=x>x</p>",
            "<p class>x</p>",
            "a & b",
            "&x y;",
            "<p a='1' a='2'>x</p>",
            "<",
            "<!-- x",
            "<p class='a'title='b'>x</p>",
        ] {
            assert!(div(wrong).is_err(), "{wrong}");
        }
        for wrong in ["", "x", "<p xmlns=\"http://www.w3.org/1999/xhtml\">x</p>", "<div>x</div>"] {
            assert!(examine(wrong).is_err(), "{wrong}");
        }
        let many: String = (0..200_000).map(|at| format!(" a{at}=''")).collect();
        assert!(div(&format!("<p{many}>x</p>")).unwrap_err().contains("too many attributes"));
        let two = "<div xmlns=\"http://www.w3.org/1999/xhtml\">x</div>".repeat(2);
        assert!(examine(&two).is_err());
        for empty in ["", " \n", "<p/>", "<!-- x -->"] {
            assert!(div(empty).expect_err(empty).starts_with("txt-2"), "{empty}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_examined(text in "[<>/a-z=\"'&;#!: é-]{0,60}") {
            let _ = (examine(&text), div(&text));
        }
    }
}
