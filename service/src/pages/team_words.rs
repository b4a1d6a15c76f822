//! A team's patients in words: who somebody is, and what the team sees of the record. The latter depends on the consent alone.

use crate::formats::zone::Zone;
use crate::views::record::DateText;
use crate::views::words::capital;
use rules::consent::view::View;
use rules::labels::{Label, Labels};
use views::kinds::person::Person;

/// What people call a patient; the id, where no name is known.
pub(super) fn name(person: &Person) -> String {
    let names = [&person.first_name, &person.last_name].into_iter().flatten().map(String::as_str);
    let name = names.collect::<Vec<_>>().join(" ");
    if name.is_empty() { person.id.clone().unwrap_or_default() } else { name }
}

pub(super) fn born(person: &Person, zone: &Zone) -> Option<DateText> {
    person.dob.clone().map(|born| DateText::new(born, zone))
}

/// The national numbers, each with what it is called.
pub(super) fn numbers(person: &Person) -> Vec<String> {
    let number = |id: &views::kinds::person::AssignedId| match &id.name {
        Some(name) => format!("{name} {}", id.value),
        None => id.value.clone(),
    };
    person.national_ids.iter().map(number).collect()
}

/// What a team sees of a record.
pub(super) fn sees(view: View) -> String {
    match view {
        View::All | View::Glass(_) => {
            "You see all four labels, but no drafts and no private messages of others.".into()
        }
        View::Labels(held) => {
            let hidden = Labels::ALL.without(held);
            let first = format!("You see {}.", words(held));
            match hidden.each().count() {
                0 => first,
                1 => format!("{first} {} is not shared with your team.", capital(&words(hidden))),
                _ => format!("{first} {} are not shared with your team.", capital(&words(hidden))),
            }
        }
        View::Own | View::None | View::Out | View::In => {
            "Nothing is shared with your team. You see what your team wrote itself.".into()
        }
    }
}

/// `general health, mental health and social care`.
fn words(labels: Labels) -> String {
    let mut all: Vec<String> = labels.each().map(|label: Label| label.words().to_lowercase()).collect();
    match (all.pop(), all.is_empty()) {
        (Some(last), true) => last,
        (Some(last), false) => format!("{} and {last}", all.join(", ")),
        (None, _) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::moment::Moment;

    #[test]
    fn what_is_not_shared_is_named_and_nothing_else() {
        let general = Labels(Label::GeneralHealth.bit());
        assert_eq!(
            sees(View::Labels(general)),
            "You see general health. Mental health, sexual health and social care are not shared with your team."
        );
        let three = Labels::ALL.without(Labels(Label::MentalHealth.bit()));
        assert!(sees(View::Labels(three)).ends_with("social care. Mental health is not shared with your team."));
        assert!(!sees(View::Labels(Labels::ALL)).contains("not shared"));
        assert!(sees(View::Own).starts_with("Nothing is shared"));
        assert!(sees(View::Glass(Moment(0))).contains("all four labels"));
    }
}
