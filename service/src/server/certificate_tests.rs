//! Tests of the certificate: which keys are taken, and what clients will not like.

use super::*;
use rcgen::{CertificateParams, KeyPair, date_time_ymd};

/// What there is in a certificate for these names, from 2020 to 2030, and its key in PEM.
fn made(names: &[&str]) -> (String, KeyPair) {
    let mut params = CertificateParams::new(names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>()).unwrap();
    params.not_before = date_time_ymd(2020, 1, 1);
    params.not_after = date_time_ymd(2030, 1, 1);
    let key = KeyPair::generate().unwrap();
    (params.self_signed(&key).unwrap().pem(), key)
}

fn read(certificate: &str, key: &str) -> Result<Certificate, CertificateTrouble> {
    let files = TlsFiles { certificate: "cert".into(), key: "key".into() };
    let text = PairText { certificate: certificate.into(), key: key.as_bytes().to_vec().into() };
    text.certificate(&files)
}

fn pem(label: &str, der: &[u8]) -> String {
    use base64::Engine;
    let text = base64::engine::general_purpose::STANDARD.encode(der);
    let lines: Vec<&str> = text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    format!("-----BEGIN {label}-----\n{}\n-----END {label}-----\n", lines.join("\n"))
}

#[test]
fn keys_are_taken_in_pkcs_8_and_in_sec_1() {
    let (certificate, key) = made(&["localhost"]);
    assert!(read(&certificate, &key.serialize_pem()).is_ok());
    // In PKCS#8 the key of P-256 is an octet string behind the version and the algorithm.
    let der = key.serialize_der();
    let at = der.windows(3).rposition(|bytes| bytes == [2, 1, 1]).unwrap() - 2;
    assert!(read(&certificate, &pem("EC PRIVATE KEY", &der[at..])).is_ok());
}

#[test]
fn an_rsa_key_in_pkcs_1_is_understood() {
    use rsa::pkcs1::EncodeRsaPrivateKey;
    let key = rsa::RsaPrivateKey::new(&mut rsa::rand_core::UnwrapErr(getrandom::SysRng), 2048).unwrap();
    let (certificate, _) = made(&["localhost"]);
    let pkcs1 = pem("RSA PRIVATE KEY", key.to_pkcs1_der().unwrap().as_bytes());
    assert!(matches!(read(&certificate, &pkcs1), Err(CertificateTrouble::Mismatch { .. })));
}

#[test]
fn what_holds_something_else_is_told_apart() {
    let (certificate, key) = made(&["localhost"]);
    let key = key.serialize_pem();
    assert!(matches!(read(&key, &key), Err(CertificateTrouble::NoCertificate(_))));
    assert!(matches!(read(&certificate, &certificate), Err(CertificateTrouble::NoKey(_))));
    let torn = &certificate[..certificate.len() / 2];
    assert!(matches!(read(torn, &key), Err(CertificateTrouble::NotPem { .. })));
    assert!(matches!(read(&pem("CERTIFICATE", b"none"), &key), Err(CertificateTrouble::Unusable { .. })));
    assert!(matches!(read(&certificate, &pem("PRIVATE KEY", b"none")), Err(CertificateTrouble::UnusableKey(_))));
}

#[test]
fn clients_do_not_like_one_that_is_out_of_date_or_for_another_host() {
    let (certificate, key) = made(&["records.example.org", "127.0.0.1"]);
    let certificate = read(&certificate, &key.serialize_pem()).unwrap();
    let url = "https://records.example.org:8443/gate";
    let on = |day: &str, url: &str| {
        let moment = when::of_instant(&format!("{day}T12:00:00Z")).unwrap();
        certificate.concerns(moment, url)
    };
    assert_eq!(on("2026-01-01", url), Vec::<String>::new());
    assert_eq!(on("2026-01-01", "https://127.0.0.1:8080"), Vec::<String>::new());
    assert_eq!(on("2031-01-01", url), ["it ended at 2030-01-01T00:00:00.000Z"]);
    assert_eq!(on("2019-01-01", url), ["it begins at 2020-01-01T00:00:00.000Z"]);
    let other = on("2026-01-01", "https://other.example.org");
    assert_eq!(other, ["it is not for other.example.org, the host of base_url"]);
}

#[test]
fn the_host_of_a_url_is_found_without_its_port() {
    for (url, expected) in [("https://a.example/x:1", "a.example"), ("https://[::1]:8443", "::1"), ("https://b:1", "b")]
    {
        assert_eq!(host(url), expected);
    }
}
