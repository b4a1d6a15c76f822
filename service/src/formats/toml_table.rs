//! Reading TOML strictly: every problem of a file is collected with its line, and a key that nobody asks for is one.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A TOML file being read.
#[derive(Debug)]
pub struct TomlFile<'t> {
    name: &'t str,
    text: &'t str,
    /// Where each line but the first begins.
    lines: Vec<usize>,
    problems: Vec<String>,
}

/// One table of a file. Taking a value makes its key a known one; what is left over at the end was not asked for.
#[derive(Debug)]
pub struct TomlTable<'t> {
    table: DeTable<'t>,
    known: Vec<&'static str>,
    /// What the table is called in a message: `client` or the file's top level.
    what: String,
    at: usize,
    /// Where the value that was taken last begins.
    last_at: usize,
}

impl<'t> TomlFile<'t> {
    /// `name` is what messages call the file.
    #[must_use]
    pub fn new(name: &'t str, text: &'t str) -> Self {
        let lines = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1).collect();
        Self { name, text, lines, problems: Vec::new() }
    }

    /// The file's top level. What cannot be parsed is a problem, and is left out.
    pub fn top(&mut self) -> TomlTable<'t> {
        let (table, errors) = DeTable::parse_recoverable(self.text);
        for error in errors {
            let at = error.span().map_or(0, |span| span.start);
            self.problem(at, error.message());
        }
        TomlTable { table: table.into_inner(), known: Vec::new(), what: String::new(), at: 0, last_at: 0 }
    }

    /// `file:line`.
    #[must_use]
    pub fn place(&self, at: usize) -> String {
        format!("{}:{}", self.name, self.lines.partition_point(|begin| *begin <= at) + 1)
    }

    pub fn problem(&mut self, at: usize, why: &str) {
        let why = why.replace('\n', "; ");
        let place = self.place(at);
        self.problems.push(format!("{place}: {why}"));
    }

    /// All that was wrong with the file, in the order it was noticed.
    #[must_use]
    pub fn into_problems(self) -> Vec<String> {
        self.problems
    }
}

impl<'t> TomlTable<'t> {
    /// Where the table begins.
    #[must_use]
    pub const fn at(&self) -> usize {
        self.at
    }

    /// Where the value that was taken last begins.
    #[must_use]
    pub const fn last_at(&self) -> usize {
        self.last_at
    }

    fn take(&mut self, key: &'static str) -> Option<Spanned<DeValue<'t>>> {
        self.known.push(key);
        let found = self.table.remove(key);
        self.last_at = found.as_ref().map_or(self.at, |found| found.span().start);
        found
    }

    /// Takes a value as `read` understands it; says what it `must be` where `read` does not.
    fn value<T>(
        &mut self,
        file: &mut TomlFile<'_>,
        key: &'static str,
        must_be: &str,
        read: impl FnOnce(&DeValue<'_>) -> Option<T>,
    ) -> Option<T> {
        let found = self.take(key)?;
        let value = read(found.get_ref());
        if value.is_none() {
            let name = self.full_name(key);
            file.problem(found.span().start, &format!("{name} must be {must_be}"));
        }
        value
    }

    pub fn text(&mut self, file: &mut TomlFile<'_>, key: &'static str) -> Option<String> {
        self.value(file, key, "a text in quotes", |value| value.as_str().map(String::from))
    }

    pub fn flag(&mut self, file: &mut TomlFile<'_>, key: &'static str) -> Option<bool> {
        self.value(file, key, "true or false", |value| value.as_bool())
    }

    pub fn number(&mut self, file: &mut TomlFile<'_>, key: &'static str) -> Option<i64> {
        self.value(file, key, "a whole number", |value| {
            let integer = value.as_integer()?;
            i64::from_str_radix(integer.as_str(), integer.radix()).ok()
        })
    }

    pub fn texts(&mut self, file: &mut TomlFile<'_>, key: &'static str) -> Option<Vec<String>> {
        self.value(file, key, "a list of texts in quotes", |value| {
            value.as_array()?.iter().map(|item| item.get_ref().as_str().map(String::from)).collect()
        })
    }

    /// Takes the table `[key]`; an absent one is empty.
    pub fn table(&mut self, file: &mut TomlFile<'_>, key: &'static str) -> Self {
        let inner = match self.take(key) {
            None => None,
            Some(found) => {
                let at = found.span().start;
                match found.into_inner() {
                    DeValue::Table(table) => Some((table, at)),
                    _ => {
                        file.problem(at, &format!("{key} must be a table: write [{key}]"));
                        None
                    }
                }
            }
        };
        let (table, at) = inner.unwrap_or_else(|| (DeTable::new(), 0));
        Self { table, known: Vec::new(), what: key.into(), at, last_at: at }
    }

    /// Takes all tables `[[key]]`.
    pub fn tables(&mut self, file: &mut TomlFile<'_>, key: &'static str) -> Vec<Self> {
        let Some(found) = self.take(key) else { return Vec::new() };
        let at = found.span().start;
        let wrong = format!("{key} must be a list of tables: write [[{key}]]");
        let DeValue::Array(items) = found.into_inner() else {
            file.problem(at, &wrong);
            return Vec::new();
        };
        let mut tables = Vec::new();
        for item in items {
            let at = item.span().start;
            match item.into_inner() {
                DeValue::Table(table) => {
                    tables.push(Self { table, known: Vec::new(), what: key.into(), at, last_at: at })
                }
                _ => file.problem(at, &wrong),
            }
        }
        tables
    }

    /// Names every key that nobody took, and the known one that it most resembles.
    pub fn finish(self, file: &mut TomlFile<'_>) {
        for (key, _) in &self.table {
            let name = self.full_name(key.get_ref());
            let hint = nearest(key.get_ref(), self.known.iter().copied());
            file.problem(key.span().start, &format!("unknown key {name}{}", did_you_mean(hint)));
        }
    }

    fn full_name(&self, key: &str) -> String {
        if self.what.is_empty() { key.into() } else { format!("{}.{key}", self.what) }
    }
}

/// The known word that `word` most resembles, if any does.
pub fn nearest<'k>(word: &str, known: impl Iterator<Item = &'k str>) -> Option<&'k str> {
    let scored = known.map(|candidate| (strsim::jaro_winkler(word, candidate), candidate));
    let best = scored.max_by(|(a, _), (b, _)| a.total_cmp(b))?;
    (best.0 > 0.7).then_some(best.1)
}

/// The end of a message about an unknown word.
#[must_use]
pub fn did_you_mean(hint: Option<&str>) -> String {
    hint.map_or_else(String::new, |hint| format!("; did you mean {hint}?"))
}
