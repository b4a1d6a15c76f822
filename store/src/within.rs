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
        }
    };
}
pub(crate) use within;

impl Within {
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
