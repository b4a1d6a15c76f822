//! Parameters of the OAuth endpoints: each once, each bounded, empty ones as if omitted, none of them in a log.

use rules::limits::PARAMETER_BYTES;
use rules::params::{ParamFault, Params};

fn read(pairs: &[(&str, &str)]) -> Result<Params<'static>, ParamFault> {
    Params::read(pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())))
}

#[test]
fn a_parameter_is_found_by_its_exact_name() {
    let params = read(&[("scope", "PATIENT"), ("State", "x")]).expect("readable");
    assert_eq!(params.get("scope"), Some("PATIENT"));
    assert_eq!(params.get("Scope"), None);
    assert_eq!(params.get("state"), None);
}

#[test]
fn a_parameter_sent_twice_is_refused_whatever_its_values() {
    for values in [["a", "a"], ["a", "b"], ["", "a"], ["a", ""], ["", ""]] {
        let twice = read(&[("scope", values[0]), ("state", "x"), ("scope", values[1])]);
        assert_eq!(twice, Err(ParamFault::Twice("scope".into())), "{values:?}");
    }
    assert_eq!(read(&[("unknown", "1"), ("unknown", "2")]), Err(ParamFault::Twice("unknown".into())));
}

#[test]
fn resource_alone_may_be_sent_more_than_once() {
    let several = [("resource", "a"), ("state", "x"), ("resource", "b"), ("resource", "a")];
    assert_eq!(read(&several).expect("readable").get("state"), Some("x"));
    assert_eq!(read(&[("resources", "a"), ("resources", "b")]), Err(ParamFault::Twice("resources".into())));
}

#[test]
fn an_empty_parameter_is_treated_as_omitted() {
    let params = read(&[("scope", ""), ("state", "x")]).expect("readable");
    assert_eq!(params.get("scope"), None);
    assert_eq!(params, read(&[("state", "x")]).expect("readable"));
}

#[test]
fn a_parameter_may_be_as_long_as_the_limit_and_no_longer() {
    let (longest, too_long) = ("a".repeat(PARAMETER_BYTES), "a".repeat(PARAMETER_BYTES + 1));
    assert_eq!(read(&[("state", &longest)]).expect("readable").get("state"), Some(longest.as_str()));
    assert!(read(&[(&longest, "x")]).is_ok());
    assert_eq!(read(&[("state", &too_long)]), Err(ParamFault::TooLong("state".into())));
    assert_eq!(read(&[(&too_long, "x")]), Err(ParamFault::TooLong(format!("{}...", "a".repeat(40)))));
    let in_bytes = "é".repeat(PARAMETER_BYTES / 2 + 1);
    assert_eq!(read(&[("state", &in_bytes)]), Err(ParamFault::TooLong("state".into())), "the limit counts bytes");
}

#[test]
fn a_fault_repeats_a_name_only_as_it_may_be_shown() {
    let long = "n".repeat(41);
    assert_eq!(read(&[(&long, "1"), (&long, "2")]), Err(ParamFault::Twice(format!("{}...", "n".repeat(40)))));
    assert_eq!(read(&[("a\"\\\n é~", "1"), ("a\"\\\n é~", "2")]), Err(ParamFault::Twice("a??? ?~".into())));
}

#[test]
fn debug_names_the_parameters_and_hides_their_values() {
    let params = read(&[("code", "rgc_hidden"), ("client_secret", "hidden too")]).expect("readable");
    assert_eq!(format!("{params:?}"), r#"{"client_secret", "code"}"#);
}
