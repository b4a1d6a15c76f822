//! The pages of signed-in people: signing in and out, a Team Coordinator's grants, a person's connected apps.

pub mod access_log;
pub mod assets;
pub mod connected_apps;
mod cookies;
pub mod coordinator;
pub mod home;
mod shown_once;
pub mod sign_in;
mod signed_in;
