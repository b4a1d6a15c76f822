//! A line of the ledger: what happened, when, and whom it concerns.

use super::author::Author;
use super::event::Event;
use rules::ids::{ClientId, OrganisationId, PatientId, SessionId, TeamId, UserId};
use rules::moment::Moment;
use rules::reach::Right;
use std::borrow::Cow;

/// Whom it concerns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct About {
    pub client: Option<ClientId>,
    pub user: Option<UserId>,
    pub team: Option<TeamId>,
    pub organisation: Option<OrganisationId>,
    pub patient: Option<PatientId>,
}

/// Somebody of whom lines are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concern {
    Patient(PatientId),
    User(UserId),
}

/// One line. The numbers in it are the database's; names are looked up by whoever shows it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    pub at: Moment,
    pub event: Event,
    pub session: Option<SessionId>,
    pub about: About,
    /// How often, where one line stands for many of the same within a moment.
    pub times: i64,
    /// By which right a record was seen.
    pub right: Option<Right>,
    /// The part of a record, the reason of an end, and the like.
    pub detail: Option<Cow<'static, str>>,
    /// The account on the machine by which an operator acted.
    pub operator: Option<String>,
}

impl Line {
    pub(crate) fn new(at: Moment, event: Event, session: Option<SessionId>, about: About) -> Self {
        Self { at, event, session, about, times: 1, right: None, detail: None, operator: None }
    }

    #[must_use]
    pub(crate) fn with_detail(self, detail: impl Into<Cow<'static, str>>) -> Self {
        Self { detail: Some(detail.into()), ..self }
    }

    /// As what an author did. What the line says itself stays: it may be about somebody else's session.
    #[must_use]
    pub(crate) fn by(mut self, author: &Author) -> Self {
        self.session = self.session.or(author.session);
        self.about.client = self.about.client.or(author.client);
        self.about.user = self.about.user.or(author.user);
        self.operator = self.operator.or_else(|| author.operator.clone());
        self
    }

    /// The numbers by which the line can be found: the patient whom it concerns, and the user. Rotations are most of the
    /// lines, and nobody looks for them. A look at one's own record is found by the patient alone, because it is the same
    /// person: most looks are such, and an entry costs more than the rest of a line.
    pub(crate) fn subjects(&self) -> impl Iterator<Item = i64> {
        let is_own = self.right == Some(Right::Own) && self.about.patient.is_some();
        self.entries().filter(move |entry| !is_own || Some(*entry) == self.about.patient.map(|patient| patient.0))
    }

    /// The same, and what a release before found it by.
    pub(crate) fn entries(&self) -> impl Iterator<Item = i64> {
        let user = self.about.user.filter(|_| self.event != Event::Refreshed).map(|user| user.0);
        self.about.patient.map(|patient| patient.0).into_iter().chain(user)
    }

    /// Whether it is one of the lines that are told of somebody.
    pub(crate) fn concerns(&self, whom: Concern) -> bool {
        match whom {
            Concern::Patient(patient) => self.about.patient == Some(patient),
            Concern::User(user) => self.about.user == Some(user) && self.event != Event::Refreshed,
        }
    }
}
