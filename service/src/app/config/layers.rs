//! The layers of the configuration, laid over one another, each value remembering where it came from.

use super::defaults::defaults;
use super::settings::{SETTINGS, Setting, SettingKind, TABLES};
use crate::formats::toml_table::TomlFile;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// The environment variable that stands for `--config`.
pub const CONFIG_VARIABLE: &str = "RECORDGATE_CONFIG";

/// What a configuration is read from.
pub struct Sources<'s> {
    /// Setting's key, the option's name and its value, for each option that was given.
    pub options: Vec<(&'static str, &'static str, String)>,
    pub file: Option<PathBuf>,
    pub environment: &'s dyn Fn(&str) -> Option<String>,
    /// Defaults of this command that are not those of the others.
    pub defaults: Vec<(&'static str, &'static str)>,
}

impl std::fmt::Debug for Sources<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sources")
    }
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    Default,
    File(String),
    Environment(&'static str),
    Option(&'static str),
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(name) => f.write_str(name),
            Self::Environment(variable) => write!(f, "environment {variable}"),
            Self::Option(option) => write!(f, "option {option}"),
        }
    }
}

/// One line of `recordgate config`.
#[derive(Clone, Debug)]
pub struct SettingLine {
    pub key: &'static str,
    /// As a TOML file would write it; `None` where the setting is off.
    pub value: Option<toml::Value>,
    pub from: String,
}

/// All layers, merged, before the values are understood.
pub(super) struct Layers {
    values: BTreeMap<&'static str, (String, Origin)>,
    derived: BTreeMap<&'static str, (String, &'static str)>,
    problems: Vec<String>,
}

impl Layers {
    pub(super) fn read(sources: &Sources<'_>) -> Self {
        let mut all = Self { values: BTreeMap::new(), derived: BTreeMap::new(), problems: Vec::new() };
        all.lay_file("defaults.toml", &defaults(), |_| Origin::Default);
        for (key, value) in &sources.defaults {
            all.values.insert(key, ((*value).to_owned(), Origin::Default));
        }
        let named = (sources.environment)(CONFIG_VARIABLE).filter(|name| !name.is_empty()).map(PathBuf::from);
        if let Some(path) = sources.file.clone().or(named) {
            let name = path.display().to_string();
            match std::fs::read_to_string(&path) {
                Ok(text) => all.lay_file(&name, &text, Origin::File),
                Err(error) => all.problems.push(format!("the config file {name} cannot be read: {error}")),
            }
        }
        for setting in &SETTINGS {
            // An empty variable is how many tools unset one.
            if let Some(value) = (sources.environment)(setting.variable).filter(|value| !value.is_empty()) {
                all.values.insert(setting.key, (value, Origin::Environment(setting.variable)));
            }
        }
        for (key, option, value) in &sources.options {
            all.values.insert(key, (value.clone(), Origin::Option(option)));
        }
        all
    }

    fn lay_file(&mut self, name: &str, text: &str, origin: impl Fn(String) -> Origin) {
        let mut file = TomlFile::new(name, text);
        let mut top = file.top();
        let mut tables = TABLES.map(|key| (key, top.table(&mut file, key)));
        for setting in &SETTINGS {
            let inner = tables.iter_mut().find(|(key, _)| Some(*key) == setting.table);
            let table = inner.map_or(&mut top, |(_, table)| table);
            let found = match setting.sort {
                SettingKind::Text => table.text(&mut file, setting.name),
                SettingKind::Number => table.number(&mut file, setting.name).map(|number| number.to_string()),
                SettingKind::Flag => table.flag(&mut file, setting.name).map(|flag| flag.to_string()),
            };
            if let Some(value) = found {
                self.values.insert(setting.key, (value, origin(file.place(table.last_at()))));
            }
        }
        for (_, table) in tables {
            table.finish(&mut file);
        }
        top.finish(&mut file);
        self.problems.extend(file.into_problems());
    }

    /// A setting as `read` understands it; `None` where nobody says it, or wrongly.
    pub(super) fn value<T>(
        &mut self,
        key: &'static str,
        must_be: &str,
        read: impl FnOnce(&str) -> Option<T>,
    ) -> Option<T> {
        let value = read(&self.values.get(key)?.0);
        if value.is_none() {
            self.complain(key, must_be);
        }
        value
    }

    /// The database as `read` understands it, or the reason why it does not, which must not repeat the value: a URL may
    /// hold a password.
    pub(super) fn database<T, E: std::fmt::Display>(&mut self, read: impl FnOnce(&str) -> Result<T, E>) -> Option<T> {
        let (text, origin) = self.values.get("database")?;
        read(text).map_err(|why| self.problems.push(format!("database ({origin}) will not do: {why}"))).ok()
    }

    /// Where a setting's value came from.
    pub(super) fn origin(&self, key: &str) -> Origin {
        self.values.get(key).map_or(Origin::Default, |(_, origin)| origin.clone())
    }

    /// Says what a setting must be, and that it is not.
    pub(super) fn complain(&mut self, key: &'static str, must_be: &str) {
        if let Some((text, origin)) = self.values.get(key) {
            self.problems.push(format!("{key} = {text:?} ({origin}) will not do; it must be {must_be}"));
        }
    }

    /// What a setting is when nobody says otherwise, worked out from another one.
    pub(super) fn derived(&mut self, key: &'static str, value: String, how: &'static str) {
        self.derived.insert(key, (value, how));
    }

    /// Shows a setting otherwise than it was written: without the password in it.
    pub(super) fn replace_text(&mut self, key: &'static str, text: String) {
        if let Some((value, _)) = self.values.get_mut(key) {
            *value = text;
        }
    }

    pub(super) fn into_parts(self) -> (Vec<SettingLine>, Vec<String>) {
        let lines = SETTINGS.iter().map(|setting| {
            let (value, from) = match (self.values.get(setting.key), self.derived.get(setting.key)) {
                (Some((text, origin)), _) => (Some(text), origin.to_string()),
                (None, Some((text, how))) => (Some(text), format!("default: {how}")),
                (None, None) => (None, Origin::Default.to_string()),
            };
            SettingLine { key: setting.key, value: value.map(|text| literal(setting, text)), from }
        });
        (lines.collect(), self.problems)
    }
}

/// A value as a TOML file holds it.
fn literal(setting: &Setting, text: &str) -> toml::Value {
    let other = match setting.sort {
        SettingKind::Text => None,
        SettingKind::Number => text.parse().ok().map(toml::Value::Integer),
        SettingKind::Flag => text.parse().ok().map(toml::Value::Boolean),
    };
    other.unwrap_or_else(|| toml::Value::String(text.into()))
}
