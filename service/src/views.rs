//! What the pages show: plain data that the handlers fill in and the templates in `templates/` lay out.

pub mod access_log;
mod everyone;
mod frame;
pub mod grants;
pub mod password;
pub mod reference;
pub mod sample;
pub mod words;

pub use everyone::{AuthorizePage, ErrorPage, HomePage, Link, SignInPage};
pub use frame::{Frame, GuardedText, TimeText};

#[cfg(test)]
mod specimens;
#[cfg(test)]
mod tests;
