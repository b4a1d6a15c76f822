//! `/apps`: the apps that a person can open from here (SMART's EHR launch), and the page on which one is opened.

use super::everyone::Choice;
use super::frame::{Frame, GuardedText};
use askama::Template;

/// `/apps`.
#[derive(Debug, Template)]
#[template(path = "apps.html")]
pub struct AppsPage {
    pub frame: Frame,
    /// The patient for whom they are opened, where a clinician comes from a record.
    pub about: Option<String>,
    pub apps: Vec<GalleryApp>,
}

/// An app that can be opened.
#[derive(Clone, Debug)]
pub struct GalleryApp {
    pub product: String,
    pub owner: String,
    pub href: String,
}

/// `/apps/{client}`.
#[derive(Debug, Template)]
#[template(path = "app_launch.html")]
pub struct AppLaunchPage {
    pub frame: Frame,
    pub product: String,
    pub owner: String,
    /// The host that Open leads to.
    pub goes_to: String,
    /// Whom it is opened for, where nothing is to be chosen.
    pub about: Option<String>,
    pub choice: Option<Choice>,
    /// Fields of the form that nobody sees.
    pub kept: Vec<(&'static str, String)>,
    pub action: String,
    pub form: GuardedText,
    pub back: String,
    pub problem: Option<String>,
}
