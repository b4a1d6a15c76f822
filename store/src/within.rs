//! Reach as SQL: the one place where what a caller may see becomes a WHERE clause.

use crate::db::Arg;
use rules::reach::Reach;

/// The same statement for each kind of reach. `$1` is always the reach's argument, and `r` the resource.
#[derive(Debug)]
pub struct Within {
    pub patient: &'static str,
    pub teams: &'static str,
    pub organisation: &'static str,
}

/// Writes a statement for each kind of reach, of what is read, from which tables, and on which conditions, before and
/// after that of reach: `within!("r.body", "resources r", "", " AND …")`.
macro_rules! within {
    ($columns:expr, $from:expr, $before:expr, $after:expr) => {
        $crate::within::Within {
            patient: $crate::within::within!($columns, $from, $before, "r.patient_id = $1", $after),
            teams: $crate::within::within!(
                $columns,
                $from,
                $before,
                "EXISTS (SELECT 1 FROM registrations g WHERE g.patient_id = r.patient_id
                    AND $1 LIKE '%,' || CAST(g.team_id AS TEXT) || ',%')",
                $after
            ),
            organisation: $crate::within::within!($columns, $from, $before, "r.source_organisation_id = $1", $after),
        }
    };
    ($columns:expr, $from:expr, $before:expr, $reach:literal, $after:expr) => {
        concat!("SELECT ", $columns, " FROM ", $from, " WHERE ", $before, $reach, $after)
    };
}
pub(crate) use within;

/// The reach of the session `s`, whose user is `u`, where both are read by the same statement (`asking.rs`).
macro_rules! within_session {
    () => {
        "CASE s.scope
            WHEN 'PATIENT' THEN u.patient_id = r.patient_id
            ELSE EXISTS (SELECT 1 FROM registrations g WHERE g.patient_id = r.patient_id
                AND (g.team_id = s.team_id OR EXISTS (
                    SELECT 1 FROM memberships m WHERE m.user_id = s.user_id AND m.team_id = g.team_id)))
            END"
    };
}
pub(crate) use within_session;

/// The reach of a System Client by the grant `g`, where the same statement reads it. Without a grant there is no reach.
macro_rules! within_grant {
    () => {
        "r.source_organisation_id = g.organisation_id"
    };
}
pub(crate) use within_grant;

impl Within {
    /// Each of its texts.
    pub(crate) const fn all(&self) -> [&'static str; 3] {
        [self.patient, self.teams, self.organisation]
    }

    pub(crate) const fn sql(&self, reach: &Reach) -> &'static str {
        match reach {
            Reach::Patient(_) => self.patient,
            Reach::Teams(_) => self.teams,
            Reach::Organisation(_) => self.organisation,
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
