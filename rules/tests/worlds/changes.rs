//! Wishes: somebody wants the consent of a pair to be so.

use super::draw::Draw;
use super::records::{CARER, GRANTEES, NOW, ORGANISATION, TEAM, consent, patient};
use rules::consent::actor::{Actor, GranteeFacts};
use rules::consent::basis::{Basis, BasisKind, Reason};
use rules::consent::change::{ConsentFacts, End, LabelChange, WantedConsent};
use rules::consent::record::{Consent, Grantee};
use rules::consent::state::PatientState;
use rules::ids::UserId;
use rules::labels::Labels;
use rules::moment::Moment;

pub(crate) struct Wish {
    pub(crate) actor: Actor,
    pub(crate) wanted: WantedConsent,
    pub(crate) patient: PatientState,
    pub(crate) to: GranteeFacts,
    pub(crate) before: Option<Consent>,
}

impl Wish {
    pub(crate) fn drawn(draw: &mut Draw) -> Self {
        let held = Labels(draw.below(16) as i64);
        let actors = [
            Actor::Patient,
            Actor::Patient,
            Actor::Carer { user: CARER, held, manages: true },
            Actor::Carer { user: UserId(99), held, manages: true },
            Actor::Carer { user: CARER, held, manages: false },
            Actor::Clinician { team: TEAM, attesting: Some(UserId(40)), held },
            Actor::Clinician { team: TEAM, attesting: None, held },
            Actor::Coordinator { team: TEAM, held },
            Actor::SystemClient(ORGANISATION),
            Actor::PrivacyOfficer(ORGANISATION),
            Actor::Operator,
            Actor::Other,
        ];
        let grantee = draw.one_of(&GRANTEES);
        let organisation = matches!(grantee, Grantee::Team(_)).then_some(ORGANISATION);
        Self {
            actor: draw.one_of(&actors),
            wanted: wanted(draw, grantee),
            patient: patient(draw),
            to: GranteeFacts { grantee, organisation, default_access: Labels(draw.one_of(&[0, 1, 3])) },
            before: (!draw.once_in(3)).then(|| consent(draw, grantee)),
        }
    }

    pub(crate) const fn facts<'c>(
        patient: &'c PatientState,
        to: GranteeFacts,
        before: Option<&'c Consent>,
    ) -> ConsentFacts<'c> {
        ConsentFacts { patient, to, before, is_associated: true, carers_end_at_age: 16 }
    }
}

fn wanted(draw: &mut Draw, grantee: Grantee) -> WantedConsent {
    let kinds = [Some(BasisKind::Explicit), Some(BasisKind::Implied), None];
    let ends = [None, None, None, Some(End::Never), Some(End::At(Moment(NOW.0 + 5))), Some(End::At(NOW))];
    WantedConsent {
        labels: (!draw.once_in(4)).then(|| Labels(draw.below(16) as i64)),
        each: match draw.once_in(3) {
            true => LabelChange { given: Labels(draw.below(16) as i64), taken: Labels(draw.below(16) as i64) },
            false => LabelChange::default(),
        },
        discharged: draw.one_of(&[None, None, Some(false), Some(true)]),
        locked: draw.one_of(&[None, None, None, Some(false), Some(true)]),
        manages: if grantee.is_carer() { draw.one_of(&[None, Some(true), Some(false)]) } else { None },
        basis: draw.one_of(&kinds).map(|kind| Basis::new(kind, Reason::InTreatment)),
        ends_at: draw.one_of(&ends),
        reason: draw.once_in(2).then(|| "a reason".into()),
    }
}
