//! What a database is for: the service or the sandbox. The first of the two to open it marks it, and the other is refused:
//! `serve` would honour published passwords, `sandbox` would put a clock that anybody can move over real data.

use store::{Store, settings};

/// The setting that holds the mark.
const MARK: &str = "purpose";
/// The setting by which the sandbox remembers how far it has loaded its world.
pub const SANDBOX_WORLD: &str = "sandbox-world";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    Service,
    Sandbox,
}

impl Purpose {
    const fn word(self) -> &'static str {
        match self {
            Self::Service => "service",
            Self::Sandbox => "sandbox",
        }
    }
}

/// Why a database is not opened; each says how to go on.
#[derive(Debug, thiserror::Error)]
pub enum WrongPurpose {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(
        "this is a sandbox's database: its passwords and secrets are published. Name another one with --database, or \
         start with --accept-sandbox-data if it shall be served all the same"
    )]
    Sandbox,
    #[error(
        "this database has been served: its data may be real, and a sandbox lets anybody move its clock. Name another \
         one with --database, or start with --accept-real-data if it shall be a sandbox all the same"
    )]
    Service,
}

/// Marks a database that nobody has marked yet, and refuses one that is marked for the other purpose, unless that is
/// done knowingly. A mark never changes.
pub async fn claim(store: &Store, purpose: Purpose, knowingly: bool) -> Result<(), WrongPurpose> {
    let mark = evidence(store).await?.unwrap_or(purpose);
    let mark = settings::claim(store, MARK, mark.word().to_owned()).await?;
    match purpose {
        _ if mark == purpose.word() || knowingly => Ok(()),
        Purpose::Service => Err(WrongPurpose::Sandbox),
        Purpose::Sandbox => Err(WrongPurpose::Service),
    }
}

/// Whether a database is marked as the service's.
pub async fn is_served(store: &Store) -> store::Result<bool> {
    Ok(settings::get(store, MARK).await?.as_deref() == Some(Purpose::Service.word()))
}

/// What a database without a mark has been used for by a release that made none. One that holds but what was applied and
/// imported is free.
async fn evidence(store: &Store) -> store::Result<Option<Purpose>> {
    if settings::get(store, SANDBOX_WORLD).await?.is_some() {
        return Ok(Some(Purpose::Sandbox));
    }
    Ok(settings::has_sessions(store).await?.then_some(Purpose::Service))
}
