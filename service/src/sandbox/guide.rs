//! What a sandbox tells whoever started it: where everything is, who can log in, which clients there are, what to try.

use super::examples::{self, Example};
use super::guide_text;
use super::loader::Preparation;
use super::world::{self, CannotRead, InventedWorld, Organisation, User};
use serde_json::{Value, json};

/// The guide to one running sandbox: readable text, or JSON for programs.
pub struct Guide {
    base_url: String,
    sample_url: Option<String>,
    /// `None` where the database holds somebody's own data instead.
    invented: Option<InventedWorld>,
    examples: Vec<Example>,
}

impl std::fmt::Debug for Guide {
    /// Without the passwords and secrets, invented as they are.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Guide").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

/// The guide to the sandbox at `base_url`; `sample_url` is where the sample app runs, if it does.
pub fn guide(found: Preparation, base_url: &str, sample_url: Option<&str>) -> Result<Guide, CannotRead> {
    let invented = match found {
        Preparation::Loaded | Preparation::ThereAlready => Some(world::read()?),
        Preparation::OwnData => None,
    };
    let examples = examples::all(base_url, sample_url, invented.as_ref());
    Ok(Guide { base_url: base_url.into(), sample_url: sample_url.map(String::from), invented, examples })
}

impl Guide {
    /// For people. `colour` sets headings apart on a terminal.
    #[must_use]
    pub fn text(&self, colour: bool) -> String {
        guide_text::text(&self.addresses(), self.invented.as_ref(), &self.examples, colour)
    }

    /// For programs.
    #[must_use]
    pub fn json(&self) -> Value {
        let addresses: serde_json::Map<String, Value> =
            self.addresses().into_iter().map(|(_, key, url)| (key.into(), url.into())).collect();
        let examples = self.examples.iter().map(|example| json!({ "about": example.about, "do": example.lines }));
        let mut guide = json!({ "addresses": addresses, "examples": examples.collect::<Vec<_>>() });
        if let (Some(guide), Some(invented)) = (guide.as_object_mut(), &self.invented) {
            guide.insert(
                "organisations".into(),
                invented.organisations.iter().map(|one| organisation(invented, one)).collect(),
            );
            guide.insert("logins".into(), invented.users.iter().map(login).collect());
            guide.insert("clients".into(), json!(invented.clients));
        }
        guide
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

fn organisation(invented: &InventedWorld, one: &Organisation) -> Value {
    json!({ "public_id": one.public_id, "name": one.name, "has_granted": invented.granted_by(one) })
}

fn login(user: &User) -> Value {
    json!({
        "username": user.username,
        "password": user.password(),
        "type": user.user_type,
        "name": user.name,
        "patient": user.patient,
    })
}
