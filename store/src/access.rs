//! Who may come in: sessions and what they grant, clients, people, organisations and their teams.

pub mod assertions;
pub mod bearer;
mod client;
mod client_lines;
pub mod clients;
pub mod deactivation;
pub mod ended_grants;
pub mod endings;
pub mod grants;
pub mod invitation_tries;
pub mod invitations;
pub mod invited_accounts;
pub mod memberships;
pub mod opening;
pub mod organisations;
pub mod papers;
pub mod patients;
pub mod people;
pub mod profile;
pub mod revocation;
pub mod salt;
pub mod sessions;
pub mod sign_ins;
pub mod team_grants;
mod user;
mod user_lines;
pub mod user_sessions;
