//! By whom something is done, where what is done does not say it.

use rules::ids::{ClientId, SessionId, UserId};

/// Who acts: an app within a session, a System Client, or an operator.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Author {
    pub session: Option<SessionId>,
    pub client: Option<ClientId>,
    pub user: Option<UserId>,
    /// The account on the machine.
    pub operator: Option<String>,
}

impl Author {
    /// An operator, by the account on the machine.
    #[must_use]
    pub fn operator(account: impl Into<String>) -> Self {
        Self { operator: Some(account.into()), ..Self::default() }
    }
}
