//! What people do about their own accounts, beside signing in: their e-mail address, the links that are sent to it, a password that
//! they forgot, and closing the account; and the mail of all that.

pub mod addresses;
pub mod closing;
pub mod links;
pub mod mails;
pub mod queue;
pub mod resets;
