//! Well-known addresses (RFC 8615): where a client finds what it may know of us, from our base URL alone.

use super::origin;

/// What the authorization server is and can (RFC 8414).
pub const AUTHORIZATION_SERVER: &str = "/.well-known/oauth-authorization-server";
/// What a protected resource is, and who hands out its tokens (RFC 9728).
pub const PROTECTED_RESOURCE: &str = "/.well-known/oauth-protected-resource";

/// What the OpenID provider is and can: under the base URL as a whole, whatever path that has.
pub const OPENID_CONFIGURATION: &str = "/.well-known/openid-configuration";

/// The two APIs as resources, by their path under the base URL.
pub const FHIR: &str = "/fhir";
pub const REST: &str = "/json";

/// The path of a base URL: nothing, or a slash and more.
fn base_path(base_url: &str) -> &str {
    base_url.strip_prefix(origin::of_url(base_url)).unwrap_or_default()
}

/// The address of the `document` about what is at `path` under the base URL: the document's own path stands between the
/// host and all the rest.
#[must_use]
pub fn address(base_url: &str, document: &str, path: &str) -> String {
    format!("{}{document}{}{path}", origin::of_url(base_url), base_path(base_url))
}

/// Where else a well-known `path` of the list of routes is looked for when the base URL has a path of its own: a proxy
/// takes that path away from all other requests, but there it stands in the middle.
#[must_use]
pub fn elsewhere(base_url: &str, path: &str) -> Option<String> {
    let between = base_path(base_url);
    let documents = [AUTHORIZATION_SERVER, PROTECTED_RESOURCE];
    let (document, rest) = documents.iter().find_map(|document| Some((document, path.strip_prefix(document)?)))?;
    (!between.is_empty()).then(|| format!("{document}{between}{rest}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_url_without_a_path_adds_nothing() {
        let of = |document, path| address("https://records.example:8443", document, path);
        assert_eq!(of(AUTHORIZATION_SERVER, ""), "https://records.example:8443/.well-known/oauth-authorization-server");
        assert_eq!(
            of(PROTECTED_RESOURCE, FHIR),
            "https://records.example:8443/.well-known/oauth-protected-resource/fhir"
        );
        assert_eq!(elsewhere("https://records.example:8443", AUTHORIZATION_SERVER), None);
    }

    #[test]
    fn the_path_of_a_base_url_follows_the_documents() {
        let base = "https://example.org/north/records";
        let fhir = address(base, PROTECTED_RESOURCE, FHIR);
        assert_eq!(fhir, "https://example.org/.well-known/oauth-protected-resource/north/records/fhir");
        let listed = format!("{PROTECTED_RESOURCE}{FHIR}");
        let path = elsewhere(base, &listed);
        assert_eq!(path.as_deref(), Some("/.well-known/oauth-protected-resource/north/records/fhir"));
        assert_eq!(elsewhere(base, "/fhir/metadata"), None);
    }
}
