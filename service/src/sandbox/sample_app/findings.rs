//! What the app has found in the record so far: whose it is, where the next page is, and a letter.

use axum::body::Bytes;
use serde_json::Value;

/// The media type of a letter that the app can hand to its person.
pub(super) const PDF: &str = "application/pdf";

#[derive(Debug, Default)]
pub(super) struct Findings {
    /// The id of the person's Patient.
    pub patient: Option<String>,
    /// Where the page after the last one is, at the service.
    pub next_page: Option<String>,
    /// Where the content of the letter is that was found last, at the service.
    pub letter: Option<String>,
    /// The letter that was opened last.
    pub opened: Option<Bytes>,
}

impl Findings {
    /// Keeps what the service at `base_url` answered.
    pub(super) fn keep(&mut self, base_url: &str, media_type: &str, body: &Bytes) {
        if media_type == PDF {
            self.opened = Some(body.clone());
        } else if let Ok(bundle) = serde_json::from_slice::<Value>(body)
            && text(&bundle, "/resourceType") == Some("Bundle")
        {
            self.keep_page(base_url, &bundle);
        }
    }

    fn keep_page(&mut self, base_url: &str, bundle: &Value) {
        let links = bundle.get("link").and_then(Value::as_array);
        let next = links.into_iter().flatten().find(|link| text(link, "/relation") == Some("next"));
        self.next_page = next.and_then(|link| text(link, "/url")).and_then(|url| path_of_page(base_url, url));
        match text(bundle, "/entry/0/resource/resourceType") {
            Some("Patient") => self.patient = text(bundle, "/entry/0/resource/id").map(str::to_owned),
            Some("DocumentReference") => {
                let url = text(bundle, "/entry/0/resource/content/0/attachment/url");
                self.letter = url.and_then(|url| path_of_content(base_url, url));
            }
            _ => {}
        }
    }
}

/// An address at another server is not followed: the access token is for this one alone.
fn path_of_page(base_url: &str, url: &str) -> Option<String> {
    url.strip_prefix(base_url).filter(|path| path.starts_with("/fhir")).map(str::to_owned)
}

/// The URL of an attachment may be relative, as references are.
fn path_of_content(base_url: &str, url: &str) -> Option<String> {
    let relative = url.strip_prefix(base_url).and_then(|path| path.strip_prefix("/fhir/")).unwrap_or(url);
    relative.starts_with("Binary/").then(|| format!("/fhir/{relative}"))
}

fn text<'a>(value: &'a Value, pointer: &str) -> Option<&'a str> {
    value.pointer(pointer)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const BASE: &str = "http://127.0.0.1:80";

    fn after(bundle: &Value) -> Findings {
        let mut findings = Findings::default();
        findings.keep(BASE, "application/fhir+json", &Bytes::from(bundle.to_string()));
        findings
    }

    fn page(url: &str) -> Value {
        json!({ "resourceType": "Bundle", "link": [{ "relation": "self", "url": BASE }, { "relation": "next", "url": url }] })
    }

    fn letter(url: &str) -> Value {
        let document = json!({ "resourceType": "DocumentReference", "content": [{ "attachment": { "url": url } }] });
        json!({ "resourceType": "Bundle", "entry": [{ "resource": document }] })
    }

    #[test]
    fn the_next_page_is_followed_at_the_service_and_nowhere_else() {
        assert_eq!(after(&page(&format!("{BASE}/fhir/Patient?_page=x"))).next_page.unwrap(), "/fhir/Patient?_page=x");
        for foreign in ["http://127.0.0.1:8080/fhir/Patient", "https://thief.example/fhir", "//thief.example", BASE] {
            assert_eq!(after(&page(foreign)).next_page, None, "{foreign}");
        }
    }

    #[test]
    fn a_last_page_has_none_after_it() {
        let mut findings = after(&page(&format!("{BASE}/fhir/Patient?_page=x")));
        findings.keep(BASE, "application/fhir+json", &Bytes::from_static(b"{\"resourceType\":\"Bundle\"}"));
        assert_eq!(findings.next_page, None);
    }

    #[test]
    fn a_letter_is_opened_at_the_service_and_nowhere_else() {
        for own in ["Binary/a", "http://127.0.0.1:80/fhir/Binary/a"] {
            assert_eq!(after(&letter(own)).letter.as_deref(), Some("/fhir/Binary/a"), "{own}");
        }
        for foreign in ["https://thief.example/Binary/a", "http://127.0.0.1:8080/fhir/Binary/a", "Patient/a", ""] {
            assert_eq!(after(&letter(foreign)).letter, None, "{foreign}");
        }
    }

    #[test]
    fn what_is_no_page_of_results_changes_nothing() {
        let mut findings = after(&page(&format!("{BASE}/fhir/Patient?_page=x")));
        for body in ["{\"resourceType\":\"OperationOutcome\"}", "{\"firstName\":\"Amina\"}", "not JSON"] {
            findings.keep(BASE, "application/json", &Bytes::from(body));
        }
        assert!(findings.next_page.is_some() && findings.opened.is_none());
    }
}
