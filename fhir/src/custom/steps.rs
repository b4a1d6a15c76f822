//! The steps of a FHIRPath expression, as far as a SearchParameter of one's own may have them. What it may not have is named.

/// What is supported, for whoever sent something else.
const SUPPORTED: &str = "an expression is a path from a type of the base, or several with | between, with \
    as(Type), ofType(Type), where(element = 'text'), where(resolve() is Type), extension('url') and [number]";

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ExpressionStep {
    Member(String),
    At(usize),
    Cast(String),
    /// `where(resolve() is Type)`
    To(String),
    /// `where(element = 'text')`
    Where(String, String),
    Extension(String),
}

/// Why something is no expression that is supported: its part that is not.
pub(super) fn unsupported(construct: &str) -> String {
    let construct: String = construct.chars().take(80).collect();
    format!("{construct:?} is not supported: {SUPPORTED}")
}

/// The branches of an expression: what stands between the bars that are in no text and in no parentheses.
pub(super) fn branches(expression: &str) -> Result<Vec<Vec<ExpressionStep>>, String> {
    let (mut parts, mut rest) = (Vec::new(), expression);
    loop {
        let end = outside(rest, |c| c == '|')?;
        let (part, behind) = rest.split_at_checked(end.unwrap_or(rest.len())).unwrap_or((rest, ""));
        parts.push(part.trim());
        match behind.strip_prefix('|') {
            Some(behind) => rest = behind,
            None => break,
        }
    }
    let is_only = parts.len() == 1;
    parts.into_iter().map(|part| branch(part, is_only)).collect()
}

/// The steps of one branch: a path, `(path as Type)` and what follows, or `path as Type` where there is no other branch.
fn branch(text: &str, is_only: bool) -> Result<Vec<ExpressionStep>, String> {
    if let Some(inner) = text.strip_prefix('(') {
        let (inner, rest) = closed(inner).ok_or_else(|| unsupported(text))?;
        let mut found = branch(inner, true)?;
        found.extend(path(rest, false)?);
        return Ok(found);
    }
    match text.rsplit_once(" as ") {
        Some((before, kind)) if is_only && is_word(kind.trim()) => {
            let mut found = path(before, true)?;
            found.push(ExpressionStep::Cast(named(kind)));
            Ok(found)
        }
        _ => path(text, true),
    }
}

fn path(text: &str, is_start: bool) -> Result<Vec<ExpressionStep>, String> {
    let (mut found, mut rest, mut may_begin) = (Vec::new(), text.trim(), is_start);
    while !rest.is_empty() {
        if let Some(index) = rest.strip_prefix('[') {
            let (number, behind) = index.split_once(']').ok_or_else(|| unsupported(rest))?;
            found.push(ExpressionStep::At(number.trim().parse().map_err(|_| unsupported(rest))?));
            rest = behind;
        } else {
            let begun = rest.strip_prefix('.').or(may_begin.then_some(rest)).ok_or_else(|| unsupported(rest))?;
            let end = begun.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(begun.len());
            let (name, behind) = begun.split_at_checked(end).unwrap_or((begun, ""));
            if name.is_empty() {
                return Err(unsupported(begun));
            }
            match behind.strip_prefix('(') {
                Some(arguments) => {
                    let (arguments, behind) = closed(arguments).ok_or_else(|| unsupported(begun))?;
                    found.push(function(name, arguments.trim())?);
                    rest = behind;
                }
                None => {
                    found.push(ExpressionStep::Member(name.into()));
                    rest = behind;
                }
            }
        }
        may_begin = false;
    }
    Ok(found)
}

fn function(name: &str, argument: &str) -> Result<ExpressionStep, String> {
    let whole = || unsupported(&format!("{name}({argument})"));
    match name {
        "as" | "ofType" if is_word(argument) || argument.starts_with("FHIR.") => {
            Ok(ExpressionStep::Cast(named(argument)))
        }
        "extension" => quoted(argument).map(ExpressionStep::Extension).ok_or_else(whole),
        "where" => {
            if let Some(target) = argument.strip_prefix("resolve() is ") {
                return Ok(ExpressionStep::To(named(target)));
            }
            let (member, value) = argument.split_once('=').ok_or_else(whole)?;
            let value = quoted(value.trim()).ok_or_else(whole)?;
            if is_word(member.trim()) { Ok(ExpressionStep::Where(member.trim().into(), value)) } else { Err(whole()) }
        }
        _ => Err(whole()),
    }
}

/// The name of a type, with or without its namespace.
fn named(text: &str) -> String {
    let text = text.trim();
    text.strip_prefix("FHIR.").unwrap_or(text).into()
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

/// A text in quotation marks, of what can stand in a branch of the table.
fn quoted(text: &str) -> Option<String> {
    let inner = text.strip_prefix('\'')?.strip_suffix('\'')?;
    let is_plain = |c: char| !c.is_whitespace() && !c.is_control() && !matches!(c, '\'' | '\\' | '[' | ']');
    (!inner.is_empty() && inner.chars().all(is_plain)).then(|| inner.into())
}

/// What is inside parentheses that are open, and what follows them.
fn closed(text: &str) -> Option<(&str, &str)> {
    let end = outside(text, |c| c == ')').ok()??;
    let (inner, behind) = text.split_at_checked(end)?;
    Some((inner, behind.strip_prefix(')')?))
}

/// Where the first such character is that is in no text and in no parentheses; an error where these do not end.
fn outside(text: &str, is_it: impl Fn(char) -> bool) -> Result<Option<usize>, String> {
    let (mut depth, mut is_text) = (0_usize, false);
    for (at, c) in text.char_indices() {
        if !is_text && depth == 0 && is_it(c) {
            return Ok(Some(at));
        }
        match c {
            '\'' => is_text = !is_text,
            '(' if !is_text => depth += 1,
            ')' if !is_text => depth = depth.checked_sub(1).ok_or_else(|| unsupported(text))?,
            _ => {}
        }
    }
    if is_text || depth > 0 { Err(unsupported(text)) } else { Ok(None) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str) -> ExpressionStep {
        ExpressionStep::Member(name.into())
    }

    #[test]
    fn every_shape_that_is_supported_is_read() {
        let cast = || ExpressionStep::Cast("Quantity".into());
        for (text, steps) in [
            ("Patient.name[0].given", vec![member("Patient"), member("name"), ExpressionStep::At(0), member("given")]),
            ("(Observation.value as Quantity)", vec![member("Observation"), member("value"), cast()]),
            ("Observation.value as Quantity", vec![member("Observation"), member("value"), cast()]),
            ("Observation.value.ofType(FHIR.Quantity)", vec![member("Observation"), member("value"), cast()]),
            (
                "Patient.extension.where(url = 'http://x.example/a|b').value",
                vec![
                    member("Patient"),
                    member("extension"),
                    ExpressionStep::Where("url".into(), "http://x.example/a|b".into()),
                    member("value"),
                ],
            ),
            (
                "Patient.extension('http://x.example').value",
                vec![member("Patient"), ExpressionStep::Extension("http://x.example".into()), member("value")],
            ),
            (
                "Task.for.where(resolve() is Patient)",
                vec![member("Task"), member("for"), ExpressionStep::To("Patient".into())],
            ),
        ] {
            assert_eq!(branches(text), Ok(vec![steps]), "{text}");
        }
        assert_eq!(branches("A.b | (A.c as Quantity).code").unwrap().len(), 2);
    }

    #[test]
    fn everything_else_is_refused_by_its_name() {
        for (text, named) in [
            ("Patient.name.exists()", "exists()"),
            ("Patient.name.first().given", "first()"),
            ("Patient.name.where(use = 'a' and x = 'b')", "where(use = 'a' and x = 'b')"),
            ("Patient.active = true", " = true"),
            ("Patient.name.where(given.exists())", "where(given.exists())"),
            ("%resource.name", "%resource"),
            ("Patient.name | $this", "$this"),
            ("Patient.name.where(use = 'two words')", "two words"),
            ("Patient.a | Patient.b as Quantity", " as Quantity"),
            ("Patient.name[x]", "[x]"),
            ("Patient.name.where(use='a'", "where(use='a'"),
            ("Patient.(a | b)", "(a | b)"),
            ("(Patient.a | Patient.b).c", "| Patient.b"),
            ("Patient.name.iif(a, b, c)", "iif(a, b, c)"),
        ] {
            let words = branches(text).unwrap_err();
            assert!(words.contains(named) && words.contains("is not supported"), "{text}: {words}");
        }
    }
}
