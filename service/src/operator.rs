//! What an operator can do: the same whether a command opens the store itself or, while a server holds the data directory,
//! asks that server over the control socket.

mod account;
mod apply;
mod changes;
pub(crate) mod check;
pub(crate) mod check_client;
pub(crate) mod check_consent;
pub(crate) mod check_label;
pub(crate) mod check_user;
mod client_invitations;
mod client_keys;
pub mod consent_declaration;
mod consent_summary;
mod consents;
pub mod declaration;
mod execution;
mod import;
mod issue;
mod lists;
mod new_passwords;
mod references;
mod refusal;
mod reply;
mod request;
mod socket;
mod socket_path;
pub mod summaries;
mod why;
mod words;
pub mod world_file;

pub use account::Account;
pub(crate) use apply::client_with_proof;
pub use consent_summary::ConsentSummary;
pub use execution::{execute, execute_by, execute_for};
pub use reply::{
    ApplyReport, Change, GrantToken, ImportReport, IssueReport, NewClientInvitation, NewFactorLink, NewSecret, Reply,
};
pub use request::{
    ChosenNames, ClientInviter, How, ImportMode, Progress, Recipient, Request, ResourceText, WhyQuestion,
};
pub use socket::{Connection, ControlSocket, listen};
pub use summaries::{GrantSummary, OrganisationSummary, UserSummary};
