//! What an operator can ask of the service: the same whether a command opens the store itself or, while a server
//! holds the data directory, asks that server over the control socket.

mod applying;
mod applying_references;
mod changing;
pub mod declared;
mod importing;
mod issuing;
mod listing;
pub mod shown;
mod socket;
mod socket_path;
mod words;

pub use importing::Given;
pub use issuing::{IssuedGrant, Who};
pub use socket::{Connection, Listening, listen};

use crate::app::Shared;
use crate::secret::Secret;
use declared::Declared;
use serde::{Deserialize, Serialize};
use shown::{ClientShown, GrantShown, OrganisationShown, TeamShown, UserShown};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Hears how far a long request is: done and in all.
pub type Progress = Arc<dyn Fn(u64, u64) + Send + Sync>;

/// One thing that an operator asks for.
#[derive(Debug, Serialize, Deserialize)]
pub enum Request {
    Apply {
        declared: Box<Declared>,
        how: How,
    },
    /// One batch; `check_only` tells what is wrong with it and stores nothing.
    Import {
        organisation: String,
        team: Option<String>,
        resources: Vec<Given>,
        check_only: bool,
    },
    Clients {
        only: Option<String>,
    },
    DisableClient {
        client_id: String,
    },
    EnableClient {
        client_id: String,
    },
    RotateSecret {
        client_id: String,
    },
    Organisations,
    Withdraw {
        organisation: String,
        client_id: String,
    },
    Teams,
    Users,
    SetPassword {
        username: String,
        #[serde(with = "words::secret")]
        password: Secret,
    },
    Freeze {
        username: String,
        frozen: bool,
    },
    Grants {
        username: Option<String>,
        team: Option<String>,
    },
    Revoke {
        grants: Vec<i64>,
    },
    Issue {
        client_id: String,
        who: Who,
    },
    Keys,
    RotateKey,
    RetireKey {
        id: String,
    },
    Backup {
        to: PathBuf,
    },
}

/// How a declaration is made so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum How {
    /// New things are made, known ones changed.
    Apply,
    /// Nothing is changed; only told what would be.
    DryRun,
    /// All of it must be new: what is there already is not changed by accident.
    OnlyNew,
}

/// The answer to a request; `Progress` may come before it any number of times.
#[derive(Debug, Serialize, Deserialize)]
pub enum Reply {
    Progress {
        done: u64,
        all: u64,
    },
    Applied(Applied),
    Imported(Imported),
    Clients(Vec<ClientShown>),
    Organisations(Vec<OrganisationShown>),
    Teams(Vec<TeamShown>),
    Users(Vec<UserShown>),
    Grants(Vec<GrantShown>),
    /// Whether it changed anything: what was so before is no failure.
    Changed(bool),
    Secret(NewSecret),
    Issued(Vec<IssuedGrant>),
    /// The ids of the keys, the sealing one last.
    Keys(Vec<String>),
    BackedUp,
    /// Nothing was done; each text says what was wrong and what would be right.
    Refused(Vec<String>),
}

#[derive(Debug, Serialize, Deserialize)]
pub struct Applied {
    pub changes: Vec<Change>,
    /// Secrets that were made; this is the only time that they are told.
    pub secrets: Vec<NewSecret>,
}

/// What became of one declared thing.
#[derive(Debug, Serialize, Deserialize)]
pub struct Change {
    pub what: String,
    pub name: String,
    /// `created`, `updated` or `unchanged`.
    pub change: String,
}

#[derive(Debug, Serialize, Deserialize)]
pub struct NewSecret {
    pub client_id: String,
    #[serde(with = "words::secret")]
    pub secret: Secret,
}

/// What became of one batch of resources.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Imported {
    /// New or changed resources by type.
    pub stored: BTreeMap<String, u64>,
    /// Resources by type that were there already, just so.
    pub unchanged: BTreeMap<String, u64>,
    /// What was wrong, and where.
    pub problems: Vec<String>,
}

/// Why a request was not carried out, in sentences for the operator.
#[derive(Debug)]
pub struct Refused(pub Vec<String>);

impl Refused {
    pub(crate) fn because(why: impl Into<String>) -> Self {
        Self(vec![why.into()])
    }
}

impl<E: std::error::Error> From<E> for Refused {
    fn from(error: E) -> Self {
        Self::because(error.to_string())
    }
}

impl Request {
    /// What the log calls a request that changes something. Nothing else of a request is logged: it may hold secrets.
    const fn change(&self) -> Option<&'static str> {
        Some(match self {
            Self::Apply { how: How::DryRun, .. } | Self::Import { check_only: true, .. } => return None,
            Self::Clients { .. } | Self::Organisations | Self::Teams | Self::Users => return None,
            Self::Grants { .. } | Self::Keys => return None,
            Self::Apply { .. } => "apply",
            Self::Import { .. } => "import",
            Self::DisableClient { .. } => "disable client",
            Self::EnableClient { .. } => "enable client",
            Self::RotateSecret { .. } => "rotate secret",
            Self::Withdraw { .. } => "withdraw organisation grant",
            Self::SetPassword { .. } => "set password",
            Self::Freeze { .. } => "freeze or unfreeze user",
            Self::Revoke { .. } => "revoke grants",
            Self::Issue { .. } => "issue grants",
            Self::RotateKey => "rotate key",
            Self::RetireKey { .. } => "retire key",
            Self::Backup { .. } => "backup",
        })
    }
}

/// Carries out one request.
pub async fn execute(app: &Shared, request: Request, progress: &Progress) -> Reply {
    let change = request.change();
    let reply = carry_out(app, request, progress).await.unwrap_or_else(|Refused(why)| Reply::Refused(why));
    if let Some(change) = change {
        tracing::info!(change, done = !matches!(reply, Reply::Refused(_)), "an operator asked for a change");
    }
    reply
}

async fn carry_out(app: &Shared, request: Request, progress: &Progress) -> Result<Reply, Refused> {
    match request {
        Request::Apply { declared, how } => applying::apply(app, *declared, how, progress).await.map(Reply::Applied),
        Request::Import { organisation, team, resources, check_only } => {
            let imported = importing::import(app, &organisation, team.as_deref(), &resources, check_only).await;
            imported.map(Reply::Imported)
        }
        Request::Clients { only } => listing::clients(app, only.as_deref()).await.map(Reply::Clients),
        Request::DisableClient { client_id } => changing::enable(app, client_id, false).await.map(Reply::Changed),
        Request::EnableClient { client_id } => changing::enable(app, client_id, true).await.map(Reply::Changed),
        Request::RotateSecret { client_id } => changing::rotate_secret(app, client_id).await.map(Reply::Secret),
        Request::Organisations => listing::organisations(app).await.map(Reply::Organisations),
        Request::Withdraw { organisation, client_id } => {
            changing::withdraw(app, &organisation, &client_id).await.map(Reply::Changed)
        }
        Request::Teams => listing::teams(app).await.map(Reply::Teams),
        Request::Users => listing::users(app).await.map(Reply::Users),
        Request::SetPassword { username, password } => {
            changing::set_password(app, username, password).await.map(|()| Reply::Changed(true))
        }
        Request::Freeze { username, frozen } => changing::freeze(app, username, frozen).await.map(Reply::Changed),
        Request::Grants { username, team } => {
            listing::grants(app, username.as_deref(), team.as_deref()).await.map(Reply::Grants)
        }
        Request::Revoke { grants } => changing::revoke(app, &grants).await.map(|()| Reply::Changed(true)),
        Request::Issue { client_id, who } => issuing::issue(app, &client_id, who).await.map(Reply::Issued),
        Request::Keys => Ok(Reply::Keys(app.keys.ids())),
        Request::RotateKey => {
            app.keys.rotate()?;
            Ok(Reply::Keys(app.keys.ids()))
        }
        Request::RetireKey { id } => {
            app.keys.retire(&id)?;
            Ok(Reply::Keys(app.keys.ids()))
        }
        Request::Backup { to } => {
            let (app, progress) = (app.clone(), progress.clone());
            let copy = move || store::backup::copy(&app.store, &to, |done, all| progress(done, all));
            tokio::task::spawn_blocking(copy).await??;
            Ok(Reply::BackedUp)
        }
    }
}
