//! Redirect URIs: which may be registered, which a request may name, and the tricks that must not pass.

use rules::limits::PARAMETER_BYTES;
use rules::redirect::{RedirectFault, is_for_silent_codes, matches, registrable};

#[test]
fn https_loopback_and_custom_schemes_may_be_registered() {
    for uri in [
        "https://app.example/cb",
        "https://app.example",
        "https://app.example:8443/cb?tenant=1&x=%20",
        "https://[2001:db8::1]:8443/cb",
        "HTTPS://app.example/cb",
        "http://127.0.0.1/cb",
        "http://127.0.0.1:49152/cb",
        "http://[::1]/cb",
        "http://[::1]:49152/cb",
        "http://localhost:3000/cb",
        "org.example.app:/cb",
        "org.example.app://cb",
        "sleepdiary://signed-in?from=recordgate",
    ] {
        assert_eq!(registrable(uri), Ok(()), "{uri}");
    }
}

#[test]
fn what_may_not_be_registered_is_refused_for_its_own_reason() {
    use RedirectFault::{ForbiddenScheme, Fragment, Malformed, NoHost, PlainHttp, UserInfo};
    for (uri, fault) in [
        ("", Malformed),
        ("cb", Malformed),
        ("/cb", Malformed),
        ("//app.example/cb", Malformed),
        ("://app.example/cb", Malformed),
        ("1https://app.example/cb", Malformed),
        ("ht tps://app.example/cb", Malformed),
        ("https://app.example/a b", Malformed),
        ("https://app.example/cb\n", Malformed),
        ("https://app.example/\u{7f}", Malformed),
        ("https://app.example/é", Malformed),
        ("https://app.example\\@evil.example/cb", Malformed),
        ("https://app.example/\"onload", Malformed),
        ("https://app.example/<script>", Malformed),
        ("https://app.example:80x/cb", Malformed),
        ("https://app.example:/cb", Malformed),
        ("https://app.example:65536/cb", Malformed),
        ("https://app.example:+80/cb", Malformed),
        ("https://[::1/cb", Malformed),
        ("https://[::1].evil.example/cb", Malformed),
        ("https://[::1]evil.example:80/cb", Malformed),
        ("javascript:alert(1)", ForbiddenScheme),
        ("JavaScript://app.example/%0aalert(1)", ForbiddenScheme),
        ("data:text/html,x", ForbiddenScheme),
        ("vbscript:x", ForbiddenScheme),
        ("file:///etc/passwd", ForbiddenScheme),
        ("blob:https://app.example/1", ForbiddenScheme),
        ("about:blank", ForbiddenScheme),
        ("https://app.example/cb#", Fragment),
        ("https://app.example/cb#part", Fragment),
        ("org.example.app:/cb#part", Fragment),
        ("http://app.example/cb", PlainHttp),
        ("HTTP://app.example/cb", PlainHttp),
        ("http://127.0.0.2/cb", PlainHttp),
        ("http://127.0.0.1.evil.example/cb", PlainHttp),
        ("http://localhost.evil.example/cb", PlainHttp),
        ("http://127.1/cb", PlainHttp),
        ("http://2130706433/cb", PlainHttp),
        ("http://0x7f000001/cb", PlainHttp),
        ("http://%31%32%37.0.0.1/cb", PlainHttp),
        ("http://[::ffff:127.0.0.1]/cb", PlainHttp),
        ("https:///cb", NoHost),
        ("https:/app.example/cb", NoHost),
        ("https:app.example/cb", NoHost),
        ("https://:443/cb", NoHost),
        ("https://user@app.example/cb", UserInfo),
        ("http://127.0.0.1@evil.example/cb", UserInfo),
        ("http://127.0.0.1:80@evil.example/cb", UserInfo),
        ("http://[::1]:80@evil.example/cb", UserInfo),
    ] {
        assert_eq!(registrable(uri), Err(fault), "{uri}");
    }
}

#[test]
fn a_redirect_uri_may_be_as_long_as_a_parameter_and_no_longer() {
    let of_length =
        |length: usize| format!("https://app.example/{}", "a".repeat(length - "https://app.example/".len()));
    assert_eq!(registrable(&of_length(PARAMETER_BYTES)), Ok(()));
    assert_eq!(registrable(&of_length(PARAMETER_BYTES + 1)), Err(RedirectFault::Malformed));
}

#[test]
fn the_match_is_the_exact_string() {
    let registered = "https://app.example/cb?a=1";
    assert!(matches(registered, registered, false));
    for asked in [
        "https://app.example/cb",
        "https://app.example/cb?a=1&b=2",
        "https://app.example/cb?a=1#",
        "https://app.example/cb/?a=1",
        "https://app.example/CB?a=1",
        "https://APP.example/cb?a=1",
        "https://app.example:443/cb?a=1",
        "https://app.example/./cb?a=1",
        "https://app.example/x/../cb?a=1",
        "https://app.example/%63b?a=1",
        "http://app.example/cb?a=1",
        "https://app.example.evil.example/cb?a=1",
        "https://app.example@evil.example/cb?a=1",
        "https://evil.example/https://app.example/cb?a=1",
        " https://app.example/cb?a=1",
        "",
    ] {
        assert!(!matches(registered, asked, false), "{asked}");
    }
}

/// Each position of a registered URI changed to each printable character: none but the URI itself passes.
#[test]
fn no_single_character_may_be_changed_left_out_or_added() {
    for registered in ["https://app.example/cb", "org.example.app:/cb", "https://localhost:3000/cb"] {
        for at in 0..=registered.len() {
            let (before, after) = registered.split_at(at);
            for byte in 0x21..0x7f_u8 {
                let c = char::from(byte);
                let added = format!("{before}{c}{after}");
                let changed = format!("{before}{c}{}", after.get(1..).unwrap_or_default());
                assert!(!matches(registered, &added, false), "{added}");
                assert!(!matches(registered, &changed, false) || changed == registered, "{changed}");
            }
            let left_out = format!("{before}{}", after.get(1..).unwrap_or_default());
            assert!(!matches(registered, &left_out, false) || left_out == registered, "{left_out}");
        }
    }
}

#[test]
fn a_loopback_uri_may_differ_in_port_only() {
    for host in ["127.0.0.1", "[::1]", "localhost"] {
        for registered in [format!("http://{host}/cb"), format!("http://{host}:80/cb")] {
            for port in ["", ":0", ":1", ":80", ":8080", ":65535"] {
                let asked = format!("http://{host}{port}/cb");
                assert!(matches(&registered, &asked, false), "{registered} {asked}");
            }
        }
    }
}

#[test]
fn no_trick_passes_for_another_port() {
    for host in ["127.0.0.1", "[::1]", "localhost"] {
        let registered = format!("http://{host}:80/cb");
        for tail in [
            ":/cb",
            ":65536/cb",
            ":-1/cb",
            ":+80/cb",
            ":80x/cb",
            ":8 0/cb",
            ":80:80/cb",
            ":%38%30/cb",
            ":٨٠/cb",
            ":80@evil.example/cb",
            "@evil.example/cb",
            ":80%40evil.example/cb",
            ".evil.example/cb",
            ":80.evil.example/cb",
            "evil.example/cb",
            "evil.example:80/cb",
            ".evil.example:80/cb",
            "\\@evil.example/cb",
            ":80\\@evil.example/cb",
            ":80\\.evil.example/cb",
            ":81/cb/",
            ":81/CB",
            ":81/cb?x=1",
            ":81/cb#",
            ":81/%63b",
            ":81//cb",
            ":81/../cb",
            ":81",
            ":81\t/cb",
            ":81/cb\r\nX: y",
        ] {
            let asked = format!("http://{host}{tail}");
            assert!(!matches(&registered, &asked, false), "{asked}");
            assert!(!matches(&registered, &asked, true), "{asked}");
        }
        for asked in [
            format!("https://{host}:81/cb"),
            format!("HTTP://{host}:81/cb"),
            format!("http:/{host}:81/cb"),
            format!("http:{host}:81/cb"),
            format!("http://user@{host}:81/cb"),
            format!("http://user:@{host}:81/cb"),
            format!("http:///{host}:81/cb"),
            format!("http://evil.example/{host}:81/cb"),
        ] {
            assert!(!matches(&registered, &asked, false), "{asked}");
        }
    }
    assert!(!matches("http://127.0.0.1/cb", "http://[::1]/cb", false), "one loopback host is not the other");
}

#[test]
fn only_loopback_addresses_over_plain_http_may_differ_in_port() {
    for (registered, asked) in [
        ("https://localhost:3000/cb", "https://localhost:3001/cb"),
        ("https://127.0.0.1:3000/cb", "https://127.0.0.1:3001/cb"),
        ("https://app.example:3000/cb", "https://app.example:3001/cb"),
        ("org.example.app://127.0.0.1:1/cb", "org.example.app://127.0.0.1:2/cb"),
    ] {
        assert!(!matches(registered, asked, false), "{asked}");
    }
}

#[test]
fn further_query_parameters_need_the_clients_switch() {
    for (registered, asked, with_switch) in [
        ("https://app.example/cb", "https://app.example/cb?x=1", true),
        ("https://app.example/cb", "https://app.example/cb?x=1&y=2", true),
        ("https://app.example/cb?a=1", "https://app.example/cb?a=1&x=1", true),
        ("org.example.app:/cb", "org.example.app:/cb?x=1", true),
        ("https://app.example/cb", "https://app.example/cb&x=1", false),
        ("https://app.example/cb", "https://app.example/cb/x?x=1", false),
        ("https://app.example/cb", "https://app.example/cbx?x=1", false),
        ("https://app.example/cb?a=1", "https://app.example/cb?a=12", false),
        ("https://app.example/cb?a=1", "https://app.example/cb?a=1?x=1", false),
        ("https://app.example/cb?a=1", "https://app.example/cb?x=1&a=1", false),
        ("https://app.example/cb?a=1", "https://app.example/cb?x=1", false),
        ("https://app.example/cb", "https://app.example/cb?x=1#part", false),
        ("https://app.example/cb", "https://app.example/cb?x=\"", false),
        ("https://app.example/cb", "https://app.example/cb?x= 1", false),
        ("https://app.example", "https://app.example.evil.example?x=1", false),
        ("https://app.example", "https://app.example@evil.example?x=1", false),
        ("https://app.example", "https://app.example?@evil.example", true),
    ] {
        assert!(!matches(registered, asked, false), "without the switch: {asked}");
        assert_eq!(matches(registered, asked, true), with_switch, "with the switch: {asked}");
    }
}

#[test]
fn a_code_goes_silently_to_the_web_alone_and_in_a_sandbox_to_this_machine() {
    for (uri, in_service, in_sandbox) in [
        ("https://app.example/cb", true, true),
        ("HTTPS://app.example/cb", true, true),
        ("http://127.0.0.1:8123/cb", false, true),
        ("http://app.example/cb", false, false),
        ("app.example:/cb", false, false),
        ("https", false, false),
    ] {
        assert_eq!(
            (is_for_silent_codes(uri, false), is_for_silent_codes(uri, true)),
            (in_service, in_sandbox),
            "{uri}"
        );
    }
}

#[test]
fn each_fault_has_words_of_its_own() {
    use RedirectFault::{ForbiddenScheme, Fragment, Malformed, NoHost, PlainHttp, UserInfo};
    let mut words =
        [Malformed, Fragment, ForbiddenScheme, PlainHttp, NoHost, UserInfo].map(RedirectFault::words).to_vec();
    assert!(words.iter().all(|words| words.starts_with("must ")));
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), 6);
}

#[test]
fn further_query_parameters_cannot_be_the_ones_that_the_service_adds() {
    let registered = "https://app.example/back?tenant=7";
    assert!(matches(registered, "https://app.example/back?tenant=7&lang=en", true));
    for name in ["code", "state", "error", "iss", "%63ode"] {
        let asked = format!("{registered}&lang=en&{name}=x");
        assert!(!matches(registered, &asked, true), "{asked}");
    }
}
