//! One item, the rows of sight around it, and everybody who might look at it.

use super::draw::Draw;
use super::records::{NOW, ends_at};
use rules::consent::delay::{Delay, Hides};
use rules::consent::item::{Author, ItemFacts, Part, Participant};
use rules::consent::standing::Standing;
use rules::consent::viewer::{OpenGlass, Viewer};
use rules::ids::{OrganisationId, PatientId, TeamId, UserId, ViewerId};
use rules::labels::{Labels, Needs};
use rules::moment::Moment;
use rules::sight::Sight;
use rules::source::Source;

pub(crate) const PATIENTS: [PatientId; 2] = [PatientId(1), PatientId(2)];
pub(crate) const ORGANISATION: OrganisationId = OrganisationId(10);
pub(crate) const TEAMS: [TeamId; 2] = [TeamId(11), TeamId(12)];
pub(crate) const USERS: [UserId; 2] = [UserId(31), UserId(32)];
/// The numbers of those whom `Scene::viewer` makes.
pub(crate) const VIEWERS: [usize; 9] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

#[derive(Debug)]
pub(crate) struct Scene {
    pub(crate) patients: Vec<PatientId>,
    pub(crate) needs: Needs,
    pub(crate) source: Source,
    pub(crate) is_directory: bool,
    pub(crate) participants: Vec<Participant>,
    pub(crate) draft: Option<Author>,
    pub(crate) is_private: bool,
    pub(crate) delay: Option<Delay>,
    pub(crate) part: Part,
    pub(crate) standings: Vec<Standing>,
    pub(crate) glass: OpenGlass,
}

impl Scene {
    pub(crate) fn drawn(draw: &mut Draw) -> Self {
        let patients: Vec<PatientId> = PATIENTS.into_iter().filter(|_| !draw.once_in(3)).collect();
        let sources = [
            Source::Patient(PATIENTS[0]),
            Source::Person(USERS[0]),
            Source::Person(USERS[1]),
            Source::Team(TEAMS[0], ORGANISATION),
            Source::Team(TEAMS[1], OrganisationId(20)),
            Source::Organisation(ORGANISATION),
        ];
        let parts = [
            Participant::Patient(PATIENTS[0]),
            Participant::Person(USERS[0]),
            Participant::Person(USERS[1]),
            Participant::Team(TEAMS[0]),
        ];
        let participants =
            if draw.once_in(3) { parts.into_iter().filter(|_| draw.once_in(2)).collect() } else { vec![] };
        let authors =
            [Author::Patient(PATIENTS[0]), Author::Person(USERS[0]), Author::Person(USERS[1]), Author::Source];
        let hides = draw.one_of(&[Hides::Content, Hides::Item]);
        Self {
            needs: draw.one_of(&[0, 1, 1, 2, 3, 5, 15, 31, -1].map(Needs)),
            source: draw.one_of(&sources),
            is_directory: draw.once_in(4),
            participants,
            draft: draw.once_in(5).then(|| draw.one_of(&authors)),
            is_private: draw.once_in(6),
            delay: draw.once_in(4).then_some(Delay { until: NOW, hides }),
            part: draw.one_of(&[Part::Resource, Part::Content]),
            standings: standings(draw),
            glass: OpenGlass {
                patient: draw.one_of(&PATIENTS),
                team: draw.one_of(&TEAMS),
                until: Moment(NOW.0 + draw.one_of(&[0, 1, 1])),
            },
            patients,
        }
    }

    pub(crate) fn facts(&self) -> ItemFacts<'_> {
        ItemFacts {
            patients: &self.patients,
            needs: self.needs,
            source: self.source,
            is_directory: self.is_directory,
            participants: &self.participants,
            draft: self.draft,
            is_private: self.is_private,
            delay: self.delay,
            part: self.part,
        }
    }

    /// Everybody who might look, by number.
    pub(crate) fn viewer(&self, number: usize) -> Viewer<'static> {
        let team = |user, glass| Viewer::Teams { teams: &[TEAMS[0]], user, glass };
        match number {
            0 => Viewer::Patient(PATIENTS[0]),
            1 => Viewer::Patient(PATIENTS[1]),
            2 => Viewer::Carer { user: USERS[0], patient: PATIENTS[0] },
            3 => Viewer::Individual(USERS[1]),
            4 => team(None, None),
            5 => team(Some(USERS[0]), Some(self.glass)),
            6 => Viewer::Teams { teams: &TEAMS, user: Some(USERS[1]), glass: None },
            7 => Viewer::Organisation { organisation: ORGANISATION, through: &[] },
            _ => Viewer::Organisation { organisation: ORGANISATION, through: &[TEAMS[1]] },
        }
    }
}

fn standings(draw: &mut Draw) -> Vec<Standing> {
    let viewers: [ViewerId; 5] =
        [TEAMS[0].into(), TEAMS[1].into(), ORGANISATION.into(), USERS[0].into(), USERS[1].into()];
    let mut rows = Vec::new();
    for viewer in viewers {
        for patient in PATIENTS {
            if draw.once_in(2) {
                let labels = Labels(draw.one_of(&[0, 1, 3, 5, 15]));
                let sight = Sight { viewer, patient, labels, ends_at: ends_at(draw) };
                rows.push(Standing { sight, stays: draw.once_in(2) });
            }
        }
    }
    rows
}
