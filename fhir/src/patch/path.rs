//! Reading the path of a FHIRPath Patch. What it does not know it refuses, and says what that was.

use crate::json::Node;
use crate::patch::syntax::{ElementPath, Equation, PathStep};

/// Conditions inside of conditions.
const NESTING: usize = 4;

/// Reads a whole path.
pub(super) fn read(text: &str) -> Result<ElementPath, String> {
    let mut reader = PathReader { rest: text.trim_start() };
    let path = reader.path(NESTING)?;
    if reader.rest.is_empty() { Ok(path) } else { Err(reader.unknown()) }
}

struct PathReader<'t> {
    rest: &'t str,
}

impl<'t> PathReader<'t> {
    /// Takes this sign and the white space after it.
    fn take(&mut self, sign: &str) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.unwrap_or(self.rest).trim_start();
        rest.is_some()
    }

    fn expect(&mut self, sign: &str) -> Result<(), String> {
        if self.take(sign) { Ok(()) } else { Err(self.unknown()) }
    }

    fn unknown(&self) -> String {
        if self.rest.is_empty() {
            return "the path ends too soon".into();
        }
        let shown: String = self.rest.chars().take(40).collect();
        format!(
            "{shown:?} is no part of FHIRPath that a patch may have: names, [index], first(), last(), where(name = value), ofType(Type), extension(url)"
        )
    }

    fn word(&mut self) -> Option<&'t str> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let word = self.rest.get(..end).filter(|word| word.starts_with(|c: char| c.is_ascii_alphabetic()))?;
        self.rest = self.rest.get(end..)?.trim_start();
        Some(word)
    }

    fn name(&mut self) -> Result<&'t str, String> {
        if !self.rest.starts_with('`') {
            return self.word().ok_or_else(|| self.unknown());
        }
        let (name, rest) = self.rest.get(1..).and_then(|rest| rest.split_once('`')).ok_or_else(|| self.unknown())?;
        self.rest = rest.trim_start();
        Ok(name)
    }

    fn path(&mut self, nesting: usize) -> Result<ElementPath, String> {
        let mut steps = Vec::new();
        if !self.take("$this") {
            self.step(&mut steps, nesting)?;
        }
        loop {
            if self.take("[") {
                steps.push(PathStep::Index(self.number()?));
                self.expect("]")?;
            } else if self.take(".") {
                self.step(&mut steps, nesting)?;
            } else {
                return Ok(ElementPath(steps));
            }
        }
    }

    fn number(&mut self) -> Result<usize, String> {
        let end = self.rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.rest.len());
        let number = self.rest.get(..end).and_then(|digits| digits.parse().ok()).ok_or_else(|| self.unknown())?;
        self.rest = self.rest.get(end..).unwrap_or_default().trim_start();
        Ok(number)
    }

    fn step(&mut self, steps: &mut Vec<PathStep>, nesting: usize) -> Result<(), String> {
        let before = self.rest;
        let name = self.name()?;
        if !self.take("(") {
            steps.push(PathStep::Member(name.into()));
            return Ok(());
        }
        match name {
            "first" => steps.push(PathStep::First),
            "last" => steps.push(PathStep::Last),
            "ofType" | "as" => {
                let type_name = self.name()?;
                let type_name = if type_name == "FHIR" && self.take(".") { self.name()? } else { type_name };
                steps.push(PathStep::OfType(type_name.into()));
            }
            "where" => steps.push(PathStep::Where(self.conditions(nesting)?)),
            "extension" => {
                let value = self.literal()?;
                steps.push(PathStep::Member("extension".into()));
                steps.push(PathStep::Where(vec![Equation {
                    path: ElementPath(vec![PathStep::Member("url".into())]),
                    value,
                }]));
            }
            _ => {
                self.rest = before;
                return Err(self.unknown());
            }
        }
        self.expect(")")
    }

    fn conditions(&mut self, nesting: usize) -> Result<Vec<Equation>, String> {
        let nesting = nesting.checked_sub(1).ok_or("the path has too many conditions inside of conditions")?;
        let mut conditions = Vec::new();
        loop {
            let path = self.path(nesting)?;
            self.expect("=")?;
            conditions.push(Equation { path, value: self.literal()? });
            let before = self.rest;
            if self.word() != Some("and") {
                self.rest = before;
                return Ok(conditions);
            }
        }
    }

    fn literal(&mut self) -> Result<Node<'static>, String> {
        if self.rest.starts_with('\'') {
            return self.string().map(|text| Node::Text(text.into()));
        }
        if self.take("true") {
            return Ok(Node::Bool(true));
        }
        if self.take("false") {
            return Ok(Node::Bool(false));
        }
        let end = self.rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '-')).unwrap_or(self.rest.len());
        let digits = self.rest.get(..end).filter(|digits| !digits.is_empty()).ok_or_else(|| self.unknown())?;
        let number = Node::Number(digits.to_owned().into());
        self.rest = self.rest.get(end..).unwrap_or_default().trim_start();
        Ok(number)
    }

    fn string(&mut self) -> Result<String, String> {
        let mut text = String::new();
        let mut letters = self.rest.char_indices().skip(1);
        while let Some((at, letter)) = letters.next() {
            match letter {
                '\'' => {
                    self.rest = self.rest.get(at + 1..).unwrap_or_default().trim_start();
                    return Ok(text);
                }
                '\\' => match letters.next() {
                    Some((_, plain @ ('\'' | '"' | '\\' | '/' | '`'))) => text.push(plain),
                    Some((_, 'n')) => text.push('\n'),
                    Some((_, 't')) => text.push('\t'),
                    Some((_, 'r')) => text.push('\r'),
                    _ => return Err("a string of the path has an escape that is not known".into()),
                },
                _ => text.push(letter),
            }
        }
        Err("a string of the path does not end".into())
    }
}

#[cfg(test)]
mod tests {
    use super::read;
    use proptest::prelude::*;

    #[test]
    fn the_paths_that_patches_use_are_read() {
        for path in [
            "Patient",
            "Patient.name[0].given[1]",
            "Patient.name.where(use = 'official').first().family",
            "Patient.contact.where(name.family='O\\'Hara' and gender = 'male').last()",
            "Observation.value.ofType(Quantity).value",
            "Observation.value.ofType(FHIR.Quantity)",
            "Patient.extension('http://x.example/a').value",
            "Patient.name.given.where($this = 'x')",
            "Questionnaire.item.where(item.where(linkId='2').type = 'text')",
            " Observation . `value` ",
            "Patient.multipleBirth.where($this = 2)",
            "Patient.communication.where(preferred = true)",
        ] {
            assert!(read(path).is_ok(), "{path}: {:?}", read(path));
        }
    }

    #[test]
    fn what_is_not_known_is_refused_by_name() {
        for (path, construct) in [
            ("Patient.name.exists()", "exists()"),
            ("Patient.name | Patient.contact.name", "| Patient"),
            ("Patient.name.where(use != 'official')", "!= 'official'"),
            ("Patient.name.where(use = 'a' or use = 'b')", "or use"),
            ("Patient.birthDate + 1 day", "+ 1 day"),
            ("Patient.name[%x]", "%x"),
            ("Patient.birthDate.where($this = @2020-01-01)", "@2020"),
            ("Patient.descendants()", "descendants()"),
            ("Patient.name[-1]", "-1"),
            ("", "ends too soon"),
            ("Patient.", "ends too soon"),
            ("Patient.name.where(use='a", "does not end"),
        ] {
            let why = read(path).expect_err(path);
            assert!(why.contains(construct), "{path}: {why}");
        }
    }

    #[test]
    fn conditions_inside_of_conditions_have_an_end() {
        let nested = |levels: usize| format!("{}a = 1{}", "a.where(".repeat(levels), ") = 1".repeat(levels));
        assert!(read(&format!("Patient.{}", nested(100_000))).is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_a_path_or_refused(text in "[a-zA-Z.()\\[\\]'`\\\\ =0-9$|é]{0,40}") {
            let _ = read(&text);
        }
    }
}
