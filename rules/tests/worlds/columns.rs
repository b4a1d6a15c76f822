//! Who sees what, said as a store would: conditions over the columns of an item's row, of its participants and of sight, one branch
//! for each right in their order. It is written from docs/consent.md alone, to be compared with `rules::consent::decision`.

use super::records::NOW;
use super::scenes::Scene;
use rules::consent::delay::Hides;
use rules::consent::item::{Author, Part, Participant};
use rules::consent::standing::Standing;
use rules::consent::viewer::Viewer;
use rules::ids::{PatientId, UserId};
use rules::right::Right;
use rules::source::Source;

/// The columns of an item's row.
struct Columns {
    needs: i64,
    source_patient: Option<i64>,
    source_user: Option<i64>,
    source_team: Option<i64>,
    source_organisation: Option<i64>,
    is_draft: bool,
    author_patient: Option<i64>,
    author_user: Option<i64>,
    /// A private message that was sent: a draft is its author's alone, private or not.
    is_private: bool,
    /// What is asked for is kept from patient and carers.
    is_kept_back: bool,
}

impl Columns {
    fn of(scene: &Scene) -> Self {
        let (mut source_patient, mut source_user, mut source_team, mut source_organisation) = (None, None, None, None);
        match scene.source {
            Source::Patient(patient) => source_patient = Some(patient.0),
            Source::Person(user) => source_user = Some(user.0),
            Source::Team(team, organisation) => {
                (source_team, source_organisation) = (Some(team.0), Some(organisation.0))
            }
            Source::Organisation(organisation) => source_organisation = Some(organisation.0),
        }
        let (author_patient, author_user) = match scene.draft {
            Some(Author::Patient(patient)) => (Some(patient.0), None),
            Some(Author::Person(user)) => (None, Some(user.0)),
            Some(Author::Source) | None => (None, None),
        };
        let is_kept_back = scene.delay.is_some_and(|delay| delay.hides == Hides::Item || scene.part == Part::Content);
        Self {
            needs: scene.needs.0,
            source_patient,
            source_user,
            source_team,
            source_organisation,
            is_draft: scene.draft.is_some(),
            author_patient,
            author_user,
            is_private: scene.is_private && scene.draft.is_none(),
            is_kept_back,
        }
    }

    /// Its author is no person, or it is no draft.
    const fn has_no_author(&self) -> bool {
        self.author_patient.is_none() && self.author_user.is_none()
    }
}

pub(crate) fn by_columns(viewer: &Viewer<'_>, scene: &Scene) -> Option<Right> {
    let row = Columns::of(scene);
    let right = match *viewer {
        Viewer::Patient(own) => of_patient(own, &row, scene),
        Viewer::Carer { user, patient } => of_carer(user, patient, &row, scene),
        Viewer::Individual(user) => of_individual(user, &row, scene),
        Viewer::Teams { teams, user, glass } => {
            let eyes: Vec<i64> = teams.iter().map(|team| team.0).collect();
            let glass = glass.filter(|glass| teams.contains(&glass.team) && glass.until.0 > NOW.0);
            of_institution(&eyes, user, glass.map(|glass| glass.patient), &row, scene)
        }
        Viewer::Organisation { organisation, through } => {
            let eyes: Vec<i64> = through.iter().map(|team| team.0).chain([organisation.0]).collect();
            of_institution(&eyes, None, None, &row, scene)
        }
    };
    right.or_else(|| (scene.is_directory && scene.patients.is_empty()).then_some(Right::Directory))
}

fn of_patient(own: PatientId, row: &Columns, scene: &Scene) -> Option<Right> {
    let is_own_draft = !row.is_draft || row.author_patient == Some(own.0);
    if scene.patients.contains(&own) && is_own_draft && !row.is_kept_back {
        return Some(Right::Own);
    }
    let is_for_others = row.needs & 16 == 0;
    if is_for_others && row.source_patient == Some(own.0) && row.has_no_author() && !row.is_private {
        return Some(Right::Source);
    }
    let is_author = row.is_draft && row.author_patient == Some(own.0);
    (is_for_others && is_author && !row.is_kept_back).then_some(Right::Participant)
}

fn of_carer(user: UserId, patient: PatientId, row: &Columns, scene: &Scene) -> Option<Right> {
    let sight = scene.standings.iter().find(|row| row.sight.viewer.0 == user.0 && row.sight.patient == patient);
    let labels = sight.filter(|row| is_live(row)).map_or(0, |row| row.sight.labels.0);
    if !scene.patients.contains(&patient) || row.needs & 16 != 0 {
        return None;
    }
    let is_open = labels != 0;
    if is_open && row.source_user == Some(user.0) && row.has_no_author() && !row.is_private {
        return Some(Right::Source);
    }
    if is_open && takes_part(user, row, scene) && !row.is_kept_back {
        return Some(Right::Participant);
    }
    let holds = is_open && labels & row.needs == row.needs;
    (holds && !row.is_draft && !row.is_private && !row.is_kept_back).then_some(Right::Consent)
}

fn of_individual(user: UserId, row: &Columns, scene: &Scene) -> Option<Right> {
    let eyes = [user.0];
    let rows = || of_viewers(&eyes, scene);
    let is_open = scene.patients.is_empty() || rows().any(|row| is_live(row) || row.stays);
    if row.needs & 16 != 0 {
        return None;
    }
    if is_open && row.source_user == Some(user.0) && row.has_no_author() && !row.is_private {
        return Some(Right::Source);
    }
    if is_open && takes_part(user, row, scene) {
        return Some(Right::Participant);
    }
    (rows().any(|sight| opens(sight, row.needs)) && !row.is_draft && !row.is_private).then_some(Right::Consent)
}

fn of_institution(
    eyes: &[i64],
    user: Option<UserId>,
    glass: Option<PatientId>,
    row: &Columns,
    scene: &Scene,
) -> Option<Right> {
    if row.needs & 16 != 0 {
        return None;
    }
    let sources = [row.source_team, row.source_organisation, row.source_user];
    let is_source = sources.iter().flatten().any(|source| eyes.contains(source));
    if is_source && row.has_no_author() && !row.is_private {
        return Some(Right::Source);
    }
    let is_author = row.is_draft && row.author_user.is_some() && row.author_user == user.map(|user| user.0);
    let is_in = scene.participants.iter().any(|part| matches!(part, Participant::Team(team) if eyes.contains(&team.0)));
    if is_author || (!row.is_draft && is_in) {
        return Some(Right::Participant);
    }
    if row.is_draft || row.is_private {
        return None;
    }
    if of_viewers(eyes, scene).any(|sight| opens(sight, row.needs)) {
        return Some(Right::Consent);
    }
    let is_broken = glass.is_some_and(|patient| scene.patients.contains(&patient));
    (is_broken && row.needs & !15 == 0).then_some(Right::Glass)
}

/// A person is the author of the draft, or takes part in what is none.
fn takes_part(user: UserId, row: &Columns, scene: &Scene) -> bool {
    if row.is_draft { row.author_user == Some(user.0) } else { scene.participants.contains(&Participant::Person(user)) }
}

fn of_viewers<'s>(eyes: &'s [i64], scene: &'s Scene) -> impl Iterator<Item = &'s Standing> {
    let is_here = |row: &&Standing| eyes.contains(&row.sight.viewer.0) && scene.patients.contains(&row.sight.patient);
    scene.standings.iter().filter(is_here)
}

fn is_live(row: &Standing) -> bool {
    row.sight.ends_at.is_none_or(|end| end.0 > NOW.0)
}

/// `(labels & needs) = needs` before the end; after it, the association where it stays.
fn opens(row: &Standing, needs: i64) -> bool {
    if is_live(row) { row.sight.labels.0 & needs == needs } else { row.stays && needs == 0 }
}
