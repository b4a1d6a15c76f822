//! A viewer as an operator spells one.

use rules::params::shown;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// Who looks, by the names that operators know.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum ViewerName {
    /// The public id of a team: its grant (SITE), or any member of it.
    Team(String),
    /// A person, and the public id of the team for which they look, where they have one.
    User { username: String, team: Option<String> },
    /// The public id of an organisation, and those of the teams that the grant of its System Client names.
    Organisation { organisation: String, through: Vec<String> },
}

const SPELLINGS: &str = "team:UUID, user:NAME, user:NAME+TEAM-UUID, organisation:UUID or organisation:UUID+TEAM-UUID";

impl FromStr for ViewerName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let unknown = || format!("{} names no viewer; one is spelt {SPELLINGS}", shown(text));
        let (kind, name) = text.split_once(':').ok_or_else(unknown)?;
        match kind {
            "team" => Ok(Self::Team(uuid(name).ok_or_else(unknown)?)),
            "user" if !name.is_empty() => Ok(user(name)),
            "organisation" => {
                let mut ids = name.split('+').map(|id| uuid(id).ok_or_else(unknown));
                let organisation = ids.next().unwrap_or_else(|| Err(unknown()))?;
                Ok(Self::Organisation { organisation, through: ids.collect::<Result<_, _>>()? })
            }
            _ => Err(unknown()),
        }
    }
}

/// A username may have a plus sign in it, as addresses do: what is behind the last one is a team if it is a UUID.
fn user(name: &str) -> ViewerName {
    let split = name.rsplit_once('+').and_then(|(username, team)| Some((username, uuid(team)?)));
    match split {
        Some((username, team)) if !username.is_empty() => {
            ViewerName::User { username: username.to_owned(), team: Some(team) }
        }
        _ => ViewerName::User { username: name.to_owned(), team: None },
    }
}

/// The hyphenated form only, in small letters.
fn uuid(text: &str) -> Option<String> {
    let uuid = uuid::Uuid::try_parse(text).ok()?.to_string();
    uuid.eq_ignore_ascii_case(text).then_some(uuid)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01";
    const OTHER: &str = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01";

    #[test]
    fn every_kind_of_viewer_can_be_spelt() {
        let user = |username: &str, team: Option<&str>| ViewerName::User {
            username: username.into(),
            team: team.map(String::from),
        };
        let through = |through: &[&str]| ViewerName::Organisation {
            organisation: ONE.into(),
            through: through.iter().map(|id| (*id).to_owned()).collect(),
        };
        for (spelt, meant) in [
            (format!("team:{ONE}"), ViewerName::Team(ONE.into())),
            (format!("team:{}", ONE.to_uppercase()), ViewerName::Team(ONE.into())),
            ("user:amina".into(), user("amina", None)),
            ("user:amina+records@example.org".into(), user("amina+records@example.org", None)),
            (format!("user:grey+{ONE}"), user("grey", Some(ONE))),
            (format!("organisation:{ONE}"), through(&[])),
            (format!("organisation:{ONE}+{OTHER}+{OTHER}"), through(&[OTHER, OTHER])),
        ] {
            assert_eq!(spelt.parse(), Ok(meant), "{spelt}");
        }
    }

    #[test]
    fn what_names_no_viewer_is_refused_with_the_spellings() {
        for wrong in ["", "amina", "team:", "team:sleep", "user:", "patient:amina", "organisation:", "organisation:x+y"]
        {
            let why = wrong.parse::<ViewerName>().unwrap_err();
            assert!(why.contains(SPELLINGS), "{wrong}: {why}");
        }
    }
}
