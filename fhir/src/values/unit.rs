//! Units by their UCUM codes: what a quantity is in base units, so that 5400 mg/L is found by 5.4 g/L.

use crate::values::magnitude::shifted;
use crate::values::unit_atoms::{ATOMS, ENZYME_UNIT, PREFIXES};

/// The system of UCUM codes.
pub const UCUM: &str = "http://unitsofmeasure.org";
/// Longer codes, and higher powers, are left as they are written.
const LONGEST: usize = 64;
const HIGHEST: i32 = 9;
const MOST_ZEROS: i32 = 300;
const DEEPEST: u8 = 4;

/// A unit as so many of a product of base units.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Added to the number before all else: degrees have a zero of their own.
    zero: f64,
    ten: i32,
    times: f64,
    over: f64,
    /// The base units and their powers, in the order of the alphabet, no power 0.
    powers: Vec<(&'static str, i32)>,
}

impl Unit {
    const ONE: Self = Self { zero: 0.0, ten: 0, times: 1.0, over: 1.0, powers: Vec::new() };

    /// Reads a UCUM code. A unit that is not known here is none, and its quantities are compared as they are written.
    #[must_use]
    pub fn read(code: &str) -> Option<Self> {
        let degrees = |zero, times, over| Some(Self { zero, times, over, powers: vec![("K", 1)], ..Self::ONE });
        match code {
            "Cel" => degrees(273.15, 1.0, 1.0),
            "[degF]" => degrees(459.67, 5.0, 9.0),
            "" => None,
            _ if code.len() > LONGEST => None,
            _ => term(code, DEEPEST),
        }
    }

    /// A number of this unit in base units. It keeps the order of numbers.
    #[must_use]
    pub fn canonical(&self, value: f64) -> f64 {
        let value = shifted(value + self.zero, self.ten);
        if self.times == self.over { value } else { value * self.times / self.over }
    }

    /// The product of base units, as a UCUM code.
    #[must_use]
    pub fn base(&self) -> String {
        let mut base = String::new();
        for (name, power) in &self.powers {
            if !base.is_empty() {
                base.push('.');
            }
            base.push_str(name);
            if *power != 1 {
                base.push_str(&power.to_string());
            }
        }
        if base.is_empty() { "1".into() } else { base }
    }

    fn multiply(&mut self, other: &Self, power: i32) -> Option<()> {
        self.ten += other.ten * power;
        let (times, over) = if power < 0 { (other.over, other.times) } else { (other.times, other.over) };
        self.times *= times.powi(power.abs());
        self.over *= over.powi(power.abs());
        for (name, own) in &other.powers {
            match self.powers.binary_search_by_key(name, |(known, _)| known) {
                Ok(at) => self.powers.get_mut(at)?.1 += own * power,
                Err(at) => self.powers.insert(at, (name, own * power)),
            }
        }
        self.powers.retain(|(_, power)| *power != 0);
        // Factors that cancel each other could pass what a number holds, and give what is no number.
        let bounded = self.times.is_finite() && self.over.is_finite() && self.ten.abs() <= MOST_ZEROS;
        (bounded && self.powers.iter().all(|(_, power)| power.abs() <= HIGHEST)).then_some(())
    }
}

/// Factors with `.` and `/` between them; a `/` may come first, and divides by what is next to it alone.
fn term(text: &str, deepest: u8) -> Option<Unit> {
    let mut unit = Unit::ONE;
    let (mut rest, mut divides) = text.strip_prefix('/').map_or((text, false), |rest| (rest, true));
    loop {
        let (factor, behind) = first_factor(rest)?;
        let (other, power) = self::factor(factor, deepest)?;
        unit.multiply(&other, if divides { -power } else { power })?;
        match behind.chars().next() {
            None => return Some(unit),
            Some(sign) => {
                divides = sign == '/';
                rest = behind.get(1..)?;
            }
        }
    }
}

/// Up to the next `.` or `/` that is inside no brackets.
fn first_factor(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0_i32;
    let end = text.char_indices().find(|(_, c)| {
        depth += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        depth == 0 && matches!(c, '.' | '/')
    });
    text.split_at_checked(end.map_or(text.len(), |(at, _)| at))
}

fn factor(text: &str, deepest: u8) -> Option<(Unit, i32)> {
    // What is in braces is a remark, and may stand alone.
    let text = match text.split_once('{') {
        Some(("", remark)) if remark.ends_with('}') => return Some((Unit::ONE, 1)),
        Some((text, remark)) if remark.ends_with('}') => text,
        Some(_) => return None,
        None => text,
    };
    if let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        return Some((term(inner, deepest.checked_sub(1)?)?, 1));
    }
    if let Some(power) = text.strip_prefix("10*").or_else(|| text.strip_prefix("10^")) {
        let ten = if power.is_empty() { 1 } else { power.parse::<i8>().ok()? };
        return Some((Unit { ten: i32::from(ten), ..Unit::ONE }, 1));
    }
    if text.bytes().all(|byte| byte.is_ascii_digit()) {
        let times = text.parse::<u32>().ok().filter(|number| *number > 0)?;
        return Some((Unit { times: f64::from(times), ..Unit::ONE }, 1));
    }
    let name = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let name = if name.len() < text.len() { name.strip_suffix(['-', '+']).unwrap_or(name) } else { name };
    let power =
        text.strip_prefix(name).filter(|power| !power.is_empty()).map_or(Some(1), |power| power.parse().ok())?;
    (power != 0 && i32::abs(power) <= HIGHEST).then_some((simple(name)?, power))
}

/// A unit, or a prefix and a unit that takes one.
fn simple(name: &str) -> Option<Unit> {
    atom(name, 0, false).or_else(|| {
        let mut ways = PREFIXES.iter().filter_map(|(prefix, ten)| atom(name.strip_prefix(prefix)?, *ten, true));
        ways.next()
    })
}

fn atom(name: &str, ten: i32, prefixed: bool) -> Option<Unit> {
    if name == ENZYME_UNIT.0 {
        let (_, own, over, powers) = ENZYME_UNIT;
        return Some(Unit { ten: own + ten, over, powers: powers.to_vec(), ..Unit::ONE });
    }
    let (_, times, own, powers, _) =
        ATOMS.iter().find(|(known, .., metric)| *known == name && (*metric || !prefixed))?;
    Some(Unit { ten: own + ten, times: *times, powers: powers.to_vec(), ..Unit::ONE })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn canonical(value: f64, code: &str) -> (f64, String) {
        let unit = Unit::read(code).unwrap_or_else(|| panic!("{code}"));
        (unit.canonical(value), unit.base())
    }

    #[test]
    fn what_is_the_same_is_the_same_in_base_units() {
        for (a, left, b, right) in [
            (5400.0, "mg/L", 5.4, "g/L"),
            (5.4, "g/L", 540.0, "mg/dL"),
            (120.0, "mm[Hg]", 12.0, "cm[Hg]"),
            (1.0, "kPa", 10.0, "mbar"),
            (7.0, "d", 1.0, "wk"),
            (1.0, "a", 12.0, "mo"),
            (90.0, "min", 1.5, "h"),
            (1.0, "U/L", 1000.0, "mU/L"),
            (1.0, "mmol/L", 1.0, "mol/m3"),
            (4.5, "10*3/uL", 4500.0, "/uL"),
            (4.5, "10*9/L", 4.5, "10^9/l"),
            (4.5, "10*3.{cells}/uL", 4.5, "10*3/uL"),
            (50.0, "%", 0.5, "{ratio}"),
            (1.0, "kg/m2", 1000.0, "g.m-2"),
            (1.0, "mL/min/{1.73_m2}", 1.0, "mL/(min)"),
            (1.0, "[IU]/L", 1.0, "[iU]/L"),
            (1.0, "meq/L", 1.0, "mmol/L"),
            (1.0, "V", 1.0, "J/C"),
            (1.0, "W", 1.0, "J/s"),
        ] {
            assert_eq!(canonical(a, left), canonical(b, right), "{a} {left} = {b} {right}");
        }
        assert_eq!(canonical(37.0, "Cel"), (310.15, "K".into()));
        let (kelvin, base) = canonical(98.6, "[degF]");
        assert!((kelvin - 310.15).abs() < 1e-9 && base == "K");
        assert_eq!(canonical(5.35, "mg"), (0.00535, "g".into()));
        assert_eq!(canonical(1.0, "g/L"), (1000.0, "g.m-3".into()));
    }

    #[test]
    fn a_unit_that_is_not_known_is_none() {
        for code in [
            "",
            "mmHg",
            "lbs",
            "kmin",
            "m[",
            "g/",
            "//g",
            "g//L",
            "m0",
            "m99",
            "[foo]",
            "{",
            "{a",
            "10*x",
            "()",
            "((((((g))))))",
            "µg",
            "g L",
            "0",
            &"m.".repeat(40),
            "10*999",
            "a9/a9.a9/a9.a9/a9.a9/a9.a9/a9.a9/a9.a9/a9.a9/a9",
        ] {
            assert_eq!(Unit::read(code), None, "{code}");
        }
    }
}
