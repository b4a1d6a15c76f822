//! The pages of signed-in people: signing in and out, a Team Coordinator's grants, a person's connected apps.

pub mod access_log;
pub mod assets;
pub mod connected_apps;
pub mod coordinator;
mod grant_list;
pub mod home;
mod new_grant;
pub mod password;
pub mod sign_in;
