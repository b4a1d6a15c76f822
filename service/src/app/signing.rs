//! The keys that sign id_tokens. They are in the database, where all nodes find the same, and sealed by the key ring, so that
//! neither alone signs anything.

use super::App;
use super::trouble::Trouble;
use crate::secrets::keys::Keys;
use crate::secrets::signing_key::{SigningKey, SigningTrouble};
use rules::clients::SigningAlgorithm;
use rules::moment::Moment;
use rules::openid::ID_TOKEN_ALGORITHMS;
use store::Store;
use store::signing_keys::{self, KeptSigningKey};

/// Why there is no key that signs.
#[derive(Debug, thiserror::Error)]
pub enum CannotSign {
    #[error(transparent)]
    Store(#[from] store::Error),
    #[error(transparent)]
    Key(#[from] SigningTrouble),
    #[error("the work of making a key that signs was lost: {0}")]
    Lost(#[from] tokio::task::JoinError),
    #[error("the key ring has no key to seal one that signs with")]
    NoRing,
}

impl From<CannotSign> for Trouble {
    fn from(why: CannotSign) -> Self {
        match why {
            CannotSign::Store(error) => error.into(),
            other => Self::new("making a key that signs", other),
        }
    }
}

/// The key that signs by this algorithm now.
pub async fn in_use(app: &App, algorithm: SigningAlgorithm) -> Result<SigningKey, CannotSign> {
    if let (Some(key), _) = find(app, algorithm).await? {
        return Ok(key);
    }
    // Of many who ask at once for the first time, one looks for primes.
    let _turn = app.signing.lock().await;
    let (found, unopened) = find(app, algorithm).await?;
    if let Some(key) = found {
        return Ok(key);
    }
    put_new(&app.store, &app.keys, algorithm, unopened, app.clock.now()).await?;
    let (made, _) = find(app, algorithm).await?;
    made.ok_or(CannotSign::NoRing)
}

/// The keys by which something that is valid may be signed.
pub async fn published(app: &App) -> Result<Vec<KeptSigningKey>, CannotSign> {
    for algorithm in ID_TOKEN_ALGORITHMS {
        in_use(app, algorithm).await?;
    }
    Ok(signing_keys::published(&app.store, app.clock.now()).await?)
}

/// Lets new keys sign from now on.
pub async fn rotate(app: &App, store: &Store) -> Result<(), CannotSign> {
    let _turn = app.signing.lock().await;
    for algorithm in ID_TOKEN_ALGORITHMS {
        let kept = signing_keys::in_use(store, algorithm.word()).await?;
        put_new(store, &app.keys, algorithm, kept.map(|key| key.id), app.clock.now()).await?;
    }
    Ok(())
}

/// The key in use, if the ring opens it; and if it does not, which it is. What sealed it was retired then, and so is it.
async fn find(app: &App, algorithm: SigningAlgorithm) -> Result<(Option<SigningKey>, Option<String>), CannotSign> {
    let Some(kept) = signing_keys::in_use(&app.store, algorithm.word()).await? else { return Ok((None, None)) };
    let opened = SigningKey::open(&app.keys, &kept.id, algorithm, &kept.sealed);
    Ok((opened, Some(kept.id)))
}

async fn put_new(
    store: &Store,
    keys: &Keys,
    algorithm: SigningAlgorithm,
    replaced: Option<String>,
    now: Moment,
) -> Result<(), CannotSign> {
    let key = tokio::task::spawn_blocking(move || SigningKey::new(algorithm)).await??;
    let new = KeptSigningKey {
        id: key.id().to_owned(),
        algorithm: algorithm.word().to_owned(),
        jwk: key.jwk()?.to_string(),
        sealed: key.sealed(keys).ok_or(CannotSign::NoRing)?,
        made_at: now,
        replaced_at: None,
    };
    tracing::info!(key = new.id, algorithm = new.algorithm, replaced, "made a key that signs id_tokens");
    Ok(signing_keys::put(store, replaced, new, now).await?)
}
