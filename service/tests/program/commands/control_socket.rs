//! Commands beside a running server, which holds the data directory: they reach it by its control socket.

use crate::terminal::operator::Operator;
use crate::terminal::world::{HOSPITAL, WORLD};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::process::Stdio;

const PATIENT: &str = r#"{"resourceType":"Patient","id":"amina-osei","name":[{"family":"Osei"}]}"#;

#[test]
fn every_sort_of_command_works_beside_a_running_server() {
    let operator = Operator::new();
    let _server = operator.serve();
    operator.file("world.toml", WORLD);
    operator.file("amina.json", PATIENT);
    assert!(operator.run(&["apply", "world.toml"]).fine().contains("8 created"));
    assert!(operator.run(&["apply", "world.toml"]).fine().contains("8 unchanged"));
    let imported = operator.run(&["import", "--organisation", HOSPITAL, "--json", "amina.json"]).json();
    assert_eq!(imported["stored"]["Patient"], 1);
    operator.run(&["client", "disable", "sleep-diary"]).fine();
    operator.run(&["client", "enable", "sleep-diary"]).fine();
    let issued = operator.run(&["grant", "issue", "--client", "sleep-diary", "--user", "amina", "--json"]).json();
    operator.run(&["grant", "revoke", issued["grant"].as_str().unwrap()]).fine();
    assert_eq!(operator.run(&["keys", "rotate", "--json"]).json().as_array().unwrap().len(), 2);
    assert!(operator.run(&["client", "show", "nobody"]).failed(1).contains("there is no client nobody"));
    let backup = operator.path("copy");
    operator.run(&["backup", "--to", "copy"]).fine();
    assert!(backup.join("records.sqlite").exists(), "the copy is where the command ran, not where the server did");
}

#[test]
fn a_second_server_does_not_start_on_the_same_data() {
    let operator = Operator::with_world();
    let _server = operator.serve();
    let complaint = operator.run(&["serve", "--listen", "127.0.0.1:0"]).failed(1);
    assert!(complaint.contains("is in use by another recordgate process"), "{complaint}");
}

#[test]
fn the_socket_is_for_the_owner_of_the_data_alone() {
    let operator = Operator::with_world();
    let _server = operator.serve();
    let mode = |path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(operator.data().join("control.sock")), 0o600);
    assert_eq!(mode(operator.data()), 0o700);
}

#[test]
fn the_socket_of_a_killed_server_is_in_nobodys_way() {
    let operator = Operator::with_world();
    operator.serve().kill();
    assert!(operator.data().join("control.sock").exists(), "a killed server cannot clean up");
    assert!(operator.run(&["client", "list"]).fine().contains("sleep-diary"));
    let _server = operator.serve();
    assert!(operator.run(&["client", "list"]).fine().contains("sleep-diary"));
}

#[test]
fn a_data_directory_may_lie_deeper_than_a_socket_path_is_long() {
    let mut operator = Operator::new();
    let deep = operator.path(&"deep/".repeat(40));
    std::fs::create_dir_all(&deep).unwrap();
    operator.database = format!("sqlite:{}", deep.join("data").display());
    operator.file("world.toml", WORLD);
    let _server = operator.serve();
    assert!(operator.run(&["apply", "world.toml"]).fine().contains("8 created"));
}

#[test]
fn the_servers_log_tells_of_the_change_and_of_no_secret() {
    let operator = Operator::new();
    let server = operator.serve();
    operator.file("world.toml", WORLD);
    let secret = operator.run(&["apply", "world.toml", "--json"]).json()["secrets"][0]["secret"].clone();
    let token = operator.run(&["grant", "issue", "--client", "sleep-diary", "--user", "amina", "--json"]).json();
    let log = server.kill();
    assert!(log.contains(r#""change":"apply""#) && log.contains(r#""change":"issue grants""#), "{log}");
    for unsaid in [secret.as_str().unwrap(), token["refresh_token"].as_str().unwrap(), "Lantern", "argon2"] {
        assert!(!log.contains(unsaid), "{log}");
    }
}

#[test]
fn a_command_waits_for_another_one_that_holds_the_data() {
    let operator = Operator::with_world();
    let add = |number| {
        let name = format!("Surgery {number}");
        let mut command = operator.command(&["organisation", "add", &name, "--database", "sqlite:data"]);
        command.stdout(Stdio::null()).spawn().unwrap()
    };
    let commands: Vec<_> = (0..6).map(add).collect();
    for mut command in commands {
        assert!(command.wait().unwrap().success());
    }
    assert_eq!(operator.run(&["organisation", "list", "--json"]).json().as_array().unwrap().len(), 7);
}

#[test]
fn an_issued_refresh_token_works_until_the_operator_revokes_its_grant() {
    let operator = Operator::with_world();
    let server = operator.serve();
    let issued = operator.run(&["grant", "issue", "--client", "sleep-diary", "--user", "amina", "--json"]).json();
    let refresh_token = server.refresh(issued["refresh_token"].as_str().unwrap()).member("refresh_token");
    operator.run(&["grant", "revoke", issued["grant"].as_str().unwrap()]).fine();
    let refused = server.refresh(&refresh_token);
    assert_eq!((refused.status, refused.json()["error"].as_str()), (400, Some("invalid_grant")));
}

#[test]
fn garbage_on_the_socket_ends_its_own_connection_only() {
    let operator = Operator::with_world();
    let _server = operator.serve();
    let mut connection = UnixStream::connect(operator.data().join("control.sock")).unwrap();
    connection.write_all(b"{\"Nonsense\":1}\n").unwrap();
    let mut answer = Vec::new();
    connection.read_to_end(&mut answer).unwrap();
    assert!(answer.is_empty());
    assert!(operator.run(&["client", "list"]).fine().contains("sleep-diary"));
}
