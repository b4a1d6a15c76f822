//! An invitee: somebody who has the code and the token of an invitation and knows the date of birth, held against the throttle before
//! any of that is looked at.

use crate::app::App;
use crate::app::failed_authentications::{self, FailureCause};
use crate::app::trouble::During;
use crate::secrets::invitation::{fingerprint, plain};
use crate::secrets::throttle::{Attempt, Claimant, Wait};
use crate::voices::page::PageStop;
use crate::voices::problem::Problem;
use fhir::human_name;
use fhir::types::ResourceType;
use rules::ids::PatientId;
use rules::invitations::{Candidate, FurtherProof, hindrance};
use rules::moment::Moment;
use rules::reach::Reach;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::net::IpAddr;
use store::clients::Fingerprint;
use store::invitation_tries::{self, InviteeProof};
use store::invitations::{self, Invitation, InvitationPair};
use store::read;
use subtle::ConstantTimeEq;

/// What somebody filled in, as it is compared; also sealed into the form that follows.
#[derive(Serialize, Deserialize)]
pub(crate) struct InvitationProof {
    code: String,
    token: [u8; 32],
    birth_date: String,
}

/// Whom an invitation is for.
#[derive(Debug)]
pub(crate) struct Invitee {
    pub(crate) invitation: Invitation,
    /// As the Patient has it.
    pub(crate) name: Option<String>,
}

impl InvitationProof {
    /// The date of birth is a whole date.
    pub(crate) fn new(code: &str, token: &str, birth_date: String) -> Self {
        Self { code: plain(code), token: fingerprint(token).0, birth_date }
    }

    fn pair(&self) -> InvitationPair {
        InvitationPair { code: self.code.clone(), token: Fingerprint(self.token) }
    }

    /// The invitee, if all of it is right. Why it is not, nobody is told.
    pub(crate) async fn prove(&self, app: &App, address: IpAddr, now: Moment) -> Result<Option<Invitee>, PageStop> {
        let found = invitations::find(&app.store, &self.code).await.during("looking an invitation up")?;
        let patient = found.as_ref().map(|found| found.patient);
        let claimant = patient.map_or(Claimant::Invented(self.code.as_str()), Claimant::Known);
        let attempt = attempt(app, claimant, address)?;
        let is_known = found.is_some();
        let Some(open) = self.opened(found, now) else {
            attempt.settle(false);
            let cause = if is_known { FailureCause::WrongProof } else { FailureCause::Unknown };
            failed_authentications::invitation(app, patient, address, cause);
            return Ok(None);
        };
        // Before the date is looked at: neither many at once nor whoever hangs up has more tries than there are.
        let has_a_try = invitation_tries::count(&app.store, InviteeProof::BirthDate, self.pair(), now)
            .await
            .during("counting a try")?;
        let invitee = if has_a_try { self.known(app, open, now).await? } else { None };
        attempt.settle(invitee.is_some());
        match &invitee {
            Some(_) => invitation_tries::forget(&app.store, InviteeProof::BirthDate, self.pair())
                .await
                .during("forgetting tries")?,
            None => failed_authentications::invitation(app, patient, address, FailureCause::WrongProof),
        }
        Ok(invitee)
    }

    /// The invitee, if what was right before still is.
    pub(crate) async fn prove_again(&self, app: &App, now: Moment) -> Result<Option<Invitee>, PageStop> {
        let found = invitations::find(&app.store, &self.code).await.during("looking an invitation up")?;
        match self.opened(found, now) {
            Some(open) => self.known(app, open, now).await,
            None => Ok(None),
        }
    }

    /// The invitation, if the token is its own and it can be redeemed.
    fn opened(&self, found: Option<Invitation>, now: Moment) -> Option<Invitation> {
        let is_its_own = |found: &Invitation| bool::from(self.token.ct_eq(&found.pair.token.0));
        found.filter(|found| is_its_own(found) && found.stands(now))
    }

    /// The invitee, if the date of birth is that of the Patient, as the organisation that invites sees it.
    async fn known(&self, app: &App, invitation: Invitation, now: Moment) -> Result<Option<Invitee>, PageStop> {
        let reach = Reach::of_organisation(invitation.organisation);
        let patient = read::read(&app.store, &reach, ResourceType::Patient, &invitation.patient_id, now).await;
        let patient = patient.during("reading the Patient of an invitation")?;
        let patient: Value = patient.and_then(|patient| serde_json::from_str(&patient.body).ok()).unwrap_or_default();
        let birth_date = patient.get("birthDate").and_then(Value::as_str);
        let candidate = Candidate { is_ours: true, deceased: false, registered: false, birth_date };
        let is_right = bool::from(self.birth_date.as_bytes().ct_eq(birth_date.unwrap_or_default().as_bytes()));
        if !is_right || hindrance(candidate, now).is_some() {
            return Ok(None);
        }
        Ok(Some(Invitee { invitation, name: human_name::written(&patient) }))
    }
}

impl Invitee {
    /// A try at something that is counted against this invitation.
    pub(crate) fn attempt(&self, app: &App, address: IpAddr) -> Result<Attempt, PageStop> {
        attempt(app, Claimant::Known(self.invitation.patient), address)
    }

    /// What is compared of the further code that was typed, if it is the one on the paper; `None` within where the invitation asks
    /// for none, and around it where this is not the one, or is one no more.
    pub(crate) async fn prove_paper(
        &self,
        app: &App,
        typed: &str,
        address: IpAddr,
        now: Moment,
    ) -> Result<Option<Option<Fingerprint>>, PageStop> {
        if self.invitation.further_proof == FurtherProof::None {
            return Ok(Some(None));
        }
        let (attempt, pair, given) = (self.attempt(app, address)?, self.invitation.pair.clone(), fingerprint(typed));
        // Before the code is looked at: neither many at once nor whoever hangs up has more tries than there are.
        let has_a_try = invitation_tries::count(&app.store, InviteeProof::Paper, pair.clone(), now)
            .await
            .during("counting a try at a paper")?;
        let fits = |paper: &Fingerprint| bool::from(paper.0.ct_eq(&given.0));
        let is_right = has_a_try && self.invitation.paper_code().is_some_and(fits);
        attempt.settle(is_right);
        if !is_right {
            let patient = Some(self.invitation.patient);
            failed_authentications::invitation(app, patient, address, FailureCause::WrongProof);
            return Ok(None);
        }
        invitation_tries::forget(&app.store, InviteeProof::Paper, pair).await.during("forgetting tries at a paper")?;
        Ok(Some(Some(given)))
    }
}

fn attempt(app: &App, who: Claimant<'_, PatientId>, address: IpAddr) -> Result<Attempt, PageStop> {
    app.throttle.joining(who, address, app.clock.uptime()).map_err(|Wait(seconds)| {
        app.metrics.throttled.inc();
        let patient = if let Claimant::Known(patient) = who { Some(patient) } else { None };
        failed_authentications::invitation(app, patient, address, FailureCause::Throttled);
        Problem::wait(seconds).into()
    })
}
