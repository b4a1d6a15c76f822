//! What `recordgate apply` refuses: all of it at once, each with its file and line, and nothing is changed.

use crate::terminal::operator::Operator;

#[track_caller]
fn complaint_of(file: &str) -> String {
    let operator = Operator::new();
    operator.file("bad.toml", file);
    let complaint = operator.run(&["apply", "bad.toml"]).failed(1);
    assert!(complaint.contains("Nothing was changed."), "{complaint}");
    assert!(!operator.data().exists(), "a file that is wrong by itself must not even make a database");
    complaint
}

/// A sound client with one line more or other.
fn client(kind: &str, line: &str) -> String {
    let user = "redirect_uris = [\"https://a.example/\"]\nscopes = [\"PATIENT\"]\n";
    let own = if kind == "user" { user } else { "" };
    let key = line.split(' ').next().unwrap();
    let kept: String = own.lines().filter(|own| !own.starts_with(key)).map(|own| format!("{own}\n")).collect();
    format!("[[client]]\nclient_id = \"c\"\nkind = \"{kind}\"\nowner = \"o\"\nproduct = \"p\"\n{kept}{line}\n")
}

#[test]
fn an_unknown_key_is_named_with_its_line_and_the_nearest_known_one() {
    let complaint =
        complaint_of("[[organisation]]\npublic_id = \"6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01\"\nnme = \"x\"\n");
    assert!(complaint.contains("bad.toml:3: unknown key organisation.nme; did you mean name?"), "{complaint}");
    let complaint = complaint_of("[[organization]]\nname = \"x\"\n");
    assert!(complaint.contains("bad.toml:1: unknown key organization; did you mean organisation?"), "{complaint}");
}

#[test]
fn what_is_not_toml_is_named_with_its_line() {
    let complaint = complaint_of("[[organisation]]\nname = \"x\n");
    assert!(complaint.contains("bad.toml:2:"), "{complaint}");
}

#[test]
fn every_problem_of_every_file_is_told_at_once() {
    let operator = Operator::new();
    operator.file("one.toml", "[[team]]\npublic_id = \"team-1\"\norganisation = \"x\"\nname = \"\"\n");
    operator.file("two.toml", "[[user]]\nusername = \"a b\"\ntype = \"DOCTOR\"\nname = 5\n");
    let complaint = operator.run(&["apply", "one.toml", "two.toml"]).failed(1);
    for part in [
        "one.toml:1: team : public_id",
        "one.toml:1: team : organisation",
        "one.toml:1: team : name",
        "two.toml:1: user a b: username",
        "two.toml:1: user a b: type",
        "two.toml:4: user.name must be a text in quotes",
    ] {
        assert!(complaint.contains(part), "{part} is not in:\n{complaint}");
    }
}

#[test]
fn a_client_must_fit_its_kind() {
    for (kind, line, part) in [
        ("robot", "", "kind = \"robot\" will not do; it must be user, system or tethered"),
        ("user", "redirect_uris = []", "redirect_uris is missing"),
        ("user", "redirect_uris = [\"http://a.example/\"]", "must use https"),
        ("user", "redirect_uris = [\"javascript:alert(1)\"]", "must not use the scheme javascript"),
        ("user", "scopes = []", "scopes is missing"),
        ("user", "scopes = [\"SITE\"]", "scopes = \"SITE\" will not do"),
        ("user", "secret = \"fifteen-letters\"", "shorter than 16 characters"),
        ("user", "session = \"90\"", "session = \"90\" will not do"),
        ("user", "session = \"0d\"", "session = \"0d\" will not do"),
        ("user", "access_token = \"25h\"", "at most 1d"),
        ("user", "refresh_retry_seconds = 61", "refresh_retry_seconds must be from 0 to 60"),
        ("user", "refresh_retry_seconds = -1", "refresh_retry_seconds must be from 0 to 60"),
        ("user", "scope_echo = \"upper\"", "lower or as-requested"),
        ("system", "session = \"90d\"", "session is not for a System Client"),
        ("system", "refresh_tokens = true", "refresh_tokens is not for a System Client"),
        ("system", "scopes = [\"PATIENT\"]", "scopes is not for a System Client"),
        ("system", "scopes = [\"patient/*.rs\"]", "the scope patient/*.rs is not for a System Client"),
        (
            "system",
            "default_organisation = \"6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01\"",
            "default_organisation is for a System",
        ),
        ("system", "default_organisation = \"riverside\"", "the public id of an organisation, a UUID"),
        ("user", "scopes = [\"system/*.rs\"]", "the scope system/*.rs is not for a User Client"),
        ("tethered", "scopes = [\"system/*.rs\"]", "scopes is not for a Tethered-Token System Client"),
        ("tethered", "secret = \"a-secret-of-more-than-16\"", "secret is not for a Tethered-Token System Client"),
        ("tethered", "may_introspect = true", "may_introspect is not for a Tethered-Token System Client"),
        ("user", "pkce = \"never\"", "pkce = \"never\" will not do; it must be when-sent"),
        ("user", "pkce = \"when-sent\"\nrequire_pkce = true", "contradict each other"),
        ("user", "launch_url = \"https://a.example/launch\"", "launch_url needs the scope launch"),
        ("user", "launch_url = \"http://a.example/launch\"", "must use https"),
        ("user", "launch_url = \"sleepdiary:/launch\"", "must begin with https://"),
        ("system", "launch_url = \"https://a.example/launch\"", "launch_url is not for a System Client"),
        ("user", "post_logout_redirect_uris = [\"data:bye\"]", "post_logout_redirect_uris \"data:bye\" must not use"),
        ("system", "require_par = true", "require_par is not for a System Client"),
        ("tethered", "require_pkce = true", "require_pkce is not for a Tethered-Token System Client"),
    ] {
        let complaint = complaint_of(&client(kind, line));
        assert!(complaint.contains("client c: "), "{complaint}");
        assert!(complaint.contains(part), "{kind} with {line}: {part} is not in:\n{complaint}");
    }
}

#[test]
fn a_secret_that_will_not_do_is_not_repeated() {
    let complaint = complaint_of(&client("user", "secret = \"fifteen-letters\""));
    assert!(!complaint.contains("fifteen-letters"), "{complaint}");
}

#[test]
fn a_user_must_fit_their_type() {
    for (lines, part) in [
        ("type = \"PATIENT\"\npassword = \"x\"", "patient is missing"),
        ("type = \"CLINICIAN\"\npassword = \"x\"\npatient = \"p\"", "patient is for a PATIENT only"),
        ("type = \"PATIENT\"\npassword = \"x\"\npatient = \"a/b\"", "a FHIR id"),
        ("type = \"ADMIN\"\npassword = \"\"", "the password is empty"),
        ("type = \"ADMIN\"\npassword_hash = \"$2b$12$abc\"", "must be an argon2id string"),
        ("type = \"ADMIN\"\npassword = \"x\"\npassword_hash = \"y\"", "give one of them"),
        ("type = \"ADMIN\"\npassword = \"x\"\nteams = [\"a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b01\"]", "not for an ADMIN"),
        ("type = \"CLINICIAN\"\npassword = \"x\"\nteams = [\"clinic\"]", "the UUIDs of teams"),
    ] {
        let complaint = complaint_of(&format!("[[user]]\nusername = \"u\"\nname = \"U\"\n{lines}\n"));
        assert!(complaint.contains(part), "{lines}: {part} is not in:\n{complaint}");
    }
}

#[test]
fn what_is_declared_twice_is_told_with_both_places() {
    let file = "[[user]]\nusername = \"Root\"\npassword = \"x\"\ntype = \"ADMIN\"\nname = \"R\"\n";
    let complaint = complaint_of(&format!("{file}{}", file.replace("Root", "root")));
    assert!(complaint.contains("bad.toml:6: user root: is declared at bad.toml:1 already"), "{complaint}");
}

#[test]
fn what_refers_to_nothing_is_told_and_nothing_of_the_file_is_kept() {
    let operator = Operator::with_world();
    let file = r#"
[[team]]
public_id = "a3d0c7de-41f7-4f0c-8d6e-5b1f7c2e9b02"
organisation = "00000000-0000-4000-8000-000000000000"
name = "Lost Clinic"
[[user]]
username = "zoe"
type = "ADMIN"
name = "Zoe"
[[client]]
client_id = "letter-sender"
kind = "tethered"
owner = "o"
product = "p"
[[organisation_grant]]
organisation = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"
client = "sleep-diary"
[[organisation_grant]]
organisation = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a01"
client = "nobody"
[[organisation]]
public_id = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a09"
name = "Sound Hospital"
"#;
    operator.file("bad.toml", file);
    let complaint = operator.run(&["apply", "bad.toml"]).failed(1);
    for part in [
        "bad.toml:2: team Lost Clinic: there is no organisation 00000000-0000-4000-8000-000000000000",
        "bad.toml:6: user zoe: has no password",
        "bad.toml:10: client letter-sender: is registered as a System Client",
        "bad.toml:15: organisation_grant to sleep-diary: it is a User Client",
        "bad.toml:18: organisation_grant to nobody: there is no such client",
    ] {
        assert!(complaint.contains(part), "{part} is not in:\n{complaint}");
    }
    assert!(!operator.run(&["organisation", "list"]).fine().contains("Sound Hospital"));
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let complaint = Operator::new().run(&["apply", "nowhere.toml"]).failed(1);
    assert!(complaint.contains("nowhere.toml cannot be read"), "{complaint}");
}
