//! What a sandbox tells whoever started it: where everything is, who can log in, which clients there are, what to try.

use super::examples::{self, Example};
use super::guide_text;
use super::invented::{self, CannotRead, Invented};
use serde_json::{Value, json};

/// The guide to one running sandbox: readable text, or JSON for programs.
pub struct Guide {
    base_url: String,
    sample_url: Option<String>,
    invented: Invented,
    examples: Vec<Example>,
}

impl std::fmt::Debug for Guide {
    /// Without the passwords and secrets, invented as they are.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guide").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

/// The guide to the sandbox at `base_url`; `sample_url` is where the sample app runs, if it does.
pub fn guide(base_url: &str, sample_url: Option<&str>) -> Result<Guide, CannotRead> {
    let invented = invented::read()?;
    let examples = examples::all(base_url, sample_url, &invented);
    Ok(Guide { base_url: base_url.into(), sample_url: sample_url.map(String::from), invented, examples })
}

impl Guide {
    /// For people. `colour` sets headings apart on a terminal.
    #[must_use]
    pub fn text(&self, colour: bool) -> String {
        guide_text::text(&self.addresses(), &self.invented, &self.examples, colour)
    }

    /// For programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let addresses: serde_json::Map<String, Value> =
            self.addresses().into_iter().map(|(_, key, url)| (key.into(), url.into())).collect();
        let organisations = self.invented.organisations.iter().map(|organisation| {
            let granted = self.invented.granted_by(organisation);
            json!({ "public_id": organisation.public_id, "name": organisation.name, "has_granted": granted })
        });
        let logins = self.invented.users.iter().map(|user| {
            json!({
                "username": user.username,
                "password": user.password(),
                "type": user.user_type,
                "name": user.name,
                "patient": user.patient,
            })
        });
        let examples = self.examples.iter().map(|example| json!({ "about": example.about, "do": example.lines }));
        json!({
            "addresses": addresses,
            "organisations": organisations.collect::<Vec<_>>(),
            "logins": logins.collect::<Vec<_>>(),
            "clients": self.invented.clients,
            "examples": examples.collect::<Vec<_>>(),
        })
    }

    /// What is where: for people, for programs, and the address.
    fn addresses(&self) -> Vec<(&'static str, &'static str, String)> {
        let base = &self.base_url;
        let mut all = vec![
            ("Service", "service", base.clone()),
            ("Sign in", "sign_in", format!("{base}/sign-in")),
            ("FHIR API", "fhir", format!("{base}/fhir")),
            ("Custom REST API", "rest", format!("{base}/json")),
            ("Clock", "clock", format!("{base}/sandbox/clock")),
        ];
        all.extend(self.sample_url.iter().map(|url| ("Sample app", "sample_app", url.clone())));
        all
    }
}
