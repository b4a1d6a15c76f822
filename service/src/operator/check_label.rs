//! Checking the privacy labels that a file or the command line names.

use super::check::Check;
use rules::labels::{Label, Labels};

/// The codes there are.
pub(crate) const WORDS: &str = "GENERAL_HEALTH, MENTAL_HEALTH, SEXUAL_HEALTH or SOCIAL_CARE";

/// The labels of these codes, if each of them is one; `None` too where none were given.
pub(crate) fn labels(check: &mut Check<'_>, field: &str, codes: Option<&[String]>) -> Option<Labels> {
    codes?.iter().map(|code| check.must(field, Some(code), WORDS, Label::named)).collect()
}
