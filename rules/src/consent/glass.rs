//! Broken glass: who may break it, for how long it opens a record and for whom, and who is told.

use crate::calendar::instant;
use crate::consent::denial::Denial;
use crate::consent::record::{Consent, Grantee};
use crate::consent::state::PatientState;
use crate::consent::viewer::OpenGlass;
use crate::ids::{PatientId, SessionId, TeamId, UserId};
use crate::limits::GLASS_SECONDS;
use crate::moment::Moment;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

/// What the header's sealed token begins with.
pub const GLASS_PREFIX: &str = "rgg_";
/// The header of both APIs that carries it; it is never in a URL.
pub const GLASS_HEADER: &str = "breaktheglass";

/// A glass that was broken: a row, to which the sealed token leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Glass {
    pub session: SessionId,
    pub team: TeamId,
    pub user: UserId,
    pub patient: PatientId,
    pub broken_at: Moment,
    /// When the session ends, if it does.
    pub session_ends_at: Option<Moment>,
    /// When it was handed back.
    pub mended_at: Option<Moment>,
}

/// The call that presents a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlassUse {
    pub session: SessionId,
    pub team: TeamId,
    /// A team's grant (SITE) has none: the token names the user.
    pub user: Option<UserId>,
    /// The patient whom the call names; a search may name none, and then sees this patient's items among the others.
    pub patient: Option<PatientId>,
}

impl Glass {
    /// 30 minutes, the session's end or its handing back, whichever is first. At the limit it is over.
    #[must_use]
    pub fn ends_at(&self) -> Moment {
        let longest = self.broken_at.plus_seconds(GLASS_SECONDS);
        let first = self.session_ends_at.map_or(longest, |end| end.min(longest));
        self.mended_at.map_or(first, |mended| mended.min(first))
    }

    /// What it opens to a call; a token that does not fit is refused, never passed over: nobody shall take less for all. `patient`
    /// is whose glass it is, as they are now: where sharing is disabled, what was broken before opens nothing any more.
    pub fn opened(&self, call: &GlassUse, patient: &PatientState, now: Moment) -> Result<OpenGlass, Denial> {
        let is_bound = self.session == call.session
            && self.team == call.team
            && call.user.is_none_or(|user| user == self.user)
            && call.patient.is_none_or(|patient| patient == self.patient)
            && patient.id == self.patient;
        // A clock that was set back does not make it begin anew.
        let is_open = self.broken_at <= now && !now.is_past(self.ends_at()) && !patient.sharing_disabled;
        if is_bound && is_open {
            Ok(OpenGlass { patient: self.patient, team: self.team, until: self.ends_at() })
        } else {
            Err(Denial::GlassInvalid)
        }
    }
}

/// Who wants to break a glass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlassBreaker {
    /// A CLINICIAN session of a team.
    Clinician { user: UserId, team: TeamId },
    /// A team's grant; it names a user, who must be of the team.
    Site { team: TeamId, named: Option<UserId>, is_member: bool },
    /// Anybody else.
    Other,
}

/// What is known before a glass is broken.
#[derive(Clone, Copy, Debug)]
pub struct GlassFacts<'g> {
    pub session: SessionId,
    pub session_ends_at: Option<Moment>,
    /// The team's setting `break_glass`.
    pub is_enabled: bool,
    /// `None` where there is no such patient.
    pub patient: Option<&'g PatientState>,
    pub reason: Option<&'g str>,
    /// The setting `glass.reason`.
    pub needs_reason: bool,
}

/// The glass that is broken, or why not. Whether the team may is asked first: to others nothing is told of the patient.
pub fn break_glass(who: GlassBreaker, facts: &GlassFacts<'_>, now: Moment) -> Result<Glass, Denial> {
    let (user, team) = match who {
        GlassBreaker::Clinician { user, team } => (Ok(user), team),
        GlassBreaker::Site { team, named: Some(user), is_member: true } => (Ok(user), team),
        GlassBreaker::Site { team, .. } => {
            (Err(Denial::Unprocessable("name in userId the user of the team who breaks the glass")), team)
        }
        GlassBreaker::Other => {
            return Err(Denial::UserTypeNotPermitted(
                "the glass is broken by a CLINICIAN of a team, or for one by SITE",
            ));
        }
    };
    if !facts.is_enabled {
        return Err(Denial::UserTypeNotPermitted("this team may not break the glass; the operator can enable it"));
    }
    let user = user?;
    let patient = facts.patient.ok_or(Denial::NotFound)?;
    if patient.sharing_disabled {
        return Err(Denial::SharingDisabled);
    }
    if patient.deceased {
        return Err(Denial::NoConsent("the patient has died; the glass is not broken any more"));
    }
    if facts.needs_reason && facts.reason.is_none_or(|reason| reason.trim().is_empty()) {
        return Err(Denial::Unprocessable("this service asks for a reason to break the glass: send reason"));
    }
    let (session, session_ends_at) = (facts.session, facts.session_ends_at);
    Ok(Glass { session, team, user, patient: patient.id, broken_at: now, session_ends_at, mended_at: None })
}

/// What whoever breaks a glass by the custom REST API is told, in the form that its clients know: the end is a day of the month and a
/// time of it, in UTC.
#[must_use]
pub fn told_to_breaker(patient: &str, user: UserId, until: Moment) -> String {
    let until = instant(until);
    let (day, time) = (until.get(8..10).unwrap_or_default(), until.get(11..19).unwrap_or_default());
    let whose = format!("patient ({patient}) for requestor ({})", user.0);
    format!("Consent levels set to BTG against {whose} valid until {day}:{time}")
}

/// What somebody wants to do under a broken glass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlassDeed {
    Read,
    /// As the team.
    Create,
    Export,
    ChangeConsent,
}

/// What a broken glass permits.
#[must_use]
pub const fn permits(deed: GlassDeed) -> bool {
    matches!(deed, GlassDeed::Read | GlassDeed::Create)
}

/// Who is told in the same transaction, beside the patient and the privacy officers of the team's organisation: carers and teams
/// who hold a label.
#[must_use]
pub fn told(consents: &[Consent], now: Moment) -> Vec<Grantee> {
    let holds =
        |consent: &&Consent| !consent.in_force(now).is_none() && !matches!(consent.grantee, Grantee::Professional(_));
    consents.iter().filter(holds).map(|consent| consent.grantee).collect()
}
