//! Random worlds: who is registered with whom, who writes what about whom, and through whose eyes is looked.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::subsequence;

pub const ORGANISATIONS: usize = 2;
pub const TEAMS: usize = 3;
pub const PATIENTS: usize = 3;

/// What every resource of a world is, by its place in it. The last are the Patients themselves.
pub const KINDS: [&str; 19] = [
    "Observation",
    "Observation",
    "Appointment",
    "Group",
    "Practitioner",
    "Questionnaire",
    "AuditEvent",
    "Consent",
    "Provenance",
    "Basic",
    "Communication",
    "Communication",
    "CarePlan",
    "DocumentReference",
    "DocumentReference",
    "Binary",
    "Binary",
    "Patient",
    "Patient",
];
/// The place of the first message.
const MESSAGE: usize = 10;
/// The places of the two Binaries.
pub const BINARIES: [usize; 2] = [15, 16];
/// The place of the first Patient.
pub const FIRST_PATIENT: usize = 17;
/// Who may be told of a message: the teams, and the professional without a team.
pub const PARTIES: usize = TEAMS + 1;
/// Labels to choose from: none, each of four, and a sensitivity that the table does not name.
pub const LABELS: usize = 6;

#[derive(Clone, Debug)]
pub struct Case {
    pub steps: Vec<Step>,
    /// Rows of sight that are put behind the store's back.
    pub openings: Vec<Opening>,
    pub viewer: Vec<Onlooker>,
}

#[derive(Clone, Debug)]
pub enum Step {
    /// Makes these teams the ones that a patient is registered with.
    Register {
        patient: usize,
        teams: Vec<usize>,
    },
    /// Moves a team to an organisation.
    Move {
        team: usize,
        organisation: usize,
    },
    Write(Draft),
    /// Writes anew, as its own source, whatever is in this place by then.
    Rewrite(Draft),
}

/// A resource to write.
#[derive(Clone, Debug)]
pub struct Draft {
    pub place: usize,
    pub about: Vec<usize>,
    pub label: usize,
    pub maker: Maker,
    /// Which of the Binaries a document carries.
    pub carries: usize,
    /// Sets two writes of the same apart, mostly.
    pub text: u8,
    pub audience: DraftAudience,
}

/// For whom a message or a plan is.
#[derive(Clone, Debug, Default)]
pub struct DraftAudience {
    pub is_draft: bool,
    pub is_private: bool,
    pub parties: Vec<usize>,
}

#[derive(Clone, Copy, Debug)]
pub enum Maker {
    Patient(usize),
    /// A professional without a team.
    Person,
    Carer,
    Team(usize),
    /// A member in a session for a team.
    Member(usize),
    Organisation(usize),
}

/// Those who can have a row of sight: teams, organisations, the professional without a team, the carer.
pub const VIEWERS: usize = TEAMS + ORGANISATIONS + 2;

/// A row of sight; its end is so many milliseconds from now.
#[derive(Clone, Debug)]
pub struct Opening {
    pub patient: usize,
    pub viewer: usize,
    pub labels: i64,
    pub ends_in: Option<i64>,
    pub stays: bool,
}

#[derive(Clone, Debug)]
pub enum Onlooker {
    Own(usize),
    /// Of this patient.
    Carer(usize),
    Person,
    Teams(Vec<usize>),
    /// The member, in a session for these teams.
    Member(Vec<usize>),
    /// A team that has broken the glass of a patient.
    Glass {
        team: usize,
        patient: usize,
    },
    Organisation {
        organisation: usize,
        through: Vec<usize>,
    },
}

pub fn case() -> impl Strategy<Value = Case> {
    let viewer = vec(viewer(), 6..12);
    (vec(step(), 4..24), vec(opening(), 0..10), viewer).prop_map(|(steps, openings, viewer)| Case {
        steps,
        openings,
        viewer,
    })
}

/// Worlds that a random one is rarely.
pub fn rare() -> Vec<Case> {
    let write = |place, about: &[usize], maker| {
        let audience = DraftAudience::default();
        Step::Write(Draft { place, about: about.to_vec(), label: 1, maker, carries: 0, text: 0, audience })
    };
    let everybody = || -> Vec<Onlooker> {
        let own = (0..PATIENTS).map(Onlooker::Own);
        let teams = (0..TEAMS).map(|team| Onlooker::Teams(vec![team]));
        own.chain(teams).collect()
    };
    let registered = Step::Register { patient: 0, teams: vec![0] };
    // A team moves between its Binary and the document that carries it: it is still the same source.
    let [document, binary] = [KINDS.len() - 6, BINARIES[0]];
    let moved = vec![
        registered,
        write(binary, &[], Maker::Team(1)),
        Step::Move { team: 1, organisation: 0 },
        write(document, &[0], Maker::Team(1)),
    ];
    // Out of one pair of records into another: each version stays where it was.
    let pairs = vec![
        Step::Register { patient: 0, teams: vec![0] },
        Step::Register { patient: 1, teams: vec![1] },
        Step::Register { patient: 2, teams: vec![2] },
        write(2, &[0, 1], Maker::Organisation(0)),
        write(2, &[1, 2], Maker::Organisation(0)),
        write(2, &[0, 2], Maker::Organisation(0)),
    ];
    // A member drafts a message, another session of the team's would change it, and it is sent, in private.
    let says = |maker, is_draft, text| {
        let audience = DraftAudience { is_draft, is_private: true, parties: vec![1, TEAMS] };
        Step::Write(Draft { place: MESSAGE, about: vec![0], label: 1, maker, carries: 0, text, audience })
    };
    let sent = vec![
        Step::Register { patient: 0, teams: vec![0, 2] },
        says(Maker::Member(0), true, 0),
        says(Maker::Member(0), true, 1),
        says(Maker::Member(0), false, 2),
        says(Maker::Member(0), false, 3),
    ];
    let members = || (0..TEAMS).map(|team| Onlooker::Member(vec![team])).chain([Onlooker::Person]);
    let worlds = [moved, pairs, sent].into_iter();
    worlds
        .map(|steps| Case { steps, openings: vec![], viewer: everybody().into_iter().chain(members()).collect() })
        .collect()
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        2 => (0..PATIENTS, some(TEAMS)).prop_map(|(patient, teams)| Step::Register { patient, teams }),
        1 => (0..TEAMS, 0..ORGANISATIONS).prop_map(|(team, organisation)| Step::Move { team, organisation }),
        6 => draft().prop_map(Step::Write),
        4 => draft().prop_map(Step::Rewrite),
    ]
}

fn draft() -> impl Strategy<Value = Draft> {
    // More messages and plans than there are places for.
    let place = prop_oneof![2 => 0..KINDS.len(), 1 => MESSAGE..MESSAGE + 3];
    (place, some(PATIENTS), 0..LABELS, maker(), 0..BINARIES.len(), 0..4_u8, audience()).prop_map(
        |(place, about, label, maker, carries, text, audience)| Draft {
            place,
            about,
            label,
            maker,
            carries,
            text,
            audience,
        },
    )
}

fn audience() -> impl Strategy<Value = DraftAudience> {
    (any::<bool>(), any::<bool>(), some(PARTIES)).prop_map(|(is_draft, is_private, parties)| DraftAudience {
        is_draft,
        is_private,
        parties,
    })
}

fn maker() -> impl Strategy<Value = Maker> {
    prop_oneof![
        1 => (0..PATIENTS).prop_map(Maker::Patient),
        1 => Just(Maker::Person),
        1 => Just(Maker::Carer),
        2 => (0..TEAMS).prop_map(Maker::Team),
        2 => (0..TEAMS).prop_map(Maker::Member),
        3 => (0..ORGANISATIONS).prop_map(Maker::Organisation),
    ]
}

fn opening() -> impl Strategy<Value = Opening> {
    let ends_in = prop_oneof![Just(None), Just(Some(-1)), Just(Some(0)), Just(Some(1)), Just(Some(60_000))];
    (0..PATIENTS, 0..VIEWERS, 0..16_i64, ends_in, any::<bool>())
        .prop_map(|(patient, viewer, labels, ends_in, stays)| Opening { patient, viewer, labels, ends_in, stays })
}

fn viewer() -> impl Strategy<Value = Onlooker> {
    prop_oneof![
        1 => (0..PATIENTS).prop_map(Onlooker::Own),
        2 => (0..PATIENTS).prop_map(Onlooker::Carer),
        2 => Just(Onlooker::Person),
        2 => some(TEAMS).prop_map(Onlooker::Teams),
        1 => (0..TEAMS).prop_map(|team| Onlooker::Teams(vec![team])),
        2 => some(TEAMS).prop_map(Onlooker::Member),
        2 => (0..TEAMS).prop_map(|team| Onlooker::Member(vec![team])),
        2 => (0..TEAMS, 0..PATIENTS).prop_map(|(team, patient)| Onlooker::Glass { team, patient }),
        2 => (0..ORGANISATIONS, some(TEAMS))
            .prop_map(|(organisation, through)| Onlooker::Organisation { organisation, through }),
    ]
}

/// Some of the first so many numbers, possibly none or all.
fn some(count: usize) -> impl Strategy<Value = Vec<usize>> {
    subsequence((0..count).collect::<Vec<_>>(), 0..=count)
}
