//! The way around: which pages a reader can go to from anywhere, and which of them they are on.

use rules::scope::UserType;

/// One page to go to.
#[derive(Clone, Copy, Debug)]
pub struct NavigationLink {
    pub href: &'static str,
    pub text: &'static str,
    /// Whether it is the page that is shown.
    pub is_here: bool,
}

/// Where everybody can go, whoever they are: for pages that do not know their reader.
pub const ANYBODY: &[(&str, &str)] = &[("/", "Home"), ("/docs", "API documentation")];

/// Where somebody can go who is not signed in.
pub const SIGNED_OUT: &[(&str, &str)] = &[("/", "Home"), ("/sign-in", "Sign in"), ("/docs", "API documentation")];

/// Where somebody of this type can go who is signed in.
#[must_use]
pub const fn of(user_type: UserType) -> &'static [(&'static str, &'static str)] {
    match user_type {
        UserType::Patient => &[
            ("/", "Home"),
            ("/record", "My record"),
            ("/connected-apps", "Connected apps"),
            ("/access-log", "Access log"),
            ("/sign-ins", "Sign-ins"),
            ("/password", "Password"),
        ],
        UserType::Clinician => &[
            ("/", "Home"),
            ("/connected-apps", "Connected apps"),
            ("/sign-ins", "Sign-ins"),
            ("/password", "Password"),
        ],
        UserType::TeamCoord => &[
            ("/", "Home"),
            ("/coordinator/api-access", "API access"),
            ("/coordinator/accounts", "Patients’ accounts"),
            ("/connected-apps", "Connected apps"),
            ("/sign-ins", "Sign-ins"),
            ("/password", "Password"),
        ],
        UserType::Admin | UserType::PrivacyOfficer => {
            &[("/", "Home"), ("/sign-ins", "Sign-ins"), ("/password", "Password")]
        }
    }
}

/// These links, on the page at `here`.
#[must_use]
pub fn links(all: &[(&'static str, &'static str)], here: &str) -> Vec<NavigationLink> {
    all.iter().map(|(href, text)| NavigationLink { href, text, is_here: *href == here }).collect()
}
