//! Reach as SQL: the one place where what a caller may see becomes a condition. Nothing else says who sees what; what it
//! says is `rules::reach::right`, and a test holds the two together over random worlds.

use crate::sql::arg::Arg;
use crate::sql::statement::{Statement, list};
use fhir::types::{self, ResourceType};
use rules::consent::viewer::Viewer;
use rules::ids::{PatientId, UserId, ViewerId};
use rules::labels::{Label, Labels, Needs};
use rules::moment::Moment;
use rules::reach::{Reach, Right};
use std::sync::LazyLock;

/// The same statement for each kind of reach.
#[derive(Debug)]
pub(crate) struct Scoped {
    name: &'static str,
    texts: ReachTexts,
}

/// The same text for each kind of reach, in the order of the kinds.
#[derive(Debug)]
pub(crate) struct ReachTexts([String; KINDS]);

/// Each kind, and each through a lens.
const KINDS: usize = 2 * ReachKind::ALL.len();

/// The kind of reach that a text is being written for.
#[derive(Debug)]
pub(crate) struct ReachCondition {
    pub(super) kind: ReachKind,
    /// Whether it looks through a lens, which is the last of its arguments.
    is_lensed: bool,
    /// The number of the reach's first argument: they come after those of the statement itself.
    first: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReachKind {
    Own,
    /// Most callers look through the eyes of one team or one organisation. That is a plain comparison, where a list is read and
    /// laid out anew for each place of the text that names it.
    Viewer,
    Viewers,
    /// One team, and a patient whose glass it has broken.
    Glass,
    /// A carer, in the record of one patient.
    Carer,
    /// A professional without a team.
    Individual,
}

impl ReachKind {
    const ALL: [Self; 6] = [Self::Own, Self::Viewer, Self::Viewers, Self::Glass, Self::Carer, Self::Individual];

    fn of(reach: &Reach) -> Self {
        match reach.viewer() {
            Viewer::Patient(_) => Self::Own,
            Viewer::Carer { .. } => Self::Carer,
            Viewer::Individual(_) => Self::Individual,
            Viewer::Teams { teams: [_], glass: Some(_), .. } => Self::Glass,
            Viewer::Teams { teams: [_], .. } | Viewer::Organisation { through: [], .. } => Self::Viewer,
            Viewer::Teams { .. } | Viewer::Organisation { .. } => Self::Viewers,
        }
    }

    /// How many arguments it has.
    const fn arguments(self) -> usize {
        match self {
            Self::Own => 1,
            Self::Individual => 2,
            Self::Viewer | Self::Viewers | Self::Carer => 3,
            Self::Glass => 4,
        }
    }

    /// The last of them, where it is the user who looks through a team's eyes: of the drafts they see their own.
    pub(super) const fn user(self) -> Option<usize> {
        match self {
            Self::Viewer | Self::Viewers => Some(2),
            Self::Glass => Some(3),
            Self::Own | Self::Carer | Self::Individual => None,
        }
    }
}

/// The columns that reach depends on: those of a resource, or of a version of it. A version shows to those who may see
/// the resource as it is now *and* whose reach covers the compartments that it was in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Columns {
    /// The alias of the resource, whose label, source and type count.
    pub resource: &'static str,
    /// The alias of the row whose compartments count, and its column that holds the resource's number.
    pub compartments: &'static str,
    pub row: &'static str,
    /// Whether what is deleted counts too: its past shows to those who might see it.
    pub deleted: bool,
}

impl Columns {
    /// Those of the past version `v` of the resource `r`.
    const PAST: Self = Self { resource: "r", compartments: "v", row: "resource_id", deleted: true };

    pub(crate) const fn of(resource: &'static str) -> Self {
        Self { resource, compartments: resource, row: "id", deleted: false }
    }

    /// The same for what is deleted, too.
    pub(crate) const fn even_deleted(resource: &'static str) -> Self {
        Self { deleted: true, ..Self::of(resource) }
    }
}

impl ReachTexts {
    fn new(first: usize, write: impl Fn(&ReachCondition) -> String) -> Self {
        let mut kinds = [false, true].into_iter().flat_map(|lensed| ReachKind::ALL.map(|kind| (kind, lensed)));
        Self(std::array::from_fn(|_| {
            let text = kinds.next().map(|(kind, is_lensed)| write(&ReachCondition { kind, is_lensed, first }));
            on_one_line(&text.unwrap_or_default())
        }))
    }

    /// For statements whose first arguments are those of the reach.
    pub(crate) fn ahead(write: impl Fn(&ReachCondition) -> String) -> Self {
        Self::new(1, write)
    }

    pub(crate) fn of(&self, reach: &Reach) -> &str {
        let kind = ReachKind::of(reach);
        let (plain, lensed) = self.0.split_at(ReachKind::ALL.len());
        let texts = ReachKind::ALL.iter().zip(if reach.lens().is_some() { lensed } else { plain });
        texts.filter(|(known, _)| **known == kind).map(|(_, text)| text.as_str()).next().unwrap_or_default()
    }
}

/// A text without what sets its lines off in the source: it is copied, hashed and compared for each use.
fn on_one_line(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

impl Scoped {
    /// Writes a statement of `args` arguments for each kind of reach.
    pub(crate) fn new(name: &'static str, args: usize, write: impl Fn(&ReachCondition) -> String) -> Self {
        Self { name, texts: ReachTexts::new(args + 1, write) }
    }

    pub(crate) fn statement(&self, reach: &Reach) -> Statement<'_> {
        Statement::made(self.name, self.texts.of(reach))
    }

    /// Each of its texts.
    pub(crate) fn all(&self) -> [String; KINDS] {
        self.texts.0.clone()
    }
}

impl ReachCondition {
    /// For a statement whose text is made for one caller; the reach's arguments are its first.
    pub(crate) fn ahead_of(reach: &Reach) -> Self {
        Self { kind: ReachKind::of(reach), is_lensed: reach.lens().is_some(), first: 1 }
    }

    /// The number of the right by which the row is seen, the first that fits; null where it is out of reach.
    pub(crate) fn right(&self, columns: Columns) -> String {
        let Columns { resource: r, .. } = columns;
        let is_for_others = format!("({r}.needs & {NOT_FOR_OTHERS}) = 0");
        // The lens is asked last: what is out of reach is not looked at.
        let in_lens = self.is_lensed.then(|| self.in_lens(columns, &self.mark(self.kind.arguments())));
        let given = |right: String| match &in_lens {
            Some(in_lens) => format!("CASE WHEN {in_lens} THEN {right} END"),
            None => right,
        };
        let branch =
            |condition: String, right: Right| format!("WHEN {condition} THEN {}", given(right.number().to_string()));
        let of_draft = self.right_to_draft(columns);
        let of_draft = match self.is_lensed {
            true => format!("CASE WHEN ({of_draft}) IS NOT NULL THEN {} END", given(format!("({of_draft})"))),
            false => of_draft,
        };
        let mut branches = Vec::new();
        if !columns.deleted {
            branches.push(format!("WHEN {r}.deleted_at IS NOT NULL THEN NULL"));
        }
        branches.push(format!("WHEN {} THEN {}", columns.is_draft(), of_draft));
        if self.kind == ReachKind::Own {
            branches.push(branch(format!("({r}.needs & {HELD_BACK}) = 0 AND ({})", self.in_own(columns)), Right::Own));
            let made = format!("{is_for_others} AND {r}.source_patient_id = {}", self.mark(0));
            branches.push(branch(made, Right::Source));
        } else {
            let (made, open) = (self.made(columns), self.is_open(columns));
            let open = open.map(|open| format!(" AND ({open})")).unwrap_or_default();
            branches.push(branch(format!("{is_for_others} AND ({made}){open}"), Right::Source));
            let takes_part = format!("({} OR {}){open}", self.is_grantee(columns), self.is_participant(columns));
            branches.push(branch(takes_part, Right::Participant));
            branches.push(branch(self.in_sight(columns), Right::Consent));
        }
        if self.kind == ReachKind::Glass {
            let broken = format!(
                "({r}.needs & {}) = 0 AND ({})",
                !(Labels::ALL.0 | HELD_BACK),
                self.in_record(columns, &self.mark(2))
            );
            branches.push(branch(broken, Right::Glass));
        }
        let directory = format!("{}.patients = 0 AND {r}.type IN ({})", columns.compartments, *DIRECTORY_TYPES);
        branches.push(branch(directory, Right::Directory));
        format!("CASE {} END", branches.join(" "))
    }

    /// That the row is in reach and all of these hold. Reach decides first: they are tried on no row that is out of it, so that the
    /// time of an answer does not tell what such a row holds. An engine may reorder what `AND` joins, but not the branches of `CASE`.
    pub(crate) fn seen_and(&self, columns: Columns, others: &[String]) -> String {
        let right = self.right(columns);
        match others {
            [] => format!("({right}) IS NOT NULL"),
            _ => format!("CASE WHEN ({right}) IS NOT NULL THEN {} ELSE FALSE END", others.join(" AND ")),
        }
    }

    /// The number of the right by which the past version `v` of the resource `r` is seen, and of the viewer through whose eyes.
    /// What it says is `rules::reach::right_to_past`.
    pub(crate) fn past(&self) -> (String, String) {
        let (now, then) = (Columns::even_deleted("r"), Columns::PAST);
        let (right, past) = (self.right(now), self.right(then));
        // What its source made it sees by that right now, too, if its record is open to it.
        let of_record = format!("nullif(nullif({past}, {}), {})", Right::Source.number(), Right::Directory.number());
        let right = format!("CASE WHEN {past} IS NOT NULL THEN coalesce({right}, {of_record}) END");
        let viewer = format!("coalesce({}, {})", self.viewer(now), self.viewer(then));
        (right, viewer)
    }

    /// In the compartment of the caller's own record.
    pub(super) fn in_own(&self, columns: Columns) -> String {
        self.in_record(columns, &self.mark(0))
    }

    /// In the compartment of the patient of this number.
    pub(super) fn in_record(&self, Columns { compartments: c, row, .. }: Columns, patient: &str) -> String {
        format!(
            "{c}.patient_id = {patient} OR ({c}.patients > 1 AND EXISTS (SELECT 1 FROM compartments k
                WHERE k.resource_id = {c}.{row} AND k.version = {c}.version AND k.patient_id = {patient}))"
        )
    }

    /// The Consent by which the viewer sees something: its grantee sees it, whatever labels it gives.
    fn is_grantee(&self, Columns { resource: r, .. }: Columns) -> String {
        let (of, is_viewer) = (ResourceType::Consent.number(), self.is_viewer("g.grantee_id"));
        format!("{r}.type = {of} AND EXISTS (SELECT 1 FROM consents g WHERE g.id = {r}.fhir_id AND {is_viewer})")
    }

    /// In the compartment of a patient of whom a viewer holds the labels that it takes.
    fn in_sight(&self, columns: Columns) -> String {
        self.any_of(columns, self.openings(columns))
    }

    /// What it takes besides having made it or taking part: a person sees nothing of a record that is closed to them.
    pub(super) fn is_open(&self, columns: Columns) -> Option<String> {
        let Columns { compartments: c, .. } = columns;
        let (lasts, is_viewer) = (self.lasts(), self.is_viewer("s.viewer_id"));
        match self.kind {
            ReachKind::Own | ReachKind::Viewer | ReachKind::Viewers | ReachKind::Glass => None,
            ReachKind::Carer => {
                let holds = format!("{is_viewer} AND {lasts} AND s.labels <> 0 AND s.patient_id = {}", self.mark(2));
                Some(self.any_of(columns, self.rows_of_sight(columns, &holds)))
            }
            ReachKind::Individual => {
                let holds = format!("{is_viewer} AND ({lasts} OR s.stays = 1)");
                Some(format!("{c}.patients = 0 OR {}", self.any_of(columns, self.rows_of_sight(columns, &holds))))
            }
        }
    }

    fn any_of(&self, Columns { compartments: c, .. }: Columns, (one, several): (String, String)) -> String {
        format!("EXISTS (SELECT 1 FROM {one}) OR ({c}.patients > 1 AND EXISTS (SELECT 1 FROM {several}))")
    }

    /// Rows of sight that open it: where it is in the record of one patient, and where it is in several.
    fn openings(&self, columns: Columns) -> (String, String) {
        let Columns { resource: r, .. } = columns;
        let (is_viewer, lasts) = (self.is_viewer("s.viewer_id"), self.lasts());
        // What is held back is held back from the patient and carers alone.
        let labels =
            if self.kind == ReachKind::Carer { "s.labels".into() } else { format!("(s.labels | {HELD_BACK})") };
        let holds = format!("{lasts} AND ({labels} & {r}.needs) = {r}.needs");
        // A carer without a label has no association, and one record only.
        let holds = match self.kind {
            ReachKind::Carer => {
                format!("{is_viewer} AND {holds} AND s.labels <> 0 AND s.patient_id = {}", self.mark(2))
            }
            _ => format!("{is_viewer} AND ({holds} OR ({r}.needs = 0 AND s.stays = 1))"),
        };
        self.rows_of_sight(columns, &holds)
    }

    /// Rows of sight of its patient for which something holds: where it is in the record of one, and where it is in several.
    fn rows_of_sight(&self, Columns { compartments: c, row, .. }: Columns, holds: &str) -> (String, String) {
        let one = format!("sight s WHERE s.patient_id = {c}.patient_id AND {holds}");
        let several = format!(
            "compartments k JOIN sight s ON s.patient_id = k.patient_id
                WHERE k.resource_id = {c}.{row} AND k.version = {c}.version AND {holds}"
        );
        (one, several)
    }

    /// The labels that the viewers hold of the patient of this number, together; none where there is nothing but an association, or
    /// the patient looks.
    pub(crate) fn held(&self, patient: &str) -> String {
        if self.kind == ReachKind::Own {
            return "CAST(NULL AS BIGINT)".into();
        }
        let bits = Label::ALL.map(|label| format!("coalesce(max(s.labels & {}), 0)", label.bit()));
        let (bits, is_viewer, lasts) = (bits.join(" + "), self.is_viewer("s.viewer_id"), self.lasts());
        format!("(SELECT {bits} FROM sight s WHERE s.patient_id = {patient} AND {is_viewer} AND {lasts})")
    }

    /// That a row of sight has not ended.
    pub(super) fn lasts(&self) -> String {
        format!("(s.ends_at IS NULL OR s.ends_at > {})", self.mark(1))
    }

    /// The number of the viewer through whose eyes a row is seen that is in reach, where its right is through somebody's. What
    /// it says is `rules::reach::viewer`.
    pub(crate) fn viewer(&self, columns: Columns) -> String {
        let Columns { resource: r, compartments: c, .. } = columns;
        match self.kind {
            ReachKind::Own => return "CAST(NULL AS BIGINT)".into(),
            // Nobody else's can it be.
            ReachKind::Viewer | ReachKind::Glass | ReachKind::Carer | ReachKind::Individual => {
                return format!("CAST({} AS BIGINT)", self.mark(0));
            }
            ReachKind::Viewers => {}
        }
        let (one, several) = self.openings(columns);
        let (is_draft, viewers) = (columns.is_draft(), self.mark(0));
        let drafted = self.kind.user().map(|user| {
            let is_drafter = self.is_drafter(columns, user);
            format!(
                "WHEN {is_draft} AND {is_drafter} THEN (SELECT min(CAST(value AS BIGINT)) FROM json_each({viewers}))"
            )
        });
        let drafted = drafted.unwrap_or_default();
        let made = SOURCES.map(|column| {
            let is_viewer = self.is_viewer(&format!("{r}.{column}"));
            format!("WHEN ({is_draft} OR ({r}.needs & {NOT_FOR_OTHERS}) = 0) AND {is_viewer} THEN {r}.{column}")
        });
        let (grantee, is_grantee) = (self.is_viewer("g.grantee_id"), self.is_grantee(columns));
        let (participant, is_participant) = (self.is_viewer("p.viewer_id"), self.is_participant(columns));
        format!(
            "CASE {drafted} {} WHEN {is_grantee} THEN (SELECT min(g.grantee_id) FROM consents g WHERE g.id = {r}.fhir_id AND {grantee})
                WHEN {is_participant} THEN (SELECT min(p.viewer_id) FROM participants p WHERE p.resource_id = {r}.id AND {participant})
                WHEN {c}.patients > 1 THEN (SELECT min(s.viewer_id) FROM {several})
                ELSE (SELECT min(s.viewer_id) FROM {one}) END",
            made.join(" ")
        )
    }

    /// That a column names a viewer of the caller.
    pub(super) fn is_viewer(&self, column: &str) -> String {
        let mark = self.mark(0);
        match self.kind {
            ReachKind::Viewers => format!("{column} IN (SELECT CAST(value AS BIGINT) FROM json_each({mark}))"),
            _ => format!("{column} = {mark}"),
        }
    }

    /// The mark of one of the reach's arguments.
    pub(super) fn mark(&self, at: usize) -> String {
        format!("${}", self.first + at)
    }
}

/// The bits of what shows to no others than a patient and those who take part, even if they made it.
const NOT_FOR_OTHERS: i64 = Needs::SELF_ONLY_BIT | Needs::PRIVATE_BIT;
/// The bit of what is held back from the patient and carers.
const HELD_BACK: i64 = Needs::HELD_BACK_BIT;

/// The columns of those who may have made a resource and who are viewers.
pub(super) const SOURCES: [&str; 3] = ["source_team_id", "source_organisation_id", "source_user_id"];

/// The types that every caller may read where they are in nobody's record.
pub(super) static DIRECTORY_TYPES: LazyLock<String> = LazyLock::new(|| {
    let numbers: Vec<String> =
        types::all().filter(|kind| kind.is_public()).map(|kind| kind.number().to_string()).collect();
    numbers.join(", ")
});

/// The arguments of a reach, kept while a statement borrows them.
pub(crate) struct ReachArgs {
    onlooker: OnlookerArgs,
    /// Behind all.
    lens: Option<String>,
}

/// The arguments of who looks.
enum OnlookerArgs {
    Own(PatientId),
    /// A team, an organisation or a person, the moment of the call, and the one patient where there is one; and the user.
    Viewer(ViewerId, Moment, Option<PatientId>, Option<UserId>),
    Viewers(String, Moment, Option<UserId>),
}

/// The number of no user: who looks through a team's eyes need not be a person.
const NOBODY: UserId = UserId(0);

impl ReachArgs {
    pub(crate) fn of(reach: &Reach, now: Moment) -> Self {
        let user = match reach.viewer() {
            Viewer::Teams { user, .. } => Some(user.unwrap_or(NOBODY)),
            Viewer::Organisation { .. } => Some(NOBODY),
            Viewer::Patient(_) | Viewer::Carer { .. } | Viewer::Individual(_) => None,
        };
        Self { onlooker: OnlookerArgs::with(reach, now, user), lens: reach.lens().map(Self::of_lens) }
    }

    /// Those of a statement that asks for patients and for none of what is in their records.
    pub(crate) fn of_patients(reach: &Reach, now: Moment) -> Self {
        Self { onlooker: OnlookerArgs::with(reach, now, None), lens: None }
    }

    /// How many arguments a reach has.
    pub(crate) fn count(reach: &Reach) -> usize {
        ReachKind::of(reach).arguments() + usize::from(reach.lens().is_some())
    }

    /// The reach's arguments.
    pub(crate) fn alone(&self) -> Vec<Arg<'_>> {
        self.behind(&[])
    }

    /// The arguments of a statement: its own, then those of the reach.
    pub(crate) fn behind<'a>(&'a self, own: &[Arg<'a>]) -> Vec<Arg<'a>> {
        let mut args = own.to_vec();
        self.onlooker.add_to(&mut args);
        args.extend(self.lens.as_ref().map(Arg::from));
        args
    }
}

impl OnlookerArgs {
    fn with(reach: &Reach, now: Moment, user: Option<UserId>) -> Self {
        let one_patient = match reach.viewer() {
            Viewer::Patient(own) => return Self::Own(own),
            Viewer::Carer { patient, .. } => Some(patient),
            Viewer::Teams { glass, .. } => glass.map(|glass| glass.patient),
            Viewer::Individual(_) | Viewer::Organisation { .. } => None,
        };
        let mut viewers = reach.viewers();
        match (viewers.next(), viewers.next()) {
            (Some(viewer), None) => Self::Viewer(viewer, now, one_patient, user),
            _ => Self::Viewers(list(reach.viewers().map(|viewer| viewer.0)), now, user),
        }
    }

    fn add_to<'a>(&'a self, args: &mut Vec<Arg<'a>>) {
        match self {
            Self::Own(patient) => args.push(Arg::from(*patient)),
            Self::Viewer(viewer, now, one_patient, user) => {
                args.extend([Arg::from(*viewer), Arg::Int(now.0)]);
                args.extend(one_patient.map(Arg::from));
                args.extend(user.map(Arg::from));
            }
            Self::Viewers(viewers, now, user) => {
                args.extend([Arg::from(viewers), Arg::Int(now.0)]);
                args.extend(user.map(Arg::from));
            }
        }
    }
}
