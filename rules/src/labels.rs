//! Privacy labels: which an item has, said by its `meta.security`, and which a viewer needs in order to see it.
//!
//! The tables `labels` and `needs` of docs/gaps.md; a test reads them there.

use alloc::string::String;
use alloc::vec::Vec;

/// The system of ids that apps give to what they create; of our systems of identifiers the one that is for whoever writes.
pub const EXTERNAL_ID_SYSTEM: &str = "urn:recordgate:external-id";

/// Whether a system of identifiers is one that only this service uses.
#[must_use]
pub fn is_kept(system: &str) -> bool {
    is_ours(system) && system != EXTERNAL_ID_SYSTEM
}

/// Whether a code system is this service's own.
#[must_use]
pub fn is_ours(system: &str) -> bool {
    system.starts_with(OUR_SYSTEMS)
}

/// A privacy label; exactly one per item, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Label {
    GeneralHealth,
    MentalHealth,
    SexualHealth,
    SocialCare,
}

/// The code system of our labels.
pub const LABEL_SYSTEM: &str = "urn:recordgate:privacy-label";
/// The same codes under another name, which clients of the service that the contract describes send.
pub const LABEL_SYSTEM_ELSEWHERE: &str = "http://fhir.patientsknowbest.com/codesystem/privacy-label";
/// The label of what a team or an organisation sends, and what a team is given, unless its settings say otherwise
/// (`default_label`, `default_access`).
pub const DEFAULT_LABEL: Label = Label::GeneralHealth;
pub const DEFAULT_ACCESS: Labels = Labels(Label::GeneralHealth.bit());
/// What a setting says that names no label.
const NO_LABEL: &str = "none";
/// What the code systems of this service begin with.
const OUR_SYSTEMS: &str = "urn:recordgate:";
const CONFIDENTIALITY: &str = "http://terminology.hl7.org/CodeSystem/v3-Confidentiality";
const ACT_CODE: &str = "http://terminology.hl7.org/CodeSystem/v3-ActCode";

impl Label {
    pub const ALL: [Self; 4] = [Self::GeneralHealth, Self::MentalHealth, Self::SexualHealth, Self::SocialCare];

    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::GeneralHealth => "GENERAL_HEALTH",
            Self::MentalHealth => "MENTAL_HEALTH",
            Self::SexualHealth => "SEXUAL_HEALTH",
            Self::SocialCare => "SOCIAL_CARE",
        }
    }

    /// As people know it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::GeneralHealth => "General health",
            Self::MentalHealth => "Mental health",
            Self::SexualHealth => "Sexual health",
            Self::SocialCare => "Social care",
        }
    }

    #[must_use]
    pub const fn bit(self) -> i64 {
        match self {
            Self::GeneralHealth => 1,
            Self::MentalHealth => 2,
            Self::SexualHealth => 4,
            Self::SocialCare => 8,
        }
    }

    /// The label that an item has of which this is needed, where it is one alone.
    #[must_use]
    pub fn of_needs(needs: Needs) -> Option<Self> {
        Self::ALL.into_iter().find(|label| Needs::of(Some(*label)).0 == needs.0 & Needs::ALL.0)
    }

    /// Whether a coding of `meta.security` says another label than the one that the item has.
    #[must_use]
    pub fn is_contradicted(label: Option<Self>, type_name: &str, coding: &Coding<'_>) -> bool {
        Self::of_coding(type_name, coding).is_some_and(|said| Some(said) != label)
    }

    /// The label of a code of ours.
    #[must_use]
    pub fn named(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|label| label.code() == code)
    }

    /// The label that a source's setting names; within it none where what comes without a label stays without one (`none`).
    #[must_use]
    pub fn default_named(word: &str) -> Option<Option<Self>> {
        if word == NO_LABEL { Some(None) } else { Self::named(word).map(Some) }
    }

    /// How such a setting is spelt.
    #[must_use]
    pub fn default_word(label: Option<Self>) -> &'static str {
        label.map_or(NO_LABEL, Self::code)
    }

    /// What a coding of `meta.security`, or a security label of a Consent's provision, says; `None` where it is no label.
    #[must_use]
    pub fn of_coding(type_name: &str, coding: &Coding<'_>) -> Option<Self> {
        let (system, code) = (coding.system?, coding.code?);
        match system {
            LABEL_SYSTEM | LABEL_SYSTEM_ELSEWHERE => Self::named(code),
            CONFIDENTIALITY if code == "N" => Some(Self::GeneralHealth),
            ACT_CODE => match code {
                "PSY" | "MH" => Some(Self::MentalHealth),
                "SEX" => Some(Self::SexualHealth),
                // On an item it means specially protected information, psychiatry included.
                "SPI" if type_name == "Consent" => Some(Self::SocialCare),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether an item of a type has a label of its own: what the others need does not depend on one.
#[must_use]
pub fn is_labelled(type_name: &str) -> bool {
    !matches!(type_name, "Patient" | "AuditEvent" | "Consent" | "Provenance" | "Binary")
}

/// A set of labels that somebody holds; possibly none, which is an association.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Labels(pub i64);

impl Labels {
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(15);

    /// `(sight.labels & needs) = needs`.
    #[must_use]
    pub const fn hold(self, needs: Needs) -> bool {
        self.0 & needs.0 == needs.0
    }

    #[must_use]
    pub const fn has(self, label: Label) -> bool {
        self.0 & label.bit() != 0
    }

    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// Whether each of them is among the others.
    #[must_use]
    pub const fn are_within(self, others: Self) -> bool {
        self.0 & others.0 == self.0
    }

    /// Those that are in either.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Those that are in both.
    #[must_use]
    pub const fn common(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// Those that are not among the others.
    #[must_use]
    pub const fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Each of them, the lowest bit first.
    pub fn each(self) -> impl Iterator<Item = Label> {
        Label::ALL.into_iter().filter(move |label| self.has(*label))
    }

    /// Their codes with a space between, as headers and ledger say them.
    #[must_use]
    pub fn codes(self) -> String {
        self.each().map(Label::code).collect::<Vec<_>>().join(" ")
    }

    /// As people know them, in the middle of a sentence.
    #[must_use]
    pub fn words(self) -> String {
        let words: Vec<String> = self.each().map(|label| label.words().to_lowercase()).collect();
        if words.is_empty() { "no label".into() } else { words.join(", ") }
    }

    /// The labels of such codes; `None` where one of them is no label.
    #[must_use]
    pub fn named(codes: &str) -> Option<Self> {
        codes.split_whitespace().map(Label::named).collect()
    }
}

impl FromIterator<Label> for Labels {
    fn from_iter<I: IntoIterator<Item = Label>>(labels: I) -> Self {
        labels.into_iter().fold(Self::NONE, |all, label| all.and(Self(label.bit())))
    }
}

/// The labels that a viewer needs in order to see an item by consent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Needs(pub i64);

impl Needs {
    /// An association is enough.
    pub const NONE: Self = Self(0);
    pub const ALL: Self = Self(15);
    /// A bit that nobody can hold: the patient alone sees it, by no other right than `self`.
    pub const SELF_ONLY_BIT: i64 = 16;
    pub const SELF_ONLY: Self = Self(31);
    /// Bits that nobody can hold either: a draft is its author's alone, a private message its participants' and the patient's.
    pub const DRAFT_BIT: i64 = 32;
    pub const PRIVATE_BIT: i64 = 64;
    /// A bit that is no label's either: held back from the patient and carers, until it is released.
    pub const HELD_BACK_BIT: i64 = 128;

    /// What an item with this label, or with none, needs.
    #[must_use]
    pub const fn of(label: Option<Label>) -> Self {
        match label {
            Some(label) => Self(label.bit()),
            None => Self::ALL,
        }
    }

    /// The same of what is held back, or is not any more.
    #[must_use]
    pub const fn of_held_back(self, is_held_back: bool) -> Self {
        let released = self.0 & !Self::HELD_BACK_BIT;
        if is_held_back { Self(released | Self::HELD_BACK_BIT) } else { Self(released) }
    }

    #[must_use]
    pub const fn is_held_back(self) -> bool {
        self.0 & Self::HELD_BACK_BIT != 0
    }

    /// The same of an item with this label, or with none; whatever else it takes stays.
    #[must_use]
    pub const fn labelled(self, label: Option<Label>) -> Self {
        Self((self.0 & !Self::ALL.0) | Self::of(label).0)
    }

    #[must_use]
    pub const fn is_self_only(self) -> bool {
        self.0 & Self::SELF_ONLY_BIT != 0
    }

    /// The same of a draft, or of what is none.
    #[must_use]
    pub const fn of_draft(self, is_draft: bool) -> Self {
        if is_draft { Self(self.0 | Self::DRAFT_BIT) } else { self }
    }

    /// The same of a private message, or of what is none.
    #[must_use]
    pub const fn of_private(self, is_private: bool) -> Self {
        if is_private { Self(self.0 | Self::PRIVATE_BIT) } else { self }
    }

    #[must_use]
    pub const fn is_draft(self) -> bool {
        self.0 & Self::DRAFT_BIT != 0
    }

    #[must_use]
    pub const fn is_private(self) -> bool {
        self.0 & Self::PRIVATE_BIT != 0
    }

    /// What it takes to see it by a consent, whatever it is besides.
    #[must_use]
    pub const fn for_consent(self) -> Self {
        Self(self.0 & !(Self::DRAFT_BIT | Self::PRIVATE_BIT | Self::HELD_BACK_BIT))
    }
}

/// One coding of `meta.security`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coding<'a> {
    pub system: Option<&'a str>,
    pub code: Option<&'a str>,
}

/// Two different labels in one write: an item has exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeveralLabels(pub Label, pub Label);

/// What the codings of one write say about its label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Labelling {
    /// This label.
    Label(Label),
    /// No label, but a sensitivity that no label stands for: the item stays without one, and needs all four.
    Sensitive,
    /// Nothing: the source's default applies.
    Silent,
}

/// What the codings of a write say about its label. Any other code of the two systems is taken for a sensitivity, but for the
/// confidentialities that are no stricter than normal: to ask for too much is safe, to ask for too little is not.
pub fn labelling<'a>(
    type_name: &str,
    security: impl IntoIterator<Item = Coding<'a>>,
) -> Result<Labelling, SeveralLabels> {
    let mut said = Labelling::Silent;
    for coding in security {
        let is_sensitive = match coding.system {
            Some(CONFIDENTIALITY) => matches!(coding.code, Some("R" | "V")),
            Some(ACT_CODE) => coding.code.is_some(),
            _ => false,
        };
        said = match (said, Label::of_coding(type_name, &coding)) {
            (Labelling::Label(one), Some(other)) if one != other => return Err(SeveralLabels(one, other)),
            (_, Some(label)) => Labelling::Label(label),
            (Labelling::Silent, None) if is_sensitive => Labelling::Sensitive,
            (before, None) => before,
        };
    }
    Ok(said)
}

/// What it takes to see an item of a type that carries these codings. An item without a label needs all four: so does
/// one whose sensitivity the table does not name.
pub fn needs<'a>(type_name: &str, security: impl IntoIterator<Item = Coding<'a>>) -> Result<Needs, SeveralLabels> {
    let label = match labelling(type_name, security)? {
        Labelling::Label(label) => Some(label),
        Labelling::Sensitive | Labelling::Silent => None,
    };
    Ok(match type_name {
        "Patient" => Needs::NONE,
        "AuditEvent" => Needs::SELF_ONLY,
        // Its targets may have any label.
        "Consent" | "Provenance" => Needs::ALL,
        _ => Needs::of(label),
    })
}
