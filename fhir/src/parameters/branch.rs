//! A branch of a search parameter's expression: the path to the elements that it means, and their type.

use crate::parameters::value_type::ValueType;
use crate::types::{self, ResourceType};

/// Which items of an element are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    All,
    At(usize),
    /// Those whose member has this value.
    Where(&'static str, &'static str),
    /// Those that have an extension with this URL.
    Extended(&'static str),
}

/// One member on the way, by its name in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    pub name: &'static str,
    pub pick: Pick,
}

/// A path from a resource, or from an instance of a composite, to values of one type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Whether it begins at the resource though it is inside a composite.
    pub from_resource: bool,
    pub steps: Vec<Step>,
    pub value_type: ValueType,
    /// The code system of a code, which its binding implies.
    pub system: Option<&'static str>,
    /// The type that a reference must be to.
    pub target: Option<ResourceType>,
}

impl Branch {
    /// Reads `/path.of[test].members:Type#system>Target`, of which only the path and the type must be there.
    pub(crate) fn read(text: &'static str) -> Option<Self> {
        let (path, end) = split_outside(text, ':')?;
        let from_resource = path.starts_with('/');
        let (end, target) = match end.split_once('>') {
            Some((end, target)) => (end, Some(types::named(target)?)),
            None => (end, None),
        };
        let (value_type, system) = end.split_once('#').map_or((end, None), |(end, system)| (end, Some(system)));
        Some(Self {
            from_resource,
            steps: steps(path.trim_start_matches('/'))?,
            value_type: ValueType::named(value_type)?,
            system,
            target,
        })
    }
}

/// The steps of a path; `.` alone is none.
pub(crate) fn steps(path: &'static str) -> Option<Vec<Step>> {
    let (mut found, mut rest) = (Vec::new(), Some(path).filter(|path| *path != "."));
    while let Some(text) = rest {
        let (first, deeper) = split_outside(text, '.').map_or((text, None), |(first, deeper)| (first, Some(deeper)));
        found.push(step(first)?);
        rest = deeper;
    }
    Some(found)
}

fn step(text: &'static str) -> Option<Step> {
    let Some((name, test)) = text.split_once('[') else { return Some(Step { name: text, pick: Pick::All }) };
    let test = test.strip_suffix(']')?;
    let pick = match test.split_once('=') {
        Some(("extension", url)) => Pick::Extended(url),
        Some((member, value)) => Pick::Where(member, value),
        None => Pick::At(test.parse().ok()?),
    };
    Some(Step { name, pick })
}

/// Splits at the first `at` that is not inside brackets, where URLs have dots and colons too.
fn split_outside(text: &'static str, at: char) -> Option<(&'static str, &'static str)> {
    let mut inside = false;
    let place = text.char_indices().find(|(_, c)| {
        inside = (inside || *c == '[') && *c != ']';
        !inside && *c == at
    });
    let (before, behind) = text.split_at_checked(place?.0)?;
    Some((before, behind.strip_prefix(at)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_branch_is_read_with_all_that_it_can_say() {
        let branch = Branch::read("/a.extension[url=http://x.y/z].b[0]:code#http://s.t/u").unwrap();
        assert!(branch.from_resource);
        let picks: Vec<_> = branch.steps.iter().map(|step| (step.name, step.pick)).collect();
        let extension = Pick::Where("url", "http://x.y/z");
        assert_eq!(picks, [("a", Pick::All), ("extension", extension), ("b", Pick::At(0))]);
        assert_eq!((branch.value_type, branch.system), (ValueType::Code, Some("http://s.t/u")));
        let branch = Branch::read("item[extension=http://x.y].answer:Reference>Patient").unwrap();
        assert_eq!(branch.target, Some(ResourceType::Patient));
        assert_eq!(branch.steps.first().unwrap().pick, Pick::Extended("http://x.y"));
    }

    #[test]
    fn what_is_no_branch_is_none() {
        for text in ["", "a", "a:", "a:Nothing", "a:Reference>Nobody", "a[x]:string", "a[0:string"] {
            assert_eq!(Branch::read(text), None, "{text}");
        }
    }
}
