//! A resource that is ready to be stored, with other security labels than those it was sent with. What they mean is for others to
//! say.

use crate::cut::{self, Cut};
use crate::extraction::index_row;
use crate::fault::Fault;
use crate::preparation::{self, Preparation};
use crate::security::Coding;
use serde_json::{Value, json};

impl Preparation {
    /// The same with this coding among its security labels, and of the others with those alone that are kept.
    pub fn with_security(self, added: Option<&Coding>, is_kept: impl Fn(&Coding) -> bool) -> Result<Self, Fault> {
        let added = added.filter(|added| !self.security.contains(added));
        match (added, self.security.iter().all(&is_kept)) {
            (None, true) => Ok(self),
            (Some(added), true) if self.security.is_empty() => Ok(self.with_first(added)),
            (added, _) => self.with_these(added, is_kept),
        }
    }

    /// With the first security label, before all else that its `meta` has: nothing need be read again.
    fn with_first(mut self, added: &Coding) -> Self {
        let (text, own) = (json_of(added), json!({ "meta": { "security": [json_of(added)] } }));
        self.body.after.insert_str(0, &format!(",\"security\":[{text}]"));
        self.index.extend(index_row::rows(self.resource_type, &own, &self.base));
        self.index.sort_unstable();
        self.security.push(added.clone());
        self
    }

    fn with_these(mut self, added: Option<&Coding>, is_kept: impl Fn(&Coding) -> bool) -> Result<Self, Fault> {
        let unreadable = || Fault::BreaksRule(format!("{}.meta.security cannot be read", self.resource_type.name()));
        let body = self.body.joined(0, "", "");
        let written = cut::security(&body).ok_or_else(unreadable)?;
        let kept = written.into_iter().zip(&self.security).filter(|(_, coding)| is_kept(coding));
        let (mut texts, mut security): (Vec<String>, Vec<Coding>) =
            kept.map(|(text, coding)| (text, coding.clone())).unzip();
        texts.extend(added.map(|added| json_of(added).to_string()));
        security.extend(added.cloned());
        let body: Cut = cut::with_security(&body, &texts).ok_or_else(unreadable)?;
        let stored: Value = serde_json::from_str(&body.joined(0, "", "")).unwrap_or_default();
        self.index = preparation::index(self.resource_type, &stored, &self.base);
        (self.body, self.security) = (body, security);
        Ok(self)
    }
}

fn json_of(coding: &Coding) -> Value {
    match &coding.system {
        Some(system) => json!({ "system": system, "code": coding.code }),
        None => json!({ "code": coding.code }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::{Limits, Shape};

    const LIMITS: Limits = Limits { shape: Shape { depth: 20, values: 1000 }, tokens: 100, token_bytes: 255 };

    fn prepared(meta: &Value) -> Preparation {
        let resource = json!({ "resourceType": "Basic", "id": "a", "meta": meta, "code": { "text": "x" } });
        preparation::prepare(&resource.to_string(), "https://here.example/fhir", &LIMITS).unwrap()
    }

    fn coding(system: &str, code: &str) -> Coding {
        Coding { system: Some(system.into()), code: Some(code.into()) }
    }

    #[test]
    fn a_label_that_is_added_is_found_and_is_as_if_it_had_been_sent() {
        let (ours, theirs) = (coding("urn:ours", "A"), json!({ "system": "urn:theirs", "code": "N", "display": "n" }));
        let tag = json!([{ "code": "t" }]);
        for (sent, expected) in [
            (json!({}), json!({ "security": [{ "system": "urn:ours", "code": "A" }] })),
            (
                json!({ "tag": tag, "security": [theirs] }),
                json!({ "security": [theirs, { "system": "urn:ours", "code": "A" }], "tag": tag }),
            ),
            (
                json!({ "security": [{ "system": "urn:ours", "code": "A" }], "tag": tag }),
                json!({ "security": [{ "system": "urn:ours", "code": "A" }], "tag": tag }),
            ),
            (
                json!({ "security": [{ "system": "urn:ours", "code": "B" }, theirs] }),
                json!({ "security": [theirs, { "system": "urn:ours", "code": "A" }] }),
            ),
        ] {
            let labelled = prepared(&sent).with_security(Some(&ours), |one| one.code.as_deref() != Some("B")).unwrap();
            let as_sent = prepared(&expected);
            assert_eq!(labelled.body.joined(1, "x", "y"), as_sent.body.joined(1, "x", "y"), "{sent}");
            assert_eq!(labelled.index, as_sent.index, "{sent}");
            assert_eq!(labelled.security, as_sent.security, "{sent}");
        }
    }

    #[test]
    fn labels_that_are_not_kept_leave_nothing_behind() {
        let labelled = prepared(&json!({ "security": [{ "system": "urn:ours", "code": "A" }] }));
        let without = labelled.with_security(None, |_| false).unwrap();
        assert_eq!(without.body.joined(1, "x", "y"), prepared(&json!({})).body.joined(1, "x", "y"));
        assert_eq!((without.security, without.index), (vec![], prepared(&json!({})).index));
    }
}
