//! Privacy labels: which an item has, said by its `meta.security`, and which a viewer needs in order to see it.
//!
//! The tables `labels` and `needs` of docs/gaps.md; a test reads them there.

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

    #[must_use]
    pub const fn bit(self) -> i64 {
        match self {
            Self::GeneralHealth => 1,
            Self::MentalHealth => 2,
            Self::SexualHealth => 4,
            Self::SocialCare => 8,
        }
    }

    /// What a coding of `meta.security` says; `None` where it is no label.
    #[must_use]
    pub fn of_coding(type_name: &str, coding: &Coding<'_>) -> Option<Self> {
        let (system, code) = (coding.system?, coding.code?);
        match system {
            LABEL_SYSTEM | LABEL_SYSTEM_ELSEWHERE => Self::ALL.into_iter().find(|label| label.code() == code),
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

    #[must_use]
    pub const fn is_self_only(self) -> bool {
        self.0 & Self::SELF_ONLY_BIT != 0
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

/// What it takes to see an item of a type that carries these codings. An item without a label needs all four: so does
/// one whose sensitivity the table does not name.
pub fn needs<'a>(type_name: &str, security: impl IntoIterator<Item = Coding<'a>>) -> Result<Needs, SeveralLabels> {
    let mut label = None;
    for coding in security {
        match (label, Label::of_coding(type_name, &coding)) {
            (Some(one), Some(other)) if one != other => return Err(SeveralLabels(one, other)),
            (_, next) => label = next.or(label),
        }
    }
    Ok(match type_name {
        "Patient" => Needs::NONE,
        "AuditEvent" => Needs::SELF_ONLY,
        // Its targets may have any label.
        "Consent" | "Provenance" => Needs::ALL,
        _ => label.map_or(Needs::ALL, |label| Needs(label.bit())),
    })
}
