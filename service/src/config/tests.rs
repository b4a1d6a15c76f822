//! Tests of the configuration: precedence, complaints, and that the embedded defaults agree with the rules.

use super::*;

fn read(
    options: &[(&'static str, &str)],
    environment: &[(&str, &str)],
    file: Option<&str>,
) -> Result<Config, Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("my.toml");
    let variable = |name: &str| environment.iter().find(|(known, _)| *known == name).map(|(_, v)| (*v).to_owned());
    if let Some(text) = file {
        std::fs::write(&path, text).unwrap();
    }
    Config::read(&Sources {
        options: options.iter().map(|(key, value)| (*key, "--option", (*value).to_owned())).collect(),
        file: file.map(|_| path),
        environment: &variable,
    })
}

#[test]
fn without_any_source_the_defaults_hold_and_agree_with_the_rules() {
    let config = read(&[], &[], None).unwrap();
    assert_eq!(config.api_body_bytes, rules::limits::API_BODY_BYTES);
    assert_eq!(config.attempts, 1);
    assert!(DEFAULTS.contains(&format!("1 to {}.", rules::limits::MOST_ATTEMPTS)));
    assert_eq!(config.listen, "127.0.0.1:8080");
    assert_eq!(config.base_url, "http://127.0.0.1:8080");
    assert_eq!(config.keys, PathBuf::from("recordgate-data/keys"));
    assert_eq!(config.metrics, None);
}

#[test]
fn an_option_beats_the_environment_which_beats_the_file_which_beats_the_default() {
    let file = Some("listen = \"1.1.1.1:1\"\n");
    let environment = [("RECORDGATE_LISTEN", "2.2.2.2:2")];
    assert_eq!(read(&[], &[], file).unwrap().listen, "1.1.1.1:1");
    assert_eq!(read(&[], &environment, file).unwrap().listen, "2.2.2.2:2");
    assert_eq!(read(&[("listen", "3.3.3.3:3")], &environment, file).unwrap().listen, "3.3.3.3:3");
}

#[test]
fn an_empty_variable_is_no_value() {
    assert_eq!(read(&[], &[("RECORDGATE_LISTEN", "")], None).unwrap().listen, "127.0.0.1:8080");
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_nearest_known_one() {
    let problems = read(&[], &[], Some("\n[authorize]\natempts = 3\n")).unwrap_err();
    assert_eq!(problems.len(), 1);
    assert!(problems[0].ends_with("my.toml:3: unknown key authorize.atempts; did you mean attempts?"), "{problems:?}");
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let file = "listen = 8080\napi_body_mib = 0\n[authorize]\nattempts = 6\n[log]\nlevel = \"loud\"\n";
    let problems = read(&[("base_url", "records.example.org")], &[], Some(file)).unwrap_err();
    for (key, hint) in [
        ("listen", "a text in quotes"),
        ("api_body_mib", "from 1 to 1024"),
        ("authorize.attempts", "from 1 to 5"),
        ("log.level", "error, warn, info"),
        ("base_url", "a URL such as"),
    ] {
        assert!(problems.iter().any(|p| p.contains(key) && p.contains(hint)), "{key}: {problems:?}");
    }
}

#[test]
fn a_base_url_loses_the_slash_at_its_end_and_may_have_no_query() {
    assert_eq!(base_url("https://records.example.org/gate/").as_deref(), Some("https://records.example.org/gate"));
    for wrong in ["ftp://x", "https://", "https:///path", "https://x?y", "https://x#y", "https://u@x", "https://a b"] {
        assert_eq!(base_url(wrong), None, "{wrong}");
    }
}
