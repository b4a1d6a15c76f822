//! Reach as SQL: the one place where what a caller may see becomes a WHERE clause.

use crate::db::Arg;
use rules::reach::Reach;

/// The same statement for each kind of reach, and for each kind of caller whose reach is not known yet. `$1` is always
/// the reach's argument, and `r` the resource.
#[derive(Debug)]
pub struct Within {
    pub patient: &'static str,
    pub teams: &'static str,
    pub organisation: &'static str,
    /// `$1` is the session.
    pub session: &'static str,
    /// `$1` is what the organisation is called outside.
    pub named_organisation: &'static str,
}

/// A caller whose reach is not known yet: what it asks for can be looked for in the same round trip as who it is.
/// Whether it may have the answer at all is for that other question to say.
#[derive(Clone, Copy, Debug)]
pub enum Asker<'a> {
    Session(i64),
    /// A System Client that names this organisation, by its public id.
    System(&'a str),
}

/// Writes a statement for each kind of reach: `within!("SELECT … WHERE ", " AND …")`.
macro_rules! within {
    ($before:expr, $after:expr) => {
        $crate::within::Within {
            patient: concat!($before, "r.patient_id = $1", $after),
            teams: concat!(
                $before,
                "EXISTS (SELECT 1 FROM registrations g WHERE g.patient_id = r.patient_id
                    AND $1 LIKE '%,' || CAST(g.team_id AS TEXT) || ',%')",
                $after
            ),
            organisation: concat!($before, "r.source_organisation_id = $1", $after),
            session: concat!(
                $before,
                "EXISTS (SELECT 1 FROM sessions v LEFT JOIN users h ON h.id = v.user_id WHERE v.id = $1 AND CASE v.scope
                    WHEN 'PATIENT' THEN h.patient_id = r.patient_id
                    ELSE EXISTS (SELECT 1 FROM registrations g WHERE g.patient_id = r.patient_id
                        AND (g.team_id = v.team_id OR EXISTS (
                            SELECT 1 FROM memberships m WHERE m.user_id = v.user_id AND m.team_id = g.team_id)))
                    END)",
                $after
            ),
            named_organisation: concat!(
                $before,
                "r.source_organisation_id = (SELECT n.id FROM organisations n WHERE n.public_id = $1)",
                $after
            ),
        }
    };
}
pub(crate) use within;

impl Within {
    /// Each of its texts.
    pub(crate) const fn all(&self) -> [&'static str; 5] {
        [self.patient, self.teams, self.organisation, self.session, self.named_organisation]
    }

    pub(crate) const fn sql(&self, reach: &Reach) -> &'static str {
        match reach {
            Reach::Patient(_) => self.patient,
            Reach::Teams(_) => self.teams,
            Reach::Organisation(_) => self.organisation,
        }
    }
}

impl<'a> Asker<'a> {
    pub(crate) const fn sql(&self, within: &Within) -> &'static str {
        match self {
            Self::Session(_) => within.session,
            Self::System(_) => within.named_organisation,
        }
    }

    pub(crate) const fn arg(&self) -> Arg<'a> {
        match self {
            Self::Session(id) => Arg::Int(*id),
            Self::System(organisation) => Arg::Text(organisation),
        }
    }
}

/// The argument of a reach, kept while a statement borrows it.
pub(crate) enum ReachArg<'a> {
    Text(&'a str),
    Teams(String),
    Int(i64),
}

impl<'a> ReachArg<'a> {
    pub(crate) fn of(reach: &'a Reach) -> Self {
        match reach {
            Reach::Patient(patient) => Self::Text(patient),
            Reach::Teams(teams) => {
                let mut list = String::from(",");
                for team in teams {
                    list.push_str(&team.to_string());
                    list.push(',');
                }
                Self::Teams(list)
            }
            Reach::Organisation(id) => Self::Int(*id),
        }
    }

    pub(crate) fn arg(&self) -> Arg<'_> {
        match self {
            Self::Text(text) => Arg::Text(text),
            Self::Teams(list) => Arg::Text(list),
            Self::Int(id) => Arg::Int(*id),
        }
    }
}
