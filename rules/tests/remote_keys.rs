//! Keys of clients by URL: which addresses are gone to, which URLs may be registered, and for how long an answer is good.
#![expect(clippy::unwrap_used, reason = "an address that a test writes is one")]

use rules::key_freshness::{StatedLife, may_look_again, pause_seconds};
use rules::key_urls::{KeyEgress, KeyUrl, KeyUrlFault};
use rules::limits::{KEY_URL_BYTES, KEYS_GOOD_SECONDS, LONGEST_KEYS_GOOD_SECONDS, UNKNOWN_KEY_SECONDS};
use rules::networks::Network;
use std::net::IpAddr;

const STRICT: KeyEgress = KeyEgress { sandbox: false, private: false };
const PRIVATE: KeyEgress = KeyEgress { sandbox: false, private: true };
const SANDBOX: KeyEgress = KeyEgress { sandbox: true, private: false };

fn address(text: &str) -> IpAddr {
    text.parse().unwrap()
}

/// The first and the last address of every range, and where the range ends its neighbours.
#[test]
fn every_range_that_is_not_public_is_known_to_its_first_and_last_address() {
    use Network::{LinkLocal, Loopback, Private, Special};
    for (first, last, network) in [
        ("0.0.0.0", "0.255.255.255", Special),
        ("10.0.0.0", "10.255.255.255", Private),
        ("100.64.0.0", "100.127.255.255", Private),
        ("127.0.0.0", "127.255.255.255", Loopback),
        ("168.63.129.16", "168.63.129.16", LinkLocal),
        ("169.254.0.0", "169.254.255.255", LinkLocal),
        ("172.16.0.0", "172.31.255.255", Private),
        ("192.0.0.0", "192.0.0.255", Special),
        ("192.0.2.0", "192.0.2.255", Special),
        ("192.31.196.0", "192.31.196.255", Special),
        ("192.52.193.0", "192.52.193.255", Special),
        ("192.88.99.0", "192.88.99.255", Special),
        ("192.168.0.0", "192.168.255.255", Private),
        ("198.18.0.0", "198.19.255.255", Special),
        ("198.51.100.0", "198.51.100.255", Special),
        ("203.0.113.0", "203.0.113.255", Special),
        ("224.0.0.0", "239.255.255.255", Special),
        ("240.0.0.0", "255.255.255.255", Special),
        ("::", "::", Special),
        ("::1", "::1", Loopback),
        ("::2", "::fffe:ffff:ffff", Special),
        ("100::", "100::ffff", Special),
        ("64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", Special),
        ("2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", Special),
        ("2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", Special),
        ("2002::", "2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Special),
        ("3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", Special),
        ("4000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Special),
        ("fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Private),
        ("fe00::", "fe7f:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Special),
        ("fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", LinkLocal),
        ("fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Special),
        ("ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", Special),
    ] {
        for end in [first, last] {
            assert_eq!(Network::of(address(end)), network, "{end}");
        }
    }
    for public in [
        "1.1.1.1",
        "9.255.255.255",
        "11.0.0.0",
        "100.63.255.255",
        "100.128.0.0",
        "126.255.255.255",
        "128.0.0.0",
        "168.63.129.17",
        "169.253.255.255",
        "172.15.255.255",
        "172.32.0.0",
        "192.0.1.0",
        "192.167.255.255",
        "198.17.255.255",
        "198.20.0.0",
        "223.255.255.255",
        "2000::1",
        "2001:200::",
        "2001:db7:ffff::",
        "2001:db9::",
        "2003::",
        "2a00:1450:4001:80b::200e",
        "3ffe:ffff::",
    ] {
        assert_eq!(Network::of(address(public)), Network::Public, "{public}");
    }
}

#[test]
fn an_ipv4_address_in_another_dress_is_what_it_is_without_it() {
    for (inner, network) in [
        ("127.0.0.1", Network::Loopback),
        ("10.1.2.3", Network::Private),
        ("169.254.169.254", Network::LinkLocal),
        ("224.0.0.1", Network::Special),
        ("1.1.1.1", Network::Public),
    ] {
        for dress in ["::ffff:", "64:ff9b::"] {
            assert_eq!(Network::of(address(&format!("{dress}{inner}"))), network, "{dress}{inner}");
        }
        assert_eq!(Network::of(address(&format!("::{inner}"))), Network::Special, "compatible {inner}");
    }
    // 6to4 and Teredo carry one too, and are refused whatever it is.
    assert_eq!(Network::of(address("2002:101:101::1")), Network::Special);
    assert_eq!(Network::of(address("2001:0:101:101::1")), Network::Special);
}

#[test]
fn a_url_is_read_into_what_is_connected_to_and_what_is_asked_for() {
    let read = |url| KeyUrl::read(url).unwrap();
    let url = read("https://keys.app-1.example/a/jwks.json?v=1");
    assert_eq!((url.is_tls, url.host, url.port, url.path), (true, "keys.app-1.example", 443, "/a/jwks.json?v=1"));
    assert_eq!((read("https://a.example").path, read("HTTPS://a.example:8443/").port), ("/", 8443));
    let url = read("https://[2a00::1]:1024/k");
    assert_eq!((url.host, url.authority, url.address()), ("2a00::1", "[2a00::1]:1024", Some(address("2a00::1"))));
    assert!(!read("http://localhost:4000/k").is_tls);
}

#[test]
fn what_is_no_such_url_is_refused_in_words() {
    use KeyUrlFault::{Fragment, Host, Malformed, NotHttps, PlainHttp, Port, UserInfo};
    let long = format!("https://a.example/{}", "k".repeat(KEY_URL_BYTES));
    for (url, fault) in [
        ("", Malformed),
        ("a.example/keys", Malformed),
        ("https:/a.example", Malformed),
        ("https://a.example/ä", Malformed),
        ("https://a.example/a b", Malformed),
        ("https://a.example/\r\nX: y", Malformed),
        ("https://a.example\\@b.example", Malformed),
        ("https://a.example?k", Malformed),
        (&long, Malformed),
        ("https://a.example/k#1", Fragment),
        ("ftp://a.example/k", NotHttps),
        ("file:///etc/passwd", NotHttps),
        ("https://me:pass@a.example/k", UserInfo),
        ("https://a.example@127.0.0.1/k", UserInfo),
        ("http://a.example:8080/k", PlainHttp),
        ("http://a.example/k", PlainHttp),
        ("http://127.0.0.2:8080/k", PlainHttp),
        ("https:///k", Host),
        ("https://a..example/k", Host),
        ("https://a.example./k", Host),
        ("https://-a.example/k", Host),
        ("https://a%2eexample/k", Host),
        ("https://127.1/k", Host),
        ("https://2130706433/k", Host),
        ("https://0x7f000001/k", Host),
        ("https://0177.0.0.1/k", Host),
        ("https://[::1/k", Host),
        ("https://[fe80::1%25eth0]/k", Host),
        ("https://[::1]x/k", Port),
        ("https://a.example:/k", Port),
        ("https://a.example:22/k", Port),
        ("https://a.example:+443/k", Port),
        ("https://a.example:65536/k", Port),
        ("http://localhost/k", Port),
    ] {
        assert_eq!(KeyUrl::read(url), Err(fault), "{url}");
        assert!(fault.words().starts_with("must") || fault.words().starts_with("has"), "{}", fault.words());
    }
    assert!(Malformed.words().contains(&KEY_URL_BYTES.to_string()));
}

#[test]
fn the_operator_decides_whether_the_service_goes_to_addresses_that_are_not_public() {
    for (url, strict, private, sandbox) in [
        ("https://a.example/k", true, true, true),
        ("https://1.1.1.1/k", true, true, true),
        ("https://10.0.0.1/k", false, true, false),
        ("https://[fd00::1]/k", false, true, false),
        ("https://[::ffff:10.0.0.1]/k", false, true, false),
        ("https://127.0.0.1/k", false, true, true),
        ("https://169.254.169.254/k", false, false, false),
        ("https://[fe80::1]/k", false, false, false),
        ("https://224.0.0.1/k", false, false, false),
        ("https://0.0.0.0/k", false, false, false),
        ("http://localhost:4000/k", false, false, true),
        ("http://127.0.0.1:4000/k", false, false, true),
        ("http://[::1]:4000/k", false, false, true),
    ] {
        let read = KeyUrl::read(url).unwrap();
        let judged = [STRICT, PRIVATE, SANDBOX].map(|egress| egress.judge(&read).is_ok());
        assert_eq!(judged, [strict, private, sandbox], "{url}");
    }
}

#[test]
fn what_a_name_leads_to_is_judged_like_what_a_url_says() {
    let (name, plain) =
        (KeyUrl::read("https://a.example/k").unwrap(), KeyUrl::read("http://localhost:4000/k").unwrap());
    assert!(STRICT.permits(&name, address("1.1.1.1")) && !STRICT.permits(&name, address("127.0.0.1")));
    assert!(PRIVATE.permits(&name, address("10.0.0.1")) && !PRIVATE.permits(&name, address("169.254.169.254")));
    // Plain http never leaves this machine, whatever its name is said to be.
    assert!(SANDBOX.permits(&plain, address("::1")) && !SANDBOX.permits(&plain, address("1.1.1.1")));
    assert!(!PRIVATE.permits(&plain, address("127.0.0.1")));
}

#[test]
fn an_answer_is_good_for_as_long_as_it_says_within_a_day() {
    let life = |cache_control, age, expires_in| StatedLife { cache_control, age, expires_in }.seconds();
    for (cache_control, age, expires_in, seconds) in [
        (None, None, None, KEYS_GOOD_SECONDS),
        (Some(""), None, None, KEYS_GOOD_SECONDS),
        (Some("public, must-revalidate"), None, None, KEYS_GOOD_SECONDS),
        (Some("max-age=60"), None, None, 60),
        (Some("public,Max-Age=\"60\" , immutable"), None, None, 60),
        (Some("max-age=60"), Some("45"), None, 15),
        (Some("max-age=60"), Some("61"), None, 1),
        (Some("max-age=60"), Some("soon"), None, 1),
        (Some("max-age=60, max-age=30"), None, None, 30),
        (Some("max-age=60"), None, Some(3600), 60),
        (Some("public"), Some("10"), Some(40), 30),
        (None, None, Some(0), 1),
        (None, None, Some(-5), 1),
        (Some("max-age=0"), None, None, 1),
        (Some("max-age=-1"), None, None, 1),
        (Some("max-age"), None, None, 1),
        (Some("no-store"), None, None, 1),
        (Some("max-age=600, No-Cache"), None, None, 1),
        (Some("max-age=99999999999999999999999"), None, None, LONGEST_KEYS_GOOD_SECONDS),
        (None, None, Some(i64::MAX), LONGEST_KEYS_GOOD_SECONDS),
    ] {
        assert_eq!(life(cache_control, age, expires_in), seconds, "{cache_control:?} {age:?} {expires_in:?}");
    }
}

#[test]
fn failures_make_the_pause_longer_and_an_unknown_key_is_looked_for_once_a_minute() {
    assert_eq!([1, 2, 3, 4, 100, u32::MAX].map(pause_seconds), [10, 20, 40, 60, 60, 60]);
    let ago = [None, Some(0), Some(UNKNOWN_KEY_SECONDS - 1), Some(UNKNOWN_KEY_SECONDS)];
    assert_eq!(ago.map(may_look_again), [true, false, false, true]);
}
