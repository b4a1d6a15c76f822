//! What a browser is called, coarsely, by what it says of itself: enough for its owner to know it again, and no more.

/// What is in a `User-Agent`, and the name that goes with it; the first that fits, because most name others too.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];
const SYSTEMS: [(&str, &str); 8] = [
    ("iPhone", "an iPhone"),
    ("iPad", "an iPad"),
    ("Android", "Android"),
    ("CrOS", "a Chromebook"),
    ("Windows", "Windows"),
    ("Macintosh", "a Mac"),
    ("Mac OS X", "a Mac"),
    ("Linux", "Linux"),
];

/// `Firefox on Windows`. Made of our own words only, whatever was sent.
#[must_use]
pub fn of(user_agent: &str) -> String {
    let known =
        |all: &[(&str, &'static str)]| all.iter().find(|(part, _)| user_agent.contains(part)).map(|(_, name)| *name);
    let browser = known(&BROWSERS).unwrap_or("A browser");
    known(&SYSTEMS).map_or_else(|| browser.to_owned(), |system| format!("{browser} on {system}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_called_by_its_maker_and_its_system() {
        for (said, name) in [
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0", "Firefox on Windows"),
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36",
                "Chrome on Linux",
            ),
            (
                "Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1",
                "Safari on an iPhone",
            ),
            (
                "Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 SamsungBrowser/27.0 Chrome/125.0 Safari/537.36",
                "Samsung Internet on Android",
            ),
            ("", "A browser"),
        ] {
            assert_eq!(of(said), name);
        }
    }

    #[test]
    fn nothing_of_what_was_sent_is_kept() {
        assert_eq!(of("<script>Firefox/</script> Linux \u{202e}"), "Firefox on Linux");
    }
}
