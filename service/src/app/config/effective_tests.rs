//! Tests of the configuration: precedence, complaints, and that the embedded defaults agree with the rules.

use super::super::defaults::defaults;
use super::super::settings::SETTINGS;
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
        defaults: Vec::new(),
    })
}

#[test]
fn without_any_source_the_defaults_hold_and_agree_with_the_rules() {
    let config = read(&[], &[], None).unwrap();
    assert_eq!(config.api_body_bytes, rules::limits::API_BODY_BYTES);
    assert_eq!(config.attempts, 1);
    assert!(defaults().contains(&format!("1 to {}.", rules::limits::MOST_ATTEMPTS)));
    assert_eq!(config.throttle, Allowance::default());
    assert_eq!(config.connections, ConnectionBounds::default());
    assert_eq!(config.listen, "127.0.0.1:8080");
    assert_eq!(config.base_url, "http://127.0.0.1:8080");
    assert_eq!(config.keys, PathBuf::from("recordgate-data/keys"));
    assert_eq!(config.metrics, None);
}

#[test]
fn the_ledger_is_kept_for_ever_or_for_a_number_of_months_that_the_rules_allow() {
    assert_eq!(read(&[], &[], None).unwrap().retention, None);
    let kept = [("RECORDGATE_LEDGER_MONTHS", "24"), ("RECORDGATE_LEDGER_ARCHIVE", "/archive")];
    let retention = read(&[], &kept, None).unwrap().retention.unwrap();
    assert_eq!((retention.months, retention.by.as_str()), (24, "ledger_months = 24"));
    assert_eq!(retention.archive, Some(PathBuf::from("/archive")));
    for wrong in ["11", "1201", "-1", "a year"] {
        let problems = read(&[], &[("RECORDGATE_LEDGER_MONTHS", wrong)], None).unwrap_err();
        assert!(
            problems.len() == 1 && problems[0].contains("0, for ever, or a number from 12 to 1200"),
            "{problems:?}"
        );
    }
    let (least, most) = (rules::limits::LEDGER_MONTHS.start(), rules::limits::LEDGER_MONTHS.end());
    assert!(defaults().contains(&format!("{least} to {most}, or 0")));
}

#[test]
fn a_time_zone_is_one_of_the_iana_database() {
    let in_london = read(&[], &[("RECORDGATE_TIME_ZONE", "Europe/London")], None).unwrap();
    assert!(in_london.time_zone.day_and_time(rules::moment::Moment(1_783_000_000_000)).ends_with("BST"));
    let problems = read(&[], &[], Some("time_zone = \"Europe/Atlantis\"\n")).unwrap_err();
    assert!(problems.len() == 1 && problems[0].contains("a time zone of the IANA database"), "{problems:?}");
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

#[test]
fn with_a_certificate_and_its_key_the_service_is_reached_by_https() {
    let both = [("RECORDGATE_TLS_KEY", "key.pem")];
    let file = Some("tls_cert = \"cert.pem\"\n");
    let config = read(&[], &both, file).unwrap();
    assert_eq!(config.tls, Some(TlsFiles { certificate: "cert.pem".into(), key: "key.pem".into() }));
    assert_eq!(config.base_url, "https://127.0.0.1:8080");
    let line = config.lines.iter().find(|line| line.key == "base_url").unwrap();
    assert_eq!(line.from, "default: https:// and listen, with tls_cert");
    let url = [("base_url", "https://records.example.org")];
    assert_eq!(read(&url, &both, file).unwrap().base_url, "https://records.example.org");
    for (options, environment, file, told) in [
        (&[][..], &[][..], file, "together with tls_key"),
        (&[], &both, None, "together with tls_cert"),
        (&[("base_url", "http://records.example.org")], &both, file, "an https:// URL"),
    ] {
        let problems = read(options, environment, file).unwrap_err();
        assert!(problems.len() == 1 && problems[0].contains(told), "{problems:?}");
    }
}

#[test]
fn the_numbers_of_the_throttle_are_settings_within_bounds() {
    let file = "[throttle]\nwindow_seconds = 60\nfailures_per_account = 3\n";
    let config = read(&[], &[("RECORDGATE_THROTTLE_FAILURES_PER_ADDRESS", "30")], Some(file)).unwrap();
    let wanted = Allowance { window: std::time::Duration::from_secs(60), per_account: 3, per_address: 30 };
    assert_eq!(config.throttle, wanted);
    let file = "[throttle]\nwindow_seconds = 0\nfailures_per_account = 0\nfailures_per_address = -1\n";
    let problems = read(&[], &[], Some(file)).unwrap_err();
    for (key, hint) in [("window_seconds", "1 to 86400"), ("per_account", "1 to 1000"), ("per_address", "1 to 1000000")]
    {
        assert!(problems.iter().any(|p| p.contains(key) && p.contains(hint)), "{key}: {problems:?}");
        assert!(defaults().contains(&format!(": {hint}.")), "{hint}");
    }
}

#[test]
fn the_bounds_of_connections_are_settings_and_a_server_that_is_a_database_needs_files_too() {
    let file = "[connections]\nin_all = 100\nper_address = 7\ndelivery_seconds = 3\nunread_mib = 2\n";
    let environment = [("RECORDGATE_CONNECTIONS_UNREAD_PER_CALLER_MIB", "1")];
    let own = read(&[], &environment, Some(file)).unwrap().connections;
    let wanted = ConnectionBounds {
        in_all: 100,
        per_address: 7,
        delivery: std::time::Duration::from_secs(3),
        unread: 2 << 20,
        unread_per_caller: 1 << 20,
        ..ConnectionBounds::default()
    };
    assert_eq!(own, wanted);
    let shared = read(&[("database", "postgres://recordgate@db.example/records")], &[], None).unwrap().connections;
    let options = store::PostgresOptions::default();
    let connections = options.read_connections + options.write_connections;
    assert_eq!(shared.other_files, own.other_files + connections);
    let problems = read(&[], &[], Some("[connections]\nper_address = 0\ndelivery_seconds = 4000\n")).unwrap_err();
    for (key, hint) in [("per_address", "1 to 1000000"), ("delivery_seconds", "1 to 3600")] {
        assert!(problems.iter().any(|p| p.contains(key) && p.contains(hint)), "{key}: {problems:?}");
        assert!(defaults().contains(&format!(": {hint}.")), "{hint}");
    }
}

fn postgres(environment: &[(&str, &str)], file: Option<&str>) -> store::PostgresOptions {
    let url = "postgres://recordgate@db.example/records";
    match read(&[("database", url)], environment, file).unwrap().database {
        Place::Postgres(place) => place.options,
        Place::Sqlite(_) => panic!("another engine"),
    }
}

#[test]
fn what_is_wrong_with_a_database_is_said_in_the_stores_words_and_without_its_password() {
    for (url, hint) in [
        ("postgres://recordgate:hush@db.example/records?sslmode=require", "write sslmode=verify-full&sslrootcert=FILE"),
        ("postgre://recordgate:hush@db.example/records", "write sqlite:DIR"),
    ] {
        let problems = read(&[("database", url)], &[], None).unwrap_err();
        assert!(problems.len() == 1 && problems[0].contains(hint), "{problems:?}");
        assert!(problems[0].starts_with("database (option --option) will not do: "), "{problems:?}");
        assert!(!problems[0].contains("hush"));
    }
}

#[test]
fn without_a_word_about_postgresql_the_stores_own_defaults_hold() {
    assert_eq!(postgres(&[], None), store::PostgresOptions::default());
}

#[test]
fn every_setting_of_postgresql_reaches_the_engine_from_the_file_and_from_the_environment() {
    let names = SETTINGS.iter().filter(|setting| setting.table == Some("postgres"));
    let (names, variables): (Vec<_>, Vec<_>) = names.map(|setting| (setting.name, setting.variable)).unzip();
    let values = ["7", "8", "9", "110", "120", "130", "250"];
    let milliseconds = std::time::Duration::from_millis;
    let wanted = store::PostgresOptions {
        read_connections: 7,
        write_connections: 8,
        queue_limit: 9,
        connect_timeout: milliseconds(110),
        wait_timeout: milliseconds(120),
        statement_timeout: milliseconds(130),
        answer_within: milliseconds(250),
    };
    let lines = names.iter().zip(values).map(|(name, value)| format!("{name} = {value}\n")).collect::<String>();
    assert_eq!(postgres(&[], Some(&format!("[postgres]\n{lines}"))), wanted);
    let environment: Vec<_> = variables.iter().copied().zip(values).collect();
    assert_eq!(postgres(&environment, None), wanted);
}

#[test]
fn a_connect_timeout_in_the_url_goes_before_the_configured_one() {
    let url = "postgres://recordgate@db.example/records?connect_timeout=4";
    let config = read(&[("database", url)], &[("RECORDGATE_POSTGRES_CONNECT_TIMEOUT_MS", "90")], None).unwrap();
    let Place::Postgres(place) = config.database else { panic!("another engine") };
    assert_eq!(place.options.connect_timeout, std::time::Duration::from_secs(4));
}

#[test]
fn patience_without_an_end_or_without_sense_is_refused_with_what_would_do() {
    for (line, complaint) in [
        ("statement_timeout_ms = 0", "it must be a number of milliseconds from 10 to 600000"),
        ("write_connections = 0", "it must be a number from 1 to 1000"),
        ("queue_limit = -1", "it must be a number from 1 to 1000000"),
        ("statement_timeout_ms = 9000", "postgres.answer_within_ms = \"5000\" (default) will not do"),
        ("statement_timeout_ms = 9000", "it must be at least 10500: wait_timeout_ms and statement_timeout_ms"),
    ] {
        let problems = read(&[], &[], Some(&format!("[postgres]\n{line}\n"))).unwrap_err();
        assert!(problems.len() == 1 && problems[0].contains(complaint), "{line}: {problems:?}");
    }
}
