//! What the pages of an administrator show: names and ids of accounts, clients, organisations and teams; nothing of any record.

use super::everyone::Link;
use super::frame::{Frame, GuardedText};
use askama::Template;

/// `/admin`: whether the service can do its work, and the configuration in force.
#[derive(Debug, Template)]
#[template(path = "admin.html")]
pub struct AdminPage {
    pub frame: Frame,
    /// Why it cannot do its work, if it cannot.
    pub obstacle: Option<String>,
    /// The ids of the keys, the sealing one last.
    pub keys: Vec<String>,
    pub settings: Vec<SettingText>,
}

/// A setting as it came out, without what is secret in it.
#[derive(Clone, Debug)]
pub struct SettingText {
    pub key: &'static str,
    pub value: String,
    pub from: String,
}

/// A list of what there is, and the forms that add to it.
#[derive(Debug, Template)]
#[template(path = "admin_list.html")]
pub struct AdminListPage {
    pub frame: Frame,
    pub heading: &'static str,
    pub lead: &'static str,
    pub notice: Option<String>,
    /// Where names are searched, and for what.
    pub search: Option<(&'static str, String)>,
    pub rows: Vec<AdminRow>,
    pub older: Option<String>,
    pub adds: Vec<AddForm>,
}

#[derive(Clone, Debug)]
pub struct AdminRow {
    pub title: String,
    pub lines: Vec<String>,
    pub href: Option<String>,
}

/// A form that adds something.
#[derive(Clone, Debug)]
pub struct AddForm {
    pub id: &'static str,
    pub heading: &'static str,
    pub action: &'static str,
    pub button: &'static str,
    pub form: GuardedText,
    /// What was wrong with the last try.
    pub problems: Vec<String>,
    pub fields: Vec<AddField>,
}

#[derive(Clone, Debug)]
pub struct AddField {
    pub name: &'static str,
    pub label: &'static str,
    pub hint: &'static str,
    /// What is typed; of a password, nothing comes back.
    pub value: String,
    pub is_password: bool,
    pub is_required: bool,
    /// What can be chosen, where it is no text.
    pub options: Vec<AddOption>,
}

#[derive(Clone, Debug)]
pub struct AddOption {
    pub value: String,
    pub text: String,
    pub is_chosen: bool,
}

/// One account or client, and what can be done with it.
#[derive(Debug, Template)]
#[template(path = "admin_one.html")]
pub struct AdminOnePage {
    pub frame: Frame,
    pub back: Link,
    pub heading: String,
    pub notice: Option<String>,
    pub problem: Option<String>,
    /// A new secret, shown this once.
    pub secret: Option<GuardedText>,
    pub facts: Vec<(&'static str, String)>,
    pub action: String,
    pub form: GuardedText,
    pub deeds: Vec<AdminDeed>,
}

/// A button, and what it comes to.
#[derive(Clone, Copy, Debug)]
pub struct AdminDeed {
    pub decision: &'static str,
    pub button: &'static str,
    pub text: &'static str,
}
