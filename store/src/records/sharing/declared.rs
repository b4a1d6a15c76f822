//! Consents as operators declare them: patient and grantee by the names that people know.

use super::change::{self, ConsentForm, Sharer, SharingRequest};
use crate::access::organisations;
use crate::access::patients;
use crate::access::people::{self, User};
use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::records::reach::consents;
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::store::Store;
use crate::version_clock::VersionClock;
use rules::calendar::{Day, instant};
use rules::consent::actor::{Actor, GranteeFacts};
use rules::consent::basis::BasisKind;
use rules::consent::change::{ConsentFacts, WantedConsent};
use rules::consent::denial::Denial;
use rules::consent::record::{Consent, Grantee};
use rules::consent::state::PatientState;
use rules::labels::Labels;
use rules::moment::Moment;
use rules::scope::UserType;
use std::fmt;
use std::result::Result as Either;

statements! {
    MEMBER = "SELECT team_id FROM memberships WHERE user_id = $1 LIMIT 1";
}

/// To whom a consent is given: the public id of a team, the username of a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GranteeName {
    Team(String),
    Professional(String),
    Carer(String),
}

/// A consent as it shall be.
#[derive(Clone)]
pub struct DeclaredConsent {
    /// The FHIR id of the patient.
    pub patient: String,
    pub to: GranteeName,
    pub wanted: WantedConsent,
    /// When the patient was born, where that is known to the day.
    pub born: Option<Day>,
    /// The setting `carers.end_at_age`.
    pub carers_end_at_age: i64,
    pub form: ConsentForm,
}

/// What became of a declared consent, or would.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConsentFate {
    Given,
    Changed,
    Left,
}

const NO_TEAM: &str = "is no team; declare it first";
const NO_USER: &str = "is no user; declare it first";
const NO_PROFESSIONAL: &str =
    "is no CLINICIAN without a team; the professionals of a team see by the consent of the team";
const NO_CARER: &str = "is no PATIENT; a carer is a user of the type PATIENT";
const OWN_RECORD: &str = "is the patient, who needs no consent";

impl GranteeName {
    /// The grantee of this kind and name.
    #[must_use]
    pub fn of(word: &str, name: String) -> Option<Self> {
        match word {
            "team" => Some(Self::Team(name)),
            "professional" => Some(Self::Professional(name)),
            "carer" => Some(Self::Carer(name)),
            _ => None,
        }
    }

    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Team(_) => "team",
            Self::Professional(_) => "professional",
            Self::Carer(_) => "carer",
        }
    }

    #[must_use]
    pub fn name(&self) -> &str {
        let (Self::Team(name) | Self::Professional(name) | Self::Carer(name)) = self;
        name
    }

    /// The person of this name as a grantee of a patient, or why they are none.
    fn person(&self, patient: &str, user: Option<&User>, is_member: bool) -> Either<Grantee, &'static str> {
        let user = user.ok_or(NO_USER)?;
        match self {
            Self::Carer(_) if user.user_type != UserType::Patient => Err(NO_CARER),
            Self::Carer(_) if user.patient_id.as_deref() == Some(patient) => Err(OWN_RECORD),
            Self::Carer(_) => Ok(Grantee::Carer(user.id)),
            _ if user.user_type != UserType::Clinician || is_member => Err(NO_PROFESSIONAL),
            _ => Ok(Grantee::Professional(user.id)),
        }
    }
}

impl fmt::Display for GranteeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.word(), self.name())
    }
}

impl DeclaredConsent {
    /// What it is called in messages.
    pub(crate) fn name(&self) -> String {
        format!("{} to {}", self.patient, self.to)
    }

    /// Whether what is there stays whatever is declared: the patient has taken labels away since, and only a declaration that says
    /// EXPLICIT itself was made knowing that. A file is applied again and again, and would undo the patient's word each time.
    fn leaves(&self, before: &Consent) -> bool {
        let is_explicit = self.wanted.basis.as_ref().is_some_and(|basis| basis.kind == BasisKind::Explicit);
        before.withdrawn && !is_explicit
    }

    fn refused(&self, denial: &Denial) -> Error {
        self.trouble(&denial.message())
    }

    fn trouble(&self, why: &str) -> Error {
        Error::Setup(format!("consent {}: {why}", self.name()))
    }
}

impl fmt::Debug for DeclaredConsent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { patient, to, wanted, .. } = self;
        let mut shown = f.debug_struct("DeclaredConsent");
        shown.field("patient", patient).field("to", to).field("wanted", wanted).finish_non_exhaustive()
    }
}

/// The grantee of this name for a patient, or why there is none.
pub async fn grantee(store: &Store, patient: &str, name: &GranteeName) -> Result<Either<Grantee, &'static str>> {
    if let GranteeName::Team(public_id) = name {
        let team = organisations::find_team(store, public_id).await?;
        return Ok(team.map(|team| Grantee::Team(team.id)).ok_or(NO_TEAM));
    }
    let user = people::find(store, name.name()).await?;
    let is_member = match &user {
        Some(user) => !organisations::teams_of_user(store, user.id).await?.is_empty(),
        None => false,
    };
    Ok(name.person(patient, user.as_ref(), is_member))
}

/// The same, as a transaction sees it.
async fn load_grantee(tx: &mut Tx<'_>, patient: &str, name: &GranteeName) -> Result<Either<Grantee, &'static str>> {
    if let GranteeName::Team(public_id) = name {
        let team = organisations::load_team(tx, public_id).await?;
        return Ok(team.map(|team| Grantee::Team(team.id)).ok_or(NO_TEAM));
    }
    let user = people::load(tx, name.name()).await?;
    let is_member = match &user {
        Some(user) => tx.query_one(MEMBER, args![user.id], |row| row.int(0)).await?.is_some(),
        None => false,
    };
    Ok(name.person(patient, user.as_ref(), is_member))
}

/// Makes a declared consent.
pub(crate) async fn make(
    tx: &mut Tx<'_>,
    (ids, versions): (&Ids, &VersionClock),
    declared: &DeclaredConsent,
    now: Moment,
) -> Result<ConsentFate> {
    let patient = patients::number(tx, ids, &declared.patient, now).await?;
    let grantee = load_grantee(tx, &declared.patient, &declared.to).await?;
    let grantee = grantee.map_err(|why| declared.trouble(why))?;
    let before = consents::load_pair(tx, patient, grantee).await?;
    if before.is_some_and(|before| declared.leaves(before.consent())) {
        return Ok(ConsentFate::Left);
    }
    let request = SharingRequest {
        patient,
        grantee,
        sharer: Sharer::Operator,
        by: None,
        wanted: declared.wanted.clone(),
        born: declared.born,
        carers_end_at_age: declared.carers_end_at_age,
        form: declared.form.clone(),
    };
    let outcome = change::change_in(tx, (ids, versions), &request, now, &instant(now)).await?;
    let outcome = outcome.map_err(|denial| declared.refused(&denial))?;
    Ok(match (outcome.is_new, outcome.is_changed) {
        (true, _) => ConsentFate::Given,
        (false, true) => ConsentFate::Changed,
        (false, false) => ConsentFate::Left,
    })
}

/// What `make` would do, found out by reading alone. Who is yet to be made has no consent.
pub(crate) async fn rehearse(store: &Store, declared: &DeclaredConsent, now: Moment) -> Result<ConsentFate> {
    let Some(patient) = patients::find(store, &declared.patient).await? else { return Ok(ConsentFate::Given) };
    let grantee = grantee(store, &declared.patient, &declared.to).await?;
    let Ok(grantee) = grantee else { return Ok(ConsentFate::Given) };
    let all = consents::of_patient(store, patient).await?;
    let Some(before) = all.iter().map(|stored| stored.consent()).find(|before| before.grantee == grantee) else {
        return Ok(ConsentFate::Given);
    };
    if declared.leaves(before) {
        return Ok(ConsentFate::Left);
    }
    let state = patients::state(store, patient).await?.unwrap_or(PatientState::normal(patient));
    let state = PatientState { born: declared.born, ..state };
    let team = match &declared.to {
        GranteeName::Team(public_id) => organisations::find_team(store, public_id).await?,
        GranteeName::Professional(_) | GranteeName::Carer(_) => None,
    };
    let to = GranteeFacts {
        grantee,
        organisation: team.as_ref().map(|team| team.organisation),
        default_access: team.map_or(Labels::NONE, |team| team.settings.default_access),
    };
    let facts = ConsentFacts {
        patient: &state,
        to,
        before: Some(before),
        is_associated: true,
        carers_end_at_age: declared.carers_end_at_age,
    };
    let changed = rules::consent::change::change(Actor::Operator, &declared.wanted, &facts, before.id, now);
    let changed = changed.map_err(|denial| declared.refused(&denial))?;
    let is_same = changed.acts.is_empty() && changed.after == *before;
    Ok(if is_same { ConsentFate::Left } else { ConsentFate::Changed })
}
