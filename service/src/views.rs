//! What the pages show: plain data that the handlers fill in and the templates in `templates/` lay out.

pub mod access_log;
pub mod account;
pub mod accounts;
pub mod admin;
pub mod apps;
pub mod chart;
pub mod connected_apps;
pub mod everyone;
mod frame;
pub mod glass;
pub mod grants;
pub mod home;
pub mod join;
pub mod letter;
pub mod looks;
pub mod messages;
pub mod navigation;
pub mod notices;
pub mod oversight;
pub mod parting;
pub mod password;
pub mod qr;
pub mod record;
pub mod record_form;
pub mod recovery;
pub mod reference;
pub mod sample;
pub mod second_factor;
pub mod sharing;
pub mod sign_ins;
pub mod teams;
pub mod why;
pub mod words;

pub use everyone::{AuthorizePage, DonePage, ErrorPage, FrontPage, Link, SignInPage};
pub use frame::{Frame, GuardedText, TimeText};

#[cfg(test)]
mod account_specimens;
#[cfg(test)]
mod factor_specimens;
#[cfg(test)]
mod own_specimens;
#[cfg(test)]
mod record_specimens;
#[cfg(test)]
mod specimens;
#[cfg(test)]
mod staff_specimens;
#[cfg(test)]
mod tests;
