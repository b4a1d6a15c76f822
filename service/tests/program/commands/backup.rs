//! `recordgate backup`: a copy that can be used as it is, without the key ring.

use crate::terminal::operator::Operator;

#[test]
fn a_copy_holds_the_data_but_not_the_keys() {
    let operator = Operator::with_world();
    operator.run(&["grant", "issue", "--client", "sleep-diary", "--user", "amina"]).fine();
    let printed = operator.run(&["backup", "--to", "copy"]).fine();
    assert!(printed.contains("the key ring is not in it"), "{printed}");
    assert!(!operator.path("copy/keys").exists());

    let on_copy = |arguments: &[&str]| {
        let mut command = operator.command(arguments);
        let output = command.args(["--database", "sqlite:copy"]).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    let (code, _, complaint) = on_copy(&["grant", "list"]);
    assert_eq!(code, Some(1));
    assert!(complaint.contains("the key ring copy/keys is missing while sessions exist"), "{complaint}");

    let (code, restored, complaint) = on_copy(&["grant", "list", "--keys", "data/keys", "--json"]);
    assert_eq!(code, Some(0), "{complaint}");
    assert_eq!(restored, operator.run(&["grant", "list", "--json"]).fine());
    let (_, clients, _) = on_copy(&["client", "list", "--keys", "data/keys", "--json"]);
    assert_eq!(clients, operator.run(&["client", "list", "--json"]).fine());
}

#[test]
fn a_copy_never_overwrites_what_is_there() {
    let operator = Operator::with_world();
    operator.file("copy", "mine");
    let complaint = operator.run(&["backup", "--to", "copy"]).failed(1);
    assert!(complaint.contains("is there already; name a new directory"), "{complaint}");
}
