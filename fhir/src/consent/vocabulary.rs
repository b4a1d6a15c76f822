//! The codes of a Consent that are understood, and the systems in which we write ours.

use serde_json::Value;

/// What our code systems and extensions begin with unless configured otherwise; it is always understood.
pub const DEFAULT_SYSTEMS: &str = "urn:recordgate:";

pub(super) const SCOPE: &str = "http://terminology.hl7.org/CodeSystem/consentscope";
pub(super) const ACTION: &str = "http://terminology.hl7.org/CodeSystem/consentaction";
pub(super) const ACT_CODE: &str = "http://terminology.hl7.org/CodeSystem/v3-ActCode";
pub(super) const PARTICIPATION: &str = "http://terminology.hl7.org/CodeSystem/v3-ParticipationType";
pub(super) const LOINC: &str = "http://loinc.org";

pub(super) const PATIENT_PRIVACY: &str = "patient-privacy";
pub(super) const ACCESS: &str = "access";
pub(super) const CONSENT_DOCUMENT: &str = "59284-0";
/// The recipients of information: primary, and any other that was meant.
pub(super) const RECIPIENTS: [&str; 2] = ["PRCP", "IRCP"];
pub(super) const REFUSALS: [&str; 2] = ["OPTOUT", "OPTOUTE"];
pub(super) const PERMISSIONS: [&str; 2] = ["OPTIN", "OPTINR"];

pub(super) const LOCKED: &str = "consent-locked";
pub(super) const MANAGES: &str = "consent-manages";
pub(super) const BASIS: &str = "consent-basis";
pub(super) const REASON: &str = "consent-reason";
pub(super) const LABEL: &str = "privacy-label";

/// What depends on the server: where its resources are, what its code systems begin with, and which bit a label has.
pub struct Vocabulary<'v> {
    /// Our FHIR base URL without a slash at its end.
    pub base: &'v str,
    /// The setting `code_systems.base`.
    pub systems: &'v str,
    /// The bit of the label that a system and a code stand for in a Consent. Our own codes are asked for in the default system.
    pub label: &'v dyn Fn(&str, &str) -> Option<i64>,
}

impl Vocabulary<'_> {
    /// Whether a URL is that of one of our names.
    pub(super) fn is_ours(&self, url: &str, name: &str) -> bool {
        [self.systems, DEFAULT_SYSTEMS].iter().any(|systems| url.strip_prefix(systems) == Some(name))
    }

    /// The bit of a label.
    pub(super) fn bit(&self, system: &str, code: &str) -> Option<i64> {
        let is_ours = self.is_ours(system, LABEL);
        if is_ours { (self.label)(&format!("{DEFAULT_SYSTEMS}{LABEL}"), code) } else { (self.label)(system, code) }
    }

    pub(super) fn ours(&self, name: &str) -> String {
        format!("{}{name}", self.systems)
    }
}

impl std::fmt::Debug for Vocabulary<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vocabulary").field("base", &self.base).field("systems", &self.systems).finish_non_exhaustive()
    }
}

/// System and code of each coding of a CodeableConcept.
pub(super) fn codings(concept: Option<&Value>) -> impl Iterator<Item = (&str, &str)> {
    let all = concept.and_then(|concept| concept.get("coding")).and_then(Value::as_array).into_iter().flatten();
    all.map(coding)
}

/// System and code of a coding; empty where one is missing.
pub(super) fn coding(coding: &Value) -> (&str, &str) {
    let text = |name: &str| coding.get(name).and_then(Value::as_str).unwrap_or_default();
    (text("system"), text("code"))
}

/// The items of an element that repeats.
pub(super) fn items<'v>(holder: &'v Value, name: &str) -> &'v [Value] {
    holder.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
