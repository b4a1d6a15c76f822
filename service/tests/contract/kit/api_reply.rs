//! What each voice of the two APIs says.

use super::reply::Reply;

impl Reply {
    pub fn opened(&self) -> &Self {
        assert_eq!(self.status, 200, "{}", self.text());
        self
    }

    /// Refused for want of a valid token.
    pub fn refused(&self) {
        assert_eq!(self.status, 401, "{}", self.text());
    }

    /// The ids in a searchset, in order.
    pub fn found(&self) -> Vec<String> {
        assert_eq!(self.opened().header("content-type"), Some("application/fhir+json; charset=UTF-8"));
        let bundle = self.json();
        assert_eq!((bundle["resourceType"].as_str(), bundle["type"].as_str()), (Some("Bundle"), Some("searchset")));
        let entries = bundle["entry"].as_array().cloned().unwrap_or_default();
        entries.iter().map(|entry| entry["resource"]["id"].as_str().unwrap().to_owned()).collect()
    }

    /// A refusal in FHIR's voice: an OperationOutcome with this response code.
    pub fn says(&self, status: u16, code: &str) {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), Some("application/fhir+json; charset=UTF-8"));
        let outcome = self.json();
        assert_eq!(outcome["resourceType"], "OperationOutcome");
        assert_eq!(outcome["issue"][0]["severity"], "error");
        let coding = &outcome["issue"][0]["details"]["coding"][0];
        assert_eq!(coding["system"], "urn:recordgate:response-code");
        assert_eq!(coding["code"], code, "{outcome}");
        self.challenges_the_bearer();
    }

    /// The words of such a refusal.
    pub fn words(&self, status: u16, code: &str) -> String {
        self.says(status, code);
        self.json()["issue"][0]["diagnostics"].as_str().expect("words").to_owned()
    }

    /// A refusal in the custom REST API's voice: an `errorMessage` that begins like this.
    pub fn says_in_rest(&self, status: u16, begins: &str) {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("content-type"), Some("application/json;charset=UTF-8"));
        let body = self.json();
        let message = body["errorMessage"].as_str().expect("a string errorMessage");
        assert!(message.starts_with(begins), "{message}");
        self.challenges_the_bearer();
    }

    fn challenges_the_bearer(&self) {
        let challenge = self.header("www-authenticate");
        match self.status {
            401 => assert!(challenge.is_some_and(|said| said.starts_with("Bearer")), "{challenge:?}"),
            // A page of somebody else is refused whatever token it has.
            403 if self.text().contains("FOREIGN_ORIGIN") => assert_eq!(challenge, None),
            403 => {
                let insufficient = r#"Bearer error="insufficient_scope""#;
                assert!(challenge.is_some_and(|said| said.starts_with(insufficient)), "{challenge:?}");
            }
            _ => assert_eq!(challenge, None),
        }
    }
}
