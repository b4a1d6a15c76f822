//! Identity: one person has one record. A national identifier is unique in the service.

use crate::consent::denial::Denial;

/// What a Patient that is sent has in common with the one who is known by its national identifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demographics {
    pub same_birth_date: bool,
    pub same_family_name: bool,
}

/// Who a Patient that is created is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Identity {
    /// Nobody has this identifier.
    New,
    /// The Patient who is there: the answer is that one, nothing in it changes, and the sender has an association.
    Known,
}

/// Who it is; without this two hospitals would make two records of one person.
pub const fn of(known: Option<Demographics>) -> Result<Identity, Denial> {
    match known {
        None => Ok(Identity::New),
        Some(Demographics { same_birth_date: true, same_family_name: true }) => Ok(Identity::Known),
        Some(_) => Err(Denial::IdentityConflict),
    }
}
