//! For whom an item is besides its labels, as SQL: drafts, which their authors see alone, and those who take part in a conversation.
//! A row that is neither draft nor message costs no look at another table.

use super::condition::{Columns, ReachCondition, ReachKind, SOURCES};
use fhir::types::ResourceType;
use rules::labels::Needs;
use rules::reach::Right;

impl Columns {
    /// A draft, or a version of what was one then: that others see it now shows them nothing of how it was written. What waits to be
    /// read anew has every bit, and is nobody's for now.
    pub(super) fn is_draft(self) -> String {
        let Self { resource: r, compartments: v, .. } = self;
        let of_now = format!("({r}.needs > 0 AND ({r}.needs & {}) <> 0)", Needs::DRAFT_BIT);
        if r == v { of_now } else { format!("({of_now} OR {v}.draft = 1)") }
    }
}

impl ReachCondition {
    /// The number of the right by which a draft is seen: its author's, who is a person, and its source's where it is nobody's.
    pub(super) fn right_to_draft(&self, columns: Columns) -> String {
        let Columns { resource: r, .. } = columns;
        let (source, participant) = (Right::Source.number(), Right::Participant.number());
        match (self.kind, self.kind.user()) {
            (ReachKind::Own, _) => format!(
                "CASE WHEN {r}.source_patient_id = {} THEN CASE WHEN {} THEN {} ELSE {participant} END END",
                self.mark(0),
                self.in_own(columns),
                Right::Own.number()
            ),
            (_, Some(user)) => format!(
                "CASE WHEN {} THEN {participant}
                    WHEN ({}) AND NOT EXISTS (SELECT 1 FROM drafters d WHERE d.resource_id = {r}.id) THEN {source} END",
                self.is_drafter(columns, user),
                self.made(columns)
            ),
            (_, None) => {
                let open = self.is_open(columns).map(|open| format!(" AND ({open})")).unwrap_or_default();
                format!("CASE WHEN {}{open} THEN {participant} END", self.is_viewer(&format!("{r}.source_user_id")))
            }
        }
    }

    /// That a draft is of the user who looks through a team's eyes.
    pub(super) fn is_drafter(&self, Columns { resource: r, .. }: Columns, user: usize) -> String {
        let user = self.mark(user);
        format!(
            "({r}.source_user_id = {user}
                OR EXISTS (SELECT 1 FROM drafters d WHERE d.resource_id = {r}.id AND d.user_id = {user}))"
        )
    }

    /// That a viewer made it.
    pub(super) fn made(&self, Columns { resource: r, .. }: Columns) -> String {
        SOURCES.map(|column| self.is_viewer(&format!("{r}.{column}"))).join(" OR ")
    }

    /// A message that was sent by a viewer, or to one. Only messages are asked about.
    pub(super) fn is_participant(&self, Columns { resource: r, .. }: Columns) -> String {
        let (of, is_viewer) = (ResourceType::Communication.number(), self.is_viewer("p.viewer_id"));
        format!(
            "({r}.type = {of} AND EXISTS (SELECT 1 FROM participants p WHERE p.resource_id = {r}.id AND {is_viewer}))"
        )
    }
}
