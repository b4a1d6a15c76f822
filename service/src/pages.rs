//! The pages: home, a patient's own record and with whom it is shared, notices, signing in and out, making an account by invitation, a Team Coordinator's grants and patients' accounts, a person's connected apps, sign-ins, password and log.

pub mod access_log;
pub mod accounts;
pub mod assets;
pub mod carer_invitation;
pub mod connected_apps;
pub mod coordinator;
mod ending;
pub mod grant_check;
pub mod grant_history;
mod grant_list;
pub mod home;
pub mod join;
pub mod log_download;
mod log_words;
mod new_grant;
pub mod notices;
pub mod password;
mod patient_log;
pub mod record;
mod record_sections;
mod record_words;
pub mod sharing;
mod sharing_words;
pub mod sign_in;
pub mod sign_ins;
mod team_access;
pub mod why;
