//! Why an operator's request was not carried out.

/// Why a request was not carried out, in sentences for the operator.
#[derive(Debug)]
pub struct OperatorRefusal(pub Vec<String>);

impl OperatorRefusal {
    pub(crate) fn because(why: impl Into<String>) -> Self {
        Self(vec![why.into()])
    }
}

impl<E: std::error::Error> From<E> for OperatorRefusal {
    fn from(error: E) -> Self {
        Self::because(error.to_string())
    }
}

pub(super) fn no_client(client_id: &str) -> OperatorRefusal {
    OperatorRefusal::because(format!("there is no client {client_id}; see `recordgate client list`"))
}

pub(super) fn no_user(username: &str) -> OperatorRefusal {
    OperatorRefusal::because(format!("there is no user {username}; see `recordgate user list`"))
}

pub(super) fn no_organisation(public_id: &str) -> OperatorRefusal {
    OperatorRefusal::because(format!("there is no organisation {public_id}; see `recordgate organisation list`"))
}

pub(super) fn no_team(public_id: &str) -> OperatorRefusal {
    OperatorRefusal::because(format!("there is no team {public_id}; see `recordgate team list`"))
}
