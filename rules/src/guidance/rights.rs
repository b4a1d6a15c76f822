//! By which right a record was looked at, in words for the patient whose record it is.

use crate::right::Right;
use alloc::format;
use alloc::string::String;

/// Completes "… opened your letter": why `viewer` could.
#[must_use]
pub fn because(right: Right, viewer: &str) -> String {
    match right {
        Right::Own => "with your own account".into(),
        Right::Source => format!("because {viewer} made it"),
        Right::Participant => format!("because {viewer} takes part in it"),
        Right::Consent => format!("because you share it with {viewer}"),
        Right::Glass => format!("because {viewer} broke the glass"),
        Right::Directory => "because it is there for everybody".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_looked_is_named_where_the_right_is_theirs() {
        for right in Right::ALL {
            let names = !matches!(right, Right::Own | Right::Directory);
            assert_eq!(because(right, "the Sleep Team").contains("the Sleep Team"), names, "{right:?}");
        }
    }
}
