//! Somebody whose password was right on a page before, as a form keeps them, sealed: by the password of then.

use crate::app::App;
use crate::app::trouble::During;
use crate::voices::page::PageStop;
use rules::ids::UserId;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use store::people::{self, User};

/// A user, and a mark of the password by which they were let on.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct KnownUser {
    user: i64,
    mark: [u8; 32],
}

impl KnownUser {
    pub(crate) fn of(user: &User) -> Self {
        Self { user: user.id.0, mark: mark(user) }
    }

    /// The user, while the password is the same.
    pub(crate) async fn find(&self, app: &App) -> Result<Option<User>, PageStop> {
        let user = people::numbered(&app.store, UserId(self.user)).await.during("looking a user up")?;
        Ok(user.filter(|user| mark(user) == self.mark))
    }
}

fn mark(user: &User) -> [u8; 32] {
    Sha256::digest(user.password_hash.0.as_bytes()).into()
}
