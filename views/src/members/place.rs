//! Where in a request a value stands, as errors name it: `participants[0].type`.

/// The longest name of a member that is told back.
const LONGEST_NAME: usize = 100;

#[derive(Clone, Copy, Debug)]
enum Step<'p> {
    Root,
    Member(&'p str),
    Item(usize),
}

/// A value's place. Its path is written only where something is wrong with it.
#[derive(Clone, Copy, Debug)]
pub struct Place<'p> {
    above: Option<&'p Self>,
    step: Step<'p>,
}

impl<'p> Place<'p> {
    /// The whole body.
    pub const ROOT: Place<'static> = Place { above: None, step: Step::Root };

    /// A member of the object that is here.
    #[must_use]
    pub const fn member(&'p self, name: &'p str) -> Self {
        Self { above: Some(self), step: Step::Member(name) }
    }

    /// An item of the array that is here.
    #[must_use]
    pub const fn item(&'p self, at: usize) -> Self {
        Self { above: Some(self), step: Step::Item(at) }
    }

    /// As errors name it.
    #[must_use]
    pub fn path(&self) -> String {
        let mut path = self.above.map(Self::path).unwrap_or_default();
        match self.step {
            Step::Root => {}
            Step::Item(at) => path.push_str(&format!("[{at}]")),
            Step::Member(name) => {
                if !path.is_empty() {
                    path.push('.');
                }
                path.extend(name.chars().take(LONGEST_NAME));
            }
        }
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_names_members_and_items_from_the_outside_in() {
        let (third, root) = (Place::ROOT.item(2), Place::ROOT);
        let participants = third.member("participants");
        assert_eq!(participants.item(0).member("type").path(), "[2].participants[0].type");
        assert_eq!((root.path(), root.member("value").path()), (String::new(), "value".into()));
    }
}
