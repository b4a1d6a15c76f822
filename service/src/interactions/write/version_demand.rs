//! Which version a write demands to find, as an `ETag` names it, and what is said where it finds another.

use rules::answers::Refusal;
use store::write::resource_write::Demand;

/// The version that a tag names: `W/"3"`; `*` is any.
pub(crate) fn demand(tag: &str) -> Option<Demand> {
    if tag.trim() == "*" {
        return Some(Demand::Present);
    }
    let quoted = tag.trim().strip_prefix("W/").unwrap_or(tag.trim());
    let version = quoted.strip_prefix('"')?.strip_suffix('"')?;
    (!version.contains('"')).then(|| Demand::Version(version.parse().unwrap_or_default()))
}

/// What is said of a demand that is not met; `version` is what is there, 0 if nothing is.
pub(crate) fn not_met(version: i64) -> Refusal {
    Refusal::PreconditionFailed(match version {
        0 => "If-Match demands a version, and there is none".into(),
        version => format!("the version that is there is {version}, which is not what If-Match demands"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_demanded_as_its_etag_names_it() {
        for tag in ["W/\"3\"", "\"3\"", " W/\"3\" "] {
            assert_eq!(demand(tag), Some(Demand::Version(3)), "{tag}");
        }
        assert_eq!(demand("*"), Some(Demand::Present));
        assert_eq!(demand("W/\"x\""), Some(Demand::Version(0)), "which no version is");
        for wrong in ["3", "", "W/3", "\"3", "\"1\", \"2\""] {
            assert_eq!(demand(wrong), None, "{wrong}");
        }
    }
}
