//! Clients that sign: registered by file or command, shown, rotated, and refused where their keys will not do.

use crate::terminal::operator::Operator;

const FIRST: &str = r#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo","kid":"first"}"#;
const SECOND: &str =
    r#"{"kty":"OKP","crv":"Ed25519","x":"7cw0dmRDpYy3kfnmyNYXj0pFfJ6iWo2Q3eEo4aVhVkU","kid":"second"}"#;

fn set(keys: &[&str]) -> String {
    format!(r#"{{"keys":[{}]}}"#, keys.join(","))
}

fn signer(more: &str) -> String {
    format!("[[client]]\nclient_id = \"signer\"\nkind = \"system\"\nowner = \"Lab\"\nproduct = \"Results\"\n{more}\n")
}

#[test]
fn a_system_client_with_keys_in_the_file_gets_no_secret_and_is_shown_with_its_key_ids() {
    let operator = Operator::with_world();
    operator.file("signer.toml", &signer(&format!("jwks = '{}'", set(&[FIRST, SECOND]))));
    let printed = operator.run(&["apply", "signer.toml"]).fine();
    assert!(printed.contains("1 created") && !printed.contains("rgs_"), "{printed}");
    assert!(operator.run(&["apply", "signer.toml"]).fine().contains("1 unchanged"));
    let shown = operator.run(&["client", "show", "signer", "--json"]).json();
    assert_eq!(shown["authentication"], "private_key_jwt");
    assert_eq!(shown["key_ids"], serde_json::json!(["first", "second"]));
    assert_eq!(shown["has_secret"], false);
    let listed = operator.run(&["client", "list"]).fine();
    let line = listed.lines().find(|line| line.starts_with("signer")).unwrap();
    assert!(line.contains("private_key_jwt"), "{line}");
    let complaint = operator.run(&["client", "rotate-secret", "signer"]).failed(1);
    assert!(complaint.contains("signs with keys of its own"), "{complaint}");
}

#[test]
fn keys_that_will_not_do_are_named_with_file_and_line() {
    let operator = Operator::with_world();
    let private = FIRST.replace("\"kid\"", "\"d\":\"nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A\",\"kid\"");
    for (more, told) in [
        (format!("jwks = '{}'", set(&[&private])), "holds private or shared key material"),
        (format!("jwks = '{}'\nsecret = \"a-secret-of-sixteen\"", set(&[FIRST])), "give one of them"),
        ("jwks = '{'".into(), "jwks is no JSON"),
        (format!("jwks = '{}'", set(&[])), "1 to 10"),
    ] {
        operator.file("signer.toml", &signer(&more));
        let complaint = operator.run(&["apply", "signer.toml"]).failed(1);
        assert!(complaint.contains("signer.toml:1: client signer: ") && complaint.contains(told), "{complaint}");
        assert!(!complaint.contains("nWGxne"), "{complaint}");
    }
    let tethered = signer(&format!("jwks = '{}'", set(&[FIRST]))).replace("\"system\"", "\"tethered\"");
    operator.file("signer.toml", &tethered);
    assert!(operator.run(&["apply", "signer.toml"]).failed(1).contains("jwks is not for a Tethered-Token"));
}

#[test]
fn a_client_is_added_with_keys_and_given_others() {
    let operator = Operator::with_world();
    operator.file("first.json", &set(&[FIRST]));
    operator.file("both.json", &set(&[FIRST, SECOND]));
    operator.file("none.json", "{}");
    let add = ["client", "add", "--kind", "system", "--owner", "Lab", "--product", "Results", "--client-id", "lab"];
    let printed = operator.run(&[add.as_slice(), &["--jwks", "first.json"]].concat()).fine();
    assert!(!printed.contains("rgs_"), "{printed}");
    for (file, changed) in [("first.json", false), ("both.json", true), ("both.json", false), ("first.json", true)] {
        let done = operator.run(&["client", "change", "lab", "--jwks", file, "--json"]).json();
        assert_eq!(done["changed"], changed, "{file}");
    }
    assert!(operator.run(&["client", "change", "lab", "--jwks", "none.json"]).failed(2).contains("must be a JWK Set"));
    assert!(
        operator.run(&["client", "change", "nobody", "--jwks", "first.json"]).failed(1).contains("no client nobody")
    );
    let complaint = operator.run(&["client", "change", "clinic-link", "--jwks", "first.json"]).failed(1);
    assert!(complaint.contains("jwks is not for it"), "{complaint}");
}

#[test]
fn a_backend_service_is_registered_with_its_scopes_and_for_whom_it_acts() {
    let operator = Operator::with_world();
    let organisation = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01";
    let more = |scopes: &str| {
        format!("jwks = '{}'\nscopes = [{scopes}]\ndefault_organisation = \"{organisation}\"", set(&[FIRST]))
    };
    operator.file("signer.toml", &signer(&more("\"system/Patient.rs\", \"system/Observation.read\"")));
    operator.run(&["apply", "signer.toml"]).fine();
    assert!(operator.run(&["apply", "signer.toml"]).fine().contains("1 unchanged"));
    let shown = operator.run(&["client", "show", "signer", "--json"]).json();
    assert_eq!(shown["scopes"], serde_json::json!(["system/Patient.rs", "system/Observation.read"]));
    assert_eq!((&shown["default_organisation"], &shown["access_token"]), (&organisation.into(), &"5m".into()));
    assert!(operator.run(&["client", "show", "signer"]).fine().contains(organisation));
    operator.file("first.json", &set(&[FIRST]));
    let add =
        ["client", "add", "--kind", "system", "--smart", "--owner", "Lab", "--product", "Lab", "--client-id", "lab"];
    operator.run(&[add.as_slice(), &["--jwks", "first.json"]].concat()).fine();
    let shown = operator.run(&["client", "show", "lab", "--json"]).json();
    assert_eq!((&shown["scopes"], &shown["user_types"]), (&serde_json::json!(["system/*.rs"]), &serde_json::json!([])));
    let many: Vec<String> = (0..30).map(|code| format!("\"system/Observation.rs?code=c{code}\"")).collect();
    operator.file("signer.toml", &signer(&more(&many.join(", "))));
    let complaint = operator.run(&["apply", "signer.toml"]).failed(1);
    assert!(complaint.contains("a token of a System Client says at most 640"), "{complaint}");
}

#[test]
fn keys_can_be_at_a_url_instead_and_are_shown_so() {
    let operator = Operator::with_world();
    operator.file("first.json", &set(&[FIRST]));
    let url = "https://lab.example/jwks.json";
    let add = ["client", "add", "--kind", "system", "--smart", "--owner", "Lab", "--product", "Lab", "--client-id"];
    let printed = operator.run(&[add.as_slice(), &["lab", "--jwks-url", url]].concat()).fine();
    assert!(!printed.contains("rgs_"), "{printed}");
    let shown = || operator.run(&["client", "show", "lab", "--json"]).json();
    assert_eq!((&shown()["jwks_url"], &shown()["authentication"]), (&url.into(), &"private_key_jwt".into()));
    assert!(operator.run(&["client", "show", "lab"]).fine().contains(url));
    let moved = "https://keys.lab.example/jwks.json";
    for (to, changed) in [(["--jwks-url", url], false), (["--jwks-url", moved], true), (["--jwks", "first.json"], true)]
    {
        let done = operator.run(&[&["client", "change", "lab", "--json"], to.as_slice()].concat()).json();
        assert_eq!(done["changed"], changed, "{to:?}");
    }
    assert_eq!((shown()["jwks_url"].is_null(), &shown()["key_ids"]), (true, &serde_json::json!(["first"])));
    operator.run(&["client", "change", "lab", "--jwks-url", url]).fine();
    assert_eq!(shown()["key_ids"], serde_json::json!([]));
    operator.file("signer.toml", &signer(&format!("jwks_url = \"{url}\"\nscopes = [\"system/*.rs\"]")));
    operator.run(&["apply", "signer.toml"]).fine();
    assert!(operator.run(&["apply", "signer.toml"]).fine().contains("1 unchanged"));
    assert!(operator.run(&["client", "rotate-secret", "signer"]).failed(1).contains("--jwks-url URL"));
    assert!(operator.run(&["client", "add", "--help"]).fine().contains("--jwks-url <URL>"));
}

#[test]
fn a_url_that_will_not_do_is_told_in_words() {
    let operator = Operator::with_world();
    for (more, told) in [
        (format!("jwks_url = \"https://a.example\"\njwks = '{}'", set(&[FIRST])), "two places of its keys"),
        ("jwks_url = \"https://a.example\"\nsecret = \"a-secret-of-sixteen\"".into(), "give one of them"),
        ("jwks_url = \"http://a.example/keys\"".into(), "jwks_url must use https"),
        ("jwks_url = \"http://127.0.0.1:4000/keys\"".into(), "while a sandbox runs"),
        ("jwks_url = \"https://10.0.0.1/keys\"".into(), "jwks.allow_private permits"),
        ("jwks_url = \"https://me@a.example/keys\"".into(), "must not contain a user name"),
        ("jwks_url = \"https://a.example/keys#a\"".into(), "must not have a fragment"),
    ] {
        operator.file("signer.toml", &signer(&more));
        let complaint = operator.run(&["apply", "signer.toml"]).failed(1);
        assert!(complaint.contains("signer") && complaint.contains(told), "{complaint}");
    }
    let tethered = signer("jwks_url = \"https://a.example/keys\"").replace("\"system\"", "\"tethered\"");
    operator.file("signer.toml", &tethered);
    assert!(operator.run(&["apply", "signer.toml"]).failed(1).contains("jwks_url is not for a Tethered-Token"));
    assert!(operator.run(&["client", "change", "letter-sender"]).failed(2).contains("--jwks"));
}

#[test]
fn keys_take_the_place_of_a_secret_and_a_secret_that_of_keys() {
    let operator = Operator::with_world();
    operator.file("first.json", &set(&[FIRST]));
    let authentication =
        || operator.run(&["client", "show", "letter-sender", "--json"]).json()["authentication"].clone();
    assert_eq!(authentication(), "client_secret");
    operator.run(&["client", "change", "letter-sender", "--jwks", "first.json"]).fine();
    assert_eq!(authentication(), "private_key_jwt");
    // A file that names neither changes neither.
    operator.declare();
    assert_eq!(authentication(), "private_key_jwt");
    let given = signer("secret = \"a-secret-of-sixteen\"").replace("\"signer\"", "\"letter-sender\"");
    operator.file("secret.toml", &given);
    operator.run(&["apply", "secret.toml"]).fine();
    assert_eq!(authentication(), "client_secret");
    assert_eq!(operator.run(&["client", "show", "sleep-diary", "--json"]).json()["authentication"], "none");
}
