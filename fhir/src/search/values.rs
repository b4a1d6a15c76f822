//! Values in a query, by the kind of their parameter.

use crate::extraction::index_value::Target;
use crate::extraction::references::canonical;
use crate::parameters::kind::Kind;
use crate::parameters::parameter::Parameter;
use crate::parameters::value_type::ValueType;
use crate::reference::is_id;
use crate::search::criterion::{Criterion, SystemTest, TargetTest, TextManner, UnitTest, UriManner};
use crate::search::escapes::{plain, split};
use crate::search::modifier::Modifier;
use crate::search::prefix::Prefix;
use crate::search::word_test::WordTest;
use crate::values::folding::fold;
use crate::values::magnitude::Magnitude;
use crate::values::span::Span;
use crate::values::unit::{UCUM, Unit};

/// What values are read against: our FHIR base URL, and the moment in microseconds.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Setting<'a> {
    pub base: &'a str,
    pub now: i64,
}

/// Reads one value (there may be several between commas); says in words what is wrong with it.
pub(crate) fn criterion(
    parameter: &Parameter,
    modifier: Option<Modifier>,
    text: &str,
    setting: Setting<'_>,
) -> Result<Criterion, String> {
    if text.is_empty() {
        return Err("a value is missing".into());
    }
    match parameter.kind {
        Kind::Token => token(parameter, modifier, text),
        Kind::String => string(modifier, &plain(text)),
        Kind::Text => WordTest::read(&plain(text)).map(Criterion::Words),
        Kind::Reference => reference(parameter, modifier, text, setting.base),
        Kind::Date => date(&plain(text), setting.now),
        Kind::Number => {
            let (prefix, magnitude) = number(&plain(text))?;
            Ok(Criterion::Number { prefix, magnitude })
        }
        Kind::Quantity => quantity(text),
        Kind::Uri => {
            let manner = match modifier {
                Some(Modifier::Above) => UriManner::Above,
                Some(Modifier::Below) => UriManner::Below,
                _ => UriManner::Equal,
            };
            let uri = plain(text);
            let is_urn = uri.get(..4).is_some_and(|scheme| scheme.eq_ignore_ascii_case("urn:"));
            match manner {
                UriManner::Above | UriManner::Below if is_urn => {
                    Err(format!("{text:?} is a URN, which is neither above nor below another: search for it as it is"))
                }
                _ => Ok(Criterion::Uri { manner, uri }),
            }
        }
        Kind::Composite => {
            let parts = split(text, '$');
            if parts.len() != parameter.components.len() {
                let codes: Vec<_> = parameter.components.iter().map(|component| component.code).collect();
                return Err(format!("{text:?} must have {} values with $ between: {}", codes.len(), codes.join("$")));
            }
            let criteria =
                parameter.components.iter().zip(parts).map(|(part, text)| criterion(part, None, text, setting));
            criteria.collect::<Result<_, _>>().map(Criterion::Composite)
        }
    }
}

fn folded(text: &str) -> Result<String, String> {
    let folded = fold(&plain(text));
    if folded.is_empty() { Err(format!("{text:?} has no letter and no digit to search for")) } else { Ok(folded) }
}

fn string(modifier: Option<Modifier>, text: &str) -> Result<Criterion, String> {
    let manner = match modifier {
        Some(Modifier::Exact) => return Ok(Criterion::Text { manner: TextManner::Exact, text: text.into() }),
        Some(Modifier::Contains) => TextManner::Contains,
        _ => TextManner::Start,
    };
    Ok(Criterion::Text { manner, text: folded(text)? })
}

fn token(parameter: &Parameter, modifier: Option<Modifier>, text: &str) -> Result<Criterion, String> {
    let parts = split(text, '|');
    match modifier {
        Some(Modifier::Text) => return folded(text).map(Criterion::TokenText),
        Some(Modifier::OfType) => {
            return match parts[..] {
                [system, code, value] if !code.is_empty() && !value.is_empty() => Ok(Criterion::TokenOfType {
                    system: Some(plain(system)).filter(|system| !system.is_empty()),
                    code: plain(code),
                    value: plain(value),
                }),
                _ => Err(format!("{text:?} must be the type's system, its code, and the value: system|code|value")),
            };
        }
        _ => {}
    }
    let (system, code) = system_and_code(text)?;
    let is_truth = |value_type| matches!(value_type, ValueType::Boolean | ValueType::Holds);
    let is_boolean = parameter.branches.iter().all(|branch| is_truth(branch.value_type));
    if is_boolean && !matches!(code.as_deref(), Some("true" | "false")) {
        return Err(format!("{text:?} must be true or false"));
    }
    Ok(Criterion::Token { system, code })
}

/// `code`, `system|code`, `|code` or `system|`.
fn system_and_code(text: &str) -> Result<(SystemTest, Option<String>), String> {
    match split(text, '|')[..] {
        [code] => Ok((SystemTest::Any, Some(plain(code)))),
        ["", ""] => Err("a token must have a system or a code".into()),
        ["", code] => Ok((SystemTest::None, Some(plain(code)))),
        [system, ""] => Ok((SystemTest::Is(plain(system)), None)),
        [system, code] => Ok((SystemTest::Is(plain(system)), Some(plain(code)))),
        _ => Err(format!("{text:?} must be code, system|code, |code or system|")),
    }
}

fn reference(parameter: &Parameter, modifier: Option<Modifier>, text: &str, base: &str) -> Result<Criterion, String> {
    let url = plain(text);
    match modifier {
        Some(Modifier::Identifier) => {
            let (system, value) = system_and_code(text)?;
            return Ok(Criterion::Identifier { system, value });
        }
        Some(Modifier::Type(resource_type)) => {
            let whole = matches!(canonical(&url, base).0, Target::Local(named, _) if named == resource_type);
            if !whole && !is_id(&url) {
                return Err(format!("{url:?} must be the id of a {}", resource_type.name()));
            }
            if !whole {
                return Ok(Criterion::Reference { target: TargetTest::Id(vec![resource_type], url), version: None });
            }
        }
        _ if is_id(&url) => {
            return Ok(Criterion::Reference { target: TargetTest::Id(parameter.targets.clone(), url), version: None });
        }
        _ => {}
    }
    let (target, version) = canonical(&url, base);
    let target = match target {
        Target::Local(resource_type, id) => TargetTest::Id(vec![resource_type], id.into()),
        Target::Url(url) => TargetTest::Url(url.into()),
        Target::Contained(_) => return Err(format!("{url:?} is inside another resource, where a chain finds it")),
    };
    Ok(Criterion::Reference { target, version: version.map(String::from) })
}

fn date(text: &str, now: i64) -> Result<Criterion, String> {
    let (prefix, date) = Prefix::split(text);
    // A plus sign that was not escaped in a URL arrives as a space.
    let span = Span::read(&date.replace(' ', "+"));
    let mut span =
        span.ok_or_else(|| format!("{text:?} must be a date, such as 2020, 2020-05-17 or ge2020-05-17T10:00:00Z"))?;
    if prefix == Prefix::Approximate {
        let margin = now.saturating_sub(span.low).saturating_abs() / 10;
        span = Span { low: span.low.saturating_sub(margin), high: span.high.saturating_add(margin) };
    }
    Ok(Criterion::Date { prefix, span })
}

fn number(text: &str) -> Result<(Prefix, Magnitude), String> {
    let (prefix, digits) = Prefix::split(text);
    let mut magnitude =
        Magnitude::read(digits).ok_or_else(|| format!("{text:?} must be a number, such as 5.4 or gt100"))?;
    if prefix == Prefix::Approximate {
        let margin = magnitude.value.abs() / 10.0;
        magnitude = Magnitude { low: magnitude.value - margin, high: magnitude.value + margin, ..magnitude };
    }
    Ok((prefix, magnitude))
}

fn quantity(text: &str) -> Result<Criterion, String> {
    let parts = split(text, '|');
    let (digits, unit) = match parts[..] {
        [digits] | [digits, "", ""] => (digits, None),
        [digits, system, code] if !code.is_empty() => (digits, Some((system, plain(code)))),
        _ => return Err(format!("{text:?} must be a number, or number|system|code, or number||code")),
    };
    let (prefix, magnitude) = number(&plain(digits))?;
    let unit = unit.map(|(system, code)| {
        let system = Some(plain(system)).filter(|system| !system.is_empty());
        let known = if system.as_deref().is_none_or(|system| system == UCUM) { Unit::read(&code) } else { None };
        let canonical = known.map(|unit| (magnitude.mapped(|value| unit.canonical(value)), unit.base()));
        UnitTest { system, code, canonical }
    });
    Ok(Criterion::Quantity { prefix, magnitude, unit })
}
