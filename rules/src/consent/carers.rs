//! Carers: who is told of a change, and what of them a team is shown.

use crate::consent::record::{Consent, Grantee};
use crate::consent::state::PatientState;
use crate::ids::UserId;
use crate::labels::Labels;
use crate::moment::Moment;
use alloc::vec::Vec;

/// The carers who hold a label: with the patient they are told of every change of a consent. After the patient's death nobody is.
#[must_use]
pub fn told(patient: &PatientState, consents: &[Consent], now: Moment) -> Vec<UserId> {
    if patient.deceased {
        return Vec::new();
    }
    holding(consents, Labels::ALL, now).map(|(user, _)| user).collect()
}

/// The carers whose labels overlap with those of a team, each cut to the overlap.
pub fn holding(consents: &[Consent], held: Labels, now: Moment) -> impl Iterator<Item = (UserId, Labels)> {
    consents.iter().filter_map(move |consent| match consent.grantee {
        Grantee::Carer(user) => {
            Some((user, consent.in_force(now).common(held))).filter(|(_, labels)| !labels.is_none())
        }
        Grantee::Team(_) | Grantee::Professional(_) => None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::consent::record::ConsentId;
    use crate::ids::{PatientId, TeamId};
    use alloc::vec;

    const NOW: Moment = Moment(1000);
    const CHEN: UserId = UserId(3);

    fn consent(grantee: Grantee, labels: i64) -> Consent {
        Consent { labels: Labels(labels), accepted: true, ..Consent::new(ConsentId(1), PatientId(1), grantee) }
    }

    #[test]
    fn a_team_is_shown_the_carers_whose_labels_overlap_with_its_own_each_cut_to_the_overlap() {
        let over = Consent { ends_at: Some(NOW), ..consent(Grantee::Carer(UserId(4)), 15) };
        let consents = [consent(Grantee::Carer(CHEN), 6), over, consent(Grantee::Team(TeamId(9)), 15)];
        let shown = |held| holding(&consents, Labels(held), NOW).collect::<Vec<_>>();
        assert_eq!(shown(3), vec![(CHEN, Labels(2))]);
        assert_eq!(shown(15), vec![(CHEN, Labels(6))]);
        assert_eq!(shown(9), vec![]);
        assert_eq!(told(&PatientState::normal(PatientId(1)), &consents, NOW), vec![CHEN]);
    }
}
