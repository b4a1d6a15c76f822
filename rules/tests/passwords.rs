//! Which passwords may be chosen.

use rules::limits::PASSWORD_CHARACTERS;
use rules::passwords::{PasswordFault, fault, rule};

const LIST: &str = include_str!("../lists/commonest-passwords.txt");

#[test]
fn a_password_has_ten_to_256_characters_whatever_they_are() {
    assert_eq!(PASSWORD_CHARACTERS, 10..=256);
    assert_eq!(fault("ninechars", "amina"), Some(PasswordFault::TooShort));
    assert_eq!(fault("", "amina"), Some(PasswordFault::TooShort));
    assert_eq!(fault(&"ü".repeat(9), "amina"), Some(PasswordFault::TooShort), "characters, not bytes");
    assert_eq!(fault(&"ü".repeat(10), "amina"), None);
    assert_eq!(fault(&"𝄞".repeat(256), "amina"), None);
    assert_eq!(fault(&"a".repeat(257), "amina"), Some(PasswordFault::TooLong));
    for no_composition in ["all lower case words", "19384756201", "ⴰⵎⴰⵣⵉⵖ ⴰⵎⴰⵣⵉⵖ"] {
        assert_eq!(fault(no_composition, "amina"), None, "{no_composition}");
    }
}

#[test]
fn a_password_is_not_the_user_name_however_spelt() {
    for spelt in ["amina@example.org", "Amina@Example.ORG"] {
        assert_eq!(fault(spelt, "amina@example.org"), Some(PasswordFault::IsUsername));
        assert_eq!(fault("amina@example.org", spelt), Some(PasswordFault::IsUsername));
    }
    assert_eq!(fault("amina@example.org!", "amina@example.org"), None);
}

#[test]
fn a_password_is_not_among_the_commonest_however_spelt() {
    for common in ["1234567890", "qwertyuiop", "Password123", "1Q2W3E4R5T", "iloveyou123"] {
        assert_eq!(fault(common, "amina"), Some(PasswordFault::IsCommon), "{common}");
    }
    assert!(LIST.lines().all(|common| fault(common, "amina") == Some(PasswordFault::IsCommon)));
}

/// Every password of the ten thousand that is not in the list is too short.
#[test]
fn the_list_has_those_of_the_commonest_that_are_long_enough_and_no_others() {
    let lines: Vec<&str> = LIST.lines().collect();
    assert!(lines.is_sorted() && lines.iter().all(|line| *line == line.to_lowercase()));
    assert!(lines.iter().all(|line| PASSWORD_CHARACTERS.contains(&line.chars().count())));
    assert!((500..1000).contains(&lines.len()), "{}", lines.len());
}

#[test]
fn every_fault_says_what_would_do() {
    assert!(rule().starts_with("10 to 256 characters"));
    for (password, words) in [("short", "at least 10"), (&*"a".repeat(300), "at most 256"), ("1234567890", "commonest")]
    {
        assert!(fault(password, "amina").is_some_and(|fault| fault.words().contains(words)), "{words}");
    }
}
