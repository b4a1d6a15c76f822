//! The way around: which pages a reader can go to from anywhere, and which of them they are on.

use rules::scope::UserType;
use std::borrow::Cow;

/// One page to go to.
#[derive(Clone, Debug)]
pub struct NavigationLink {
    pub href: &'static str,
    pub text: Cow<'static, str>,
    /// Whether it is the page that is shown.
    pub is_here: bool,
}

/// Where everybody can go, whoever they are: for pages that do not know their reader.
pub const ANYBODY: &[(&str, &str)] = &[("/", "Home"), ("/docs", "API documentation")];

/// Where somebody can go who is not signed in.
pub const SIGNED_OUT: &[(&str, &str)] = &[("/", "Home"), ("/sign-in", "Sign in"), ("/docs", "API documentation")];

/// What somebody was told.
const NOTICES: (&str, &str) = ("/notices", "Notices");

/// Where somebody of this type can go who is signed in.
#[must_use]
pub const fn of(user_type: UserType) -> &'static [(&'static str, &'static str)] {
    match user_type {
        UserType::Patient => &[
            ("/", "Home"),
            ("/record", "My record"),
            ("/sharing", "Sharing"),
            ("/access-log", "Access log"),
            NOTICES,
            ("/connected-apps", "Connected apps"),
            ("/sign-ins", "Sign-ins"),
            ("/password", "Password"),
            ("/second-factor", "Second factor"),
        ],
        UserType::Clinician => &[
            ("/", "Home"),
            NOTICES,
            ("/connected-apps", "Connected apps"),
            ("/sign-ins", "Sign-ins"),
            ("/password", "Password"),
            ("/second-factor", "Second factor"),
        ],
        UserType::TeamCoord => &[
            ("/", "Home"),
            ("/coordinator/api-access", "API access"),
            ("/coordinator/accounts", "Patients’ accounts"),
            NOTICES,
            ("/connected-apps", "Connected apps"),
            ("/sign-ins", "Sign-ins"),
            ("/password", "Password"),
            ("/second-factor", "Second factor"),
        ],
        UserType::Admin | UserType::PrivacyOfficer => &[
            ("/", "Home"),
            NOTICES,
            ("/sign-ins", "Sign-ins"),
            ("/password", "Password"),
            ("/second-factor", "Second factor"),
        ],
    }
}

/// These links, on the page at `here`.
#[must_use]
pub fn links(all: &[(&'static str, &'static str)], here: &str) -> Vec<NavigationLink> {
    all.iter().map(|(href, text)| NavigationLink { href, text: Cow::Borrowed(*text), is_here: *href == here }).collect()
}

/// The same with the number of notices that wait for the reader.
#[must_use]
pub fn with_notices(all: &[(&'static str, &'static str)], here: &str, unseen: i64) -> Vec<NavigationLink> {
    let mut links = links(all, here);
    for link in links.iter_mut().filter(|link| link.href == NOTICES.0 && unseen > 0) {
        link.text = Cow::Owned(format!("{} ({unseen} new)", NOTICES.1));
    }
    links
}
