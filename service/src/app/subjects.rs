//! By which id a client knows a user: another for every sector, so that two apps cannot tell whether they know the same person,
//! and always the same for one, whatever keys are rotated.

use super::App;
use super::trouble::{During, Trouble};
use crate::secrets::dice;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::hmac;
use rules::ids::UserId;
use store::settings;

/// The setting in the database from which the ids are made.
const SETTING: &str = "subject-key";

/// The sector of a client: the one that its operator has set, or its own.
#[derive(Clone, Copy, Debug)]
pub enum Sector<'c> {
    Named(&'c str),
    OfClient(&'c str),
}

/// The `sub` of a user in a sector.
pub async fn subject(app: &App, sector: Sector<'_>, user: UserId) -> Result<String, Trouble> {
    let key = match settings::get(&app.store, SETTING).await.during("looking for the key of subjects")? {
        Some(key) => key,
        None => {
            let new = URL_SAFE_NO_PAD.encode(dice::bytes::<32>()?);
            settings::claim(&app.store, SETTING, new).await.during("setting the key of subjects")?
        }
    };
    let (kind, name) = match sector {
        Sector::Named(name) => ("sector", name),
        Sector::OfClient(client_id) => ("client", client_id),
    };
    let key = hmac::Key::new(hmac::HMAC_SHA256, key.as_bytes());
    let tag = hmac::sign(&key, format!("recordgate subject\0{kind}\0{name}\0{}", user.0).as_bytes());
    Ok(URL_SAFE_NO_PAD.encode(tag))
}
