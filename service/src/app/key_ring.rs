//! The key ring and the database that knows it: a ring that is not this database's is refused. With another's in its
//! place, every app would hear that its grant is no good, and throw it away.

use super::opening::CannotOpen;
use crate::secrets::keys::{self, KeyTrouble, Keys, Ring, RingLock};
use crate::secrets::totp::TotpSecret;
use rules::moment::Moment;
use std::path::Path;
use store::factors;
use store::ledger::{self, SealState};
use store::ring::{self, RingKey};
use store::{Store, settings};

/// Opens the ring of this database, or makes it on first start. The first ring that a database sees is its own.
pub async fn open(store: &Store, path: &Path, now: Moment) -> Result<Keys, CannotOpen> {
    let is_known = !ring::list(store).await?.is_empty();
    let id = settings::store_id(store).await?;
    let keys = Keys::open(path, is_known || settings::has_sessions(store).await?, Some(&id))?;
    let mut ring = keys.read()?;
    hold(store, &mut ring, path, now).await?;
    keys.take(ring);
    Ok(keys)
}

/// Reads the file again if it has changed, and tells whether it had. A file that is not this database's ring leaves the
/// keys as they are.
pub async fn reread(store: &Store, keys: &Keys, now: Moment) -> Result<bool, CannotOpen> {
    let changed = async {
        let Some(mut ring) = keys.changed()? else { return Ok(false) };
        hold(store, &mut ring, keys.path(), now).await?;
        keys.take(ring);
        Ok(true)
    };
    let changed = changed.await;
    // A ring that others can read is this database's all the same.
    if let Err(CannotOpen::Keys(trouble)) = &changed
        && !matches!(trouble, KeyTrouble::ReadableByOthers(..))
    {
        keys.refuse();
    }
    changed
}

/// Holds a ring to what the database knows. Keys that were retired elsewhere are left out: the file is an older copy.
async fn hold(store: &Store, ring: &mut Ring, path: &Path, now: Moment) -> Result<(), CannotOpen> {
    let id = settings::store_id(store).await?;
    if ring.store().is_some_and(|theirs| theirs != id) {
        return Err(KeyTrouble::OfAnotherStore(path.into()).into());
    }
    let mut known = ring::list(store).await?;
    if known.is_empty() && !ring::begin(store, ring.names(), now).await? {
        known = ring::list(store).await?;
    }
    if known.is_empty() {
        return Ok(());
    }
    let retired = compare(&ring.names(), &known, path)?;
    if ring.remove(&retired) {
        tracing::warn!(keys = ?retired, "the key ring has keys that were retired; they open nothing");
    }
    if ring.names().is_empty() { Err(KeyTrouble::Empty(path.into()).into()) } else { Ok(()) }
}

/// Whether these are the keys that a database knows; gives those that are retired.
fn compare(names: &[(String, String)], known: &[RingKey], path: &Path) -> Result<Vec<String>, KeyTrouble> {
    let mut retired = Vec::new();
    for (id, fingerprint) in names {
        match known.iter().find(|key| key.id == *id) {
            None => return Err(KeyTrouble::Unknown(path.into(), id.clone())),
            Some(key) if key.fingerprint != *fingerprint => {
                return Err(KeyTrouble::Mismatch(path.into(), id.clone()));
            }
            Some(key) if key.is_retired => retired.push(id.clone()),
            Some(_) => {}
        }
    }
    let is_there = |key: &&RingKey| names.iter().any(|(id, _)| *id == key.id);
    // A key that has sealed nothing may be on its way to nodes that have copies of their own.
    let lacks = known.iter().filter(|key| key.has_sealed && !key.is_retired).find(|key| !is_there(key));
    lacks.map_or(Ok(retired), |key| Err(KeyTrouble::Lacks(path.into(), key.id.clone())))
}

/// The ring, held against others who would change it.
async fn held(keys: &Keys) -> Result<RingLock, CannotOpen> {
    let path = keys.path().to_owned();
    let lock = tokio::task::spawn_blocking(move || keys::lock(&path)).await;
    Ok(lock.map_err(|error| KeyTrouble::Io(keys.path().into(), std::io::Error::other(error)))??)
}

/// Notes which key seals, once for each.
pub async fn note_sealing(store: &Store, keys: &Keys, noted: &mut Option<String>, now: Moment) -> store::Result<()> {
    let sealing = keys.ids().pop();
    if sealing != *noted
        && let Some(id) = &sealing
    {
        ring::note_sealing(store, id.clone(), now).await?;
        *noted = sealing;
    }
    Ok(())
}

/// Adds a new key, which seals from now on; the others still open what they sealed. The database knows it first: a node
/// that meets it in the file must find it there.
pub async fn rotate(store: &Store, keys: &Keys, now: Moment) -> Result<(), CannotOpen> {
    let _held = held(keys).await?;
    let mut ring = keys.read()?;
    hold(store, &mut ring, keys.path(), now).await?;
    loop {
        let name = ring.add()?;
        let id = name.0.clone();
        if ring::add(store, name, now).await? {
            break;
        }
        ring.remove(&[id]);
    }
    ring.set_store(settings::store_id(store).await?);
    Ok(keys.write(&ring)?)
}

/// Removes a key: what it sealed can no longer be opened. The database first, so that a crash leaves a file with a key that
/// opens nothing, and not a database that waits for a key that is gone.
pub async fn retire(store: &Store, keys: &Keys, id: &str, now: Moment) -> Result<(), CannotOpen> {
    let _held = held(keys).await?;
    let mut ring = keys.read()?;
    if ring.names().last().is_some_and(|(last, _)| last == id) {
        return Err(KeyTrouble::InUse(id.into()).into());
    }
    // Months of the ledger that it vouched for are vouched for by the key that seals; not those that somebody changed.
    let sealed = ledger::reseal(store, keys, |root, state| root.seal.key == id && state == SealState::Good).await?;
    if !sealed.is_empty() {
        tracing::info!(months = sealed.len(), "sealed the roots of the ledger's months anew");
    }
    // What it sealed for good is sealed anew: nobody could show their second factor any more.
    let anew = |user, sealed: &str| TotpSecret::seal_anew(keys, user, sealed, id);
    let sealed = factors::reseal(store, anew).await?;
    if sealed > 0 {
        tracing::info!(sealed, "sealed the secrets of second factors anew");
    }
    let is_new = ring::retire(store, id.to_owned(), now).await?;
    if ring.remove(&[id.to_owned()]) {
        ring.set_store(settings::store_id(store).await?);
        keys.write(&ring)?;
    } else if !is_new {
        return Err(KeyTrouble::NoSuchKey(id.into()).into());
    }
    Ok(())
}

/// Makes the ring in the file this database's own, whatever it knew before; where there is none, a new one. Every token
/// that another key sealed is void.
pub async fn adopt(store: &Store, keys: &Keys, now: Moment) -> Result<(), CannotOpen> {
    let id = settings::store_id(store).await?;
    drop(Keys::open(keys.path(), false, Some(&id))?);
    let _held = held(keys).await?;
    let mut ring = keys.read()?;
    if ring.store().is_some_and(|theirs| theirs != id) {
        return Err(KeyTrouble::OfAnotherStore(keys.path().into()).into());
    }
    ring::adopt(store, ring.names(), now).await?;
    ring.set_store(id);
    keys.write(&ring)?;
    // Nobody can tell any more whether these are as they were made. Whoever kept roots elsewhere can.
    let sealed = ledger::reseal(store, keys, |_, state| state == SealState::OtherKey).await?;
    if !sealed.is_empty() {
        let months: Vec<String> = sealed.iter().map(ToString::to_string).collect();
        tracing::warn!(?months, "sealed roots of the ledger's months anew whose key is lost");
    }
    Ok(())
}
