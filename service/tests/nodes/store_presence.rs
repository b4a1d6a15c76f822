//! On PostgreSQL too, only `serve`, `sandbox` and `apply` make a store: any other command leaves an empty database empty.

use crate::terminal::operator::Operator;
use crate::terminal::world::WORLD;

const TABLES: &str = "SELECT count(*) FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')";

#[test]
fn a_command_other_than_those_leaves_an_empty_database_empty() {
    let mut operator = Operator::new();
    // A busy machine may take longer than a request should.
    operator.database = format!("{}?connect_timeout=60", cluster::shared().new_database());
    operator.file("world.toml", WORLD);
    let commands: [(&[&str], i32); 5] = [
        (&["client", "list"], 1),
        (&["organisation", "add", "Eastfield Surgery"], 1),
        (&["apply", "world.toml", "--dry-run"], 1),
        (&["ledger"], 1),
        (&["verify"], 3),
    ];
    for (command, status) in commands {
        let told = operator.run(command).failed(status);
        assert!(told.contains("there is no data in postgres://"), "{command:?}: {told}");
        assert_eq!(cluster::ask(&operator.database, TABLES).trim(), "0", "{command:?}");
    }
    operator.run(&["apply", "world.toml"]).fine();
    assert!(operator.run(&["client", "list"]).fine().contains("sleep-diary"));
}
