//! Reach as SQL: the one place where what a caller may see becomes a condition. Nothing else says who sees what; what it
//! says is `rules::reach::right`, and a test holds the two together over random worlds.

use crate::sql::arg::Arg;
use crate::sql::statement::{Statement, list};
use fhir::types;
use rules::ids::{PatientId, ViewerId};
use rules::labels::Needs;
use rules::moment::Moment;
use rules::reach::{Reach, Right};
use std::sync::LazyLock;

/// The same statement for each kind of reach.
#[derive(Debug)]
pub(crate) struct Scoped {
    name: &'static str,
    texts: ReachTexts,
}

/// The same text for each kind of reach.
#[derive(Debug)]
pub(crate) struct ReachTexts {
    own: String,
    viewer: String,
    viewers: String,
}

/// The kind of reach that a text is being written for.
#[derive(Debug)]
pub(crate) struct ReachCondition {
    pub(super) kind: ReachKind,
    /// The number of the reach's first argument: they come after those of the statement itself.
    first: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum ReachKind {
    Own,
    /// Most callers look through the eyes of one team or one organisation. That is a plain comparison, where a list is read and
    /// laid out anew for each place of the text that names it.
    Viewer,
    Viewers,
}

impl ReachKind {
    fn of(reach: &Reach) -> Self {
        match reach.own() {
            Some(_) => Self::Own,
            None if reach.viewers().take(2).count() == 1 => Self::Viewer,
            None => Self::Viewers,
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
    fn new(write: impl Fn(ReachKind) -> String) -> Self {
        let write = |kind| on_one_line(&write(kind));
        Self { own: write(ReachKind::Own), viewer: write(ReachKind::Viewer), viewers: write(ReachKind::Viewers) }
    }

    /// For statements whose first arguments are those of the reach.
    pub(crate) fn ahead(write: impl Fn(&ReachCondition) -> String) -> Self {
        Self::new(|kind| write(&ReachCondition { kind, first: 1 }))
    }

    pub(crate) fn of(&self, reach: &Reach) -> &str {
        match ReachKind::of(reach) {
            ReachKind::Own => &self.own,
            ReachKind::Viewer => &self.viewer,
            ReachKind::Viewers => &self.viewers,
        }
    }
}

/// A text without what sets its lines off in the source: it is copied, hashed and compared for each use.
fn on_one_line(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<_>>().join(" ")
}

impl Scoped {
    /// Writes a statement of `args` arguments for each kind of reach.
    pub(crate) fn new(name: &'static str, args: usize, write: impl Fn(&ReachCondition) -> String) -> Self {
        Self { name, texts: ReachTexts::new(|kind| write(&ReachCondition { kind, first: args + 1 })) }
    }

    pub(crate) fn statement(&self, reach: &Reach) -> Statement<'_> {
        Statement::made(self.name, self.texts.of(reach))
    }

    /// Each of its texts.
    pub(crate) fn all(&self) -> [String; 3] {
        let ReachTexts { own, viewer, viewers } = &self.texts;
        [own.clone(), viewer.clone(), viewers.clone()]
    }
}

impl ReachCondition {
    /// For a statement whose text is made for one caller; the reach's arguments are its first.
    pub(crate) fn ahead_of(reach: &Reach) -> Self {
        Self { kind: ReachKind::of(reach), first: 1 }
    }

    /// The number of the right by which the row is seen, the first that fits; null where it is out of reach.
    pub(crate) fn right(&self, columns: Columns) -> String {
        let Columns { resource: r, .. } = columns;
        let (source, consent, directory) = (Right::Source.number(), Right::Consent.number(), Right::Directory.number());
        let mine = match self.kind {
            ReachKind::Own => format!("{r}.source_patient_id = {}", self.mark(0)),
            ReachKind::Viewer | ReachKind::Viewers => {
                let made = SOURCES.map(|column| self.is_viewer(&format!("{r}.{column}")));
                made.join(" OR ")
            }
        };
        let opened = match self.kind {
            ReachKind::Own => format!("WHEN {} THEN {}", self.in_own(columns), Right::Own.number()),
            ReachKind::Viewer | ReachKind::Viewers => String::new(),
        };
        let consented = match self.kind {
            ReachKind::Own => String::new(),
            ReachKind::Viewer | ReachKind::Viewers => format!("WHEN {} THEN {consent}", self.in_sight(columns)),
        };
        let there = match columns.deleted {
            true => String::new(),
            false => format!("WHEN {r}.deleted_at IS NOT NULL THEN NULL"),
        };
        format!(
            "CASE {there} {opened} WHEN ({r}.needs & {}) = 0 AND ({mine}) THEN {source} {consented}
                WHEN {}.patients = 0 AND {r}.type IN ({}) THEN {directory} END",
            Needs::SELF_ONLY_BIT,
            columns.compartments,
            *DIRECTORY_TYPES
        )
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
        // What its source made it sees by that right now, too.
        let of_record = format!("nullif({past}, {})", Right::Directory.number());
        let right = format!("CASE WHEN {past} IS NOT NULL THEN coalesce({right}, {of_record}) END");
        let viewer = format!("coalesce({}, {})", self.viewer(now), self.viewer(then));
        (right, viewer)
    }

    /// In the compartment of the caller's own record.
    fn in_own(&self, columns: Columns) -> String {
        let Columns { compartments: c, row, .. } = columns;
        let own = self.mark(0);
        format!(
            "{c}.patient_id = {own} OR ({c}.patients > 1 AND EXISTS (SELECT 1 FROM compartments k
                WHERE k.resource_id = {c}.{row} AND k.version = {c}.version AND k.patient_id = {own}))"
        )
    }

    /// In the compartment of a patient of whom a viewer holds the labels that it takes.
    fn in_sight(&self, columns: Columns) -> String {
        let (one, several) = self.openings(columns);
        let Columns { compartments: c, .. } = columns;
        format!("EXISTS (SELECT 1 FROM {one}) OR ({c}.patients > 1 AND EXISTS (SELECT 1 FROM {several}))")
    }

    /// Rows of sight that open it: where it is in the record of one patient, and where it is in several.
    fn openings(&self, columns: Columns) -> (String, String) {
        let Columns { resource: r, compartments: c, row, .. } = columns;
        let (is_viewer, now) = (self.is_viewer("s.viewer_id"), self.mark(1));
        let holds =
            format!("{is_viewer} AND (s.labels & {r}.needs) = {r}.needs AND (s.ends_at IS NULL OR s.ends_at > {now})");
        let one = format!("sight s WHERE s.patient_id = {c}.patient_id AND {holds}");
        let several = format!(
            "compartments k JOIN sight s ON s.patient_id = k.patient_id
                WHERE k.resource_id = {c}.{row} AND k.version = {c}.version AND {holds}"
        );
        (one, several)
    }

    /// The number of the viewer through whose eyes a row is seen that is in reach, where its right is through somebody's. What
    /// it says is `rules::reach::viewer`.
    pub(crate) fn viewer(&self, columns: Columns) -> String {
        let Columns { resource: r, compartments: c, .. } = columns;
        match self.kind {
            ReachKind::Own => return "CAST(NULL AS BIGINT)".into(),
            // Nobody else's can it be.
            ReachKind::Viewer => return format!("CAST({} AS BIGINT)", self.mark(0)),
            ReachKind::Viewers => {}
        }
        let (one, several) = self.openings(columns);
        let made = SOURCES.map(|column| {
            let (own, is_viewer) = (Needs::SELF_ONLY_BIT, self.is_viewer(&format!("{r}.{column}")));
            format!("WHEN ({r}.needs & {own}) = 0 AND {is_viewer} THEN {r}.{column}")
        });
        format!(
            "CASE {} WHEN {c}.patients > 1 THEN (SELECT min(s.viewer_id) FROM {several})
                ELSE (SELECT min(s.viewer_id) FROM {one}) END",
            made.join(" ")
        )
    }

    /// That a column names a viewer of the caller.
    pub(super) fn is_viewer(&self, column: &str) -> String {
        let mark = self.mark(0);
        match self.kind {
            ReachKind::Viewers => format!("{column} IN (SELECT CAST(value AS BIGINT) FROM json_each({mark}))"),
            ReachKind::Own | ReachKind::Viewer => format!("{column} = {mark}"),
        }
    }

    /// The mark of one of the reach's arguments.
    pub(super) fn mark(&self, at: usize) -> String {
        format!("${}", self.first + at)
    }
}

/// The columns of those who may have made a resource and who are viewers.
const SOURCES: [&str; 3] = ["source_team_id", "source_organisation_id", "source_user_id"];

/// The types that every caller may read where they are in nobody's record.
static DIRECTORY_TYPES: LazyLock<String> = LazyLock::new(|| {
    let numbers: Vec<String> =
        types::all().filter(|kind| kind.is_public()).map(|kind| kind.number().to_string()).collect();
    numbers.join(", ")
});

/// The arguments of a reach, kept while a statement borrows them.
pub(crate) enum ReachArgs {
    Own(PatientId),
    Viewer(ViewerId, Moment),
    Viewers(String, Moment),
}

impl ReachArgs {
    pub(crate) fn of(reach: &Reach, now: Moment) -> Self {
        let mut viewers = reach.viewers();
        match (reach.own(), viewers.next(), viewers.next()) {
            (Some(patient), ..) => Self::Own(patient),
            (None, Some(viewer), None) => Self::Viewer(viewer, now),
            (None, ..) => Self::Viewers(list(reach.viewers().map(|viewer| viewer.0)), now),
        }
    }

    /// How many arguments a reach has.
    pub(crate) const fn count(reach: &Reach) -> usize {
        if reach.own().is_some() { 1 } else { 2 }
    }

    /// The reach's arguments.
    pub(crate) fn alone(&self) -> Vec<Arg<'_>> {
        self.behind(&[])
    }

    /// The arguments of a statement: its own, then those of the reach.
    pub(crate) fn behind<'a>(&'a self, own: &[Arg<'a>]) -> Vec<Arg<'a>> {
        let mut args = own.to_vec();
        match self {
            Self::Own(patient) => args.push(Arg::from(*patient)),
            Self::Viewer(viewer, now) => args.extend([Arg::from(*viewer), Arg::Int(now.0)]),
            Self::Viewers(viewers, now) => args.extend([Arg::from(viewers), Arg::Int(now.0)]),
        }
        args
    }
}
