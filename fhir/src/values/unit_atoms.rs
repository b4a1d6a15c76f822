//! The units that quantities are brought to one measure by: those common in medicine, by their UCUM codes.

/// A unit: its code, so many (a whole number and a power of ten) of the product of base units; whether prefixes apply.
pub(crate) type Atom = (&'static str, f64, i32, &'static [(&'static str, i32)], bool);

/// The prefixes of the metric system and their powers of ten.
pub(crate) const PREFIXES: [(&str, i32); 20] = [
    ("da", 1),
    ("Y", 24),
    ("Z", 21),
    ("E", 18),
    ("P", 15),
    ("T", 12),
    ("G", 9),
    ("M", 6),
    ("k", 3),
    ("h", 2),
    ("d", -1),
    ("c", -2),
    ("m", -3),
    ("u", -6),
    ("n", -9),
    ("p", -12),
    ("f", -15),
    ("a", -18),
    ("z", -21),
    ("y", -24),
];

const FORCE: &[(&str, i32)] = &[("g", 1), ("m", 1), ("s", -2)];
const PRESSURE: &[(&str, i32)] = &[("g", 1), ("m", -1), ("s", -2)];
const ENERGY: &[(&str, i32)] = &[("g", 1), ("m", 2), ("s", -2)];
const POWER: &[(&str, i32)] = &[("g", 1), ("m", 2), ("s", -3)];
const TIME: &[(&str, i32)] = &[("s", 1)];
const LENGTH: &[(&str, i32)] = &[("m", 1)];
const VOLUME: &[(&str, i32)] = &[("m", 3)];
const MASS: &[(&str, i32)] = &[("g", 1)];
const AMOUNT: &[(&str, i32)] = &[("mol", 1)];
const RATE: &[(&str, i32)] = &[("s", -1)];
const DOSE: &[(&str, i32)] = &[("m", 2), ("s", -2)];
const NONE: &[(&str, i32)] = &[];

/// Years, months and weeks are UCUM's: a year of 365.25 days, a month its twelfth.
#[rustfmt::skip]
pub(crate) const ATOMS: &[Atom] = &[
    ("m", 1.0, 0, LENGTH, true), ("g", 1.0, 0, MASS, true), ("s", 1.0, 0, TIME, true), ("K", 1.0, 0, &[("K", 1)], true),
    ("mol", 1.0, 0, AMOUNT, true), ("cd", 1.0, 0, &[("cd", 1)], true), ("C", 1.0, 0, &[("C", 1)], true),
    ("rad", 1.0, 0, &[("rad", 1)], true),
    ("A", 1.0, 0, &[("C", 1), ("s", -1)], true), ("V", 1.0, 3, &[("C", -1), ("g", 1), ("m", 2), ("s", -2)], true),
    ("L", 1.0, -3, VOLUME, true), ("l", 1.0, -3, VOLUME, true),
    ("min", 60.0, 0, TIME, false), ("h", 3_600.0, 0, TIME, false), ("d", 86_400.0, 0, TIME, false),
    ("wk", 604_800.0, 0, TIME, false), ("mo", 2_629_800.0, 0, TIME, false), ("mo_j", 2_629_800.0, 0, TIME, false),
    ("a", 31_557_600.0, 0, TIME, false), ("a_j", 31_557_600.0, 0, TIME, false),
    ("t", 1.0, 6, MASS, true), ("u", 16_605_402.0, -31, MASS, true),
    ("N", 1.0, 3, FORCE, true), ("Pa", 1.0, 3, PRESSURE, true), ("bar", 1.0, 8, PRESSURE, true),
    ("m[Hg]", 133_322.0, 3, PRESSURE, true), ("m[H2O]", 980_665.0, 1, PRESSURE, true), ("atm", 101_325.0, 3, PRESSURE, false),
    ("J", 1.0, 3, ENERGY, true), ("cal", 4_184.0, 0, ENERGY, true), ("[Cal]", 4_184.0, 3, ENERGY, false),
    ("eV", 160_217_733.0, -24, ENERGY, true),
    ("W", 1.0, 3, POWER, true), ("Hz", 1.0, 0, RATE, true), ("Bq", 1.0, 0, RATE, true), ("Ci", 37.0, 9, RATE, true),
    ("Gy", 1.0, 0, DOSE, true), ("Sv", 1.0, 0, DOSE, true),
    ("kat", 1.0, 0, &[("mol", 1), ("s", -1)], true), ("eq", 1.0, 0, AMOUNT, true), ("osm", 1.0, 0, AMOUNT, true),
    ("%", 1.0, -2, NONE, false), ("[ppth]", 1.0, -3, NONE, false), ("[ppm]", 1.0, -6, NONE, false),
    ("[ppb]", 1.0, -9, NONE, false),
    ("[in_i]", 254.0, -4, LENGTH, false), ("[ft_i]", 3_048.0, -4, LENGTH, false), ("[mi_i]", 1_609_344.0, -3, LENGTH, false),
    ("[lb_av]", 45_359_237.0, -5, MASS, false), ("[oz_av]", 28_349_523_125.0, -9, MASS, false),
    ("[stone_av]", 635_029_318.0, -5, MASS, false), ("[gr]", 6_479_891.0, -8, MASS, false),
    ("[iU]", 1.0, 0, &[("[iU]", 1)], true), ("[IU]", 1.0, 0, &[("[iU]", 1)], true),
    ("[arb'U]", 1.0, 0, &[("[arb'U]", 1)], false), ("[CFU]", 1.0, 0, &[("[CFU]", 1)], false),
    ("[pH]", 1.0, 0, &[("[pH]", 1)], false), ("[diop]", 1.0, 0, &[("m", -1)], false),
    ("[drp]", 1.0, 0, &[("[drp]", 1)], false), ("[D'ag'U]", 1.0, 0, &[("[D'ag'U]", 1)], false),
];

/// The unit of an enzyme's activity is a micromole in a minute: the one common unit that has another below a line.
pub(crate) const ENZYME_UNIT: (&str, i32, f64, &[(&str, i32)]) = ("U", -6, 60.0, &[("mol", 1), ("s", -1)]);
