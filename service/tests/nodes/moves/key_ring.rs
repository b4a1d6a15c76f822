//! What becomes of the key ring.

use crate::moves::mover::{DIRECTIONS, Engine, Mover};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

/// Where a key ring is looked for when nobody says where.
fn place(mover: &Mover, engine: Engine, directory: &str) -> PathBuf {
    mover.operator.path(&if engine == Engine::Sqlite { format!("{directory}/keys") } else { "recordgate-keys".into() })
}

#[test]
fn the_ring_is_copied_to_where_it_will_be_looked_for_and_is_nobody_elses_to_read() {
    for direction in DIRECTIONS {
        let mover = Mover::new(direction);
        let (from, to) = (place(&mover, direction[0], "from"), place(&mover, direction[1], "to"));
        assert!(!to.exists());
        let told = mover.moved();
        assert_eq!(told["keys"].as_str(), to.to_str());
        assert_eq!(std::fs::read(&from).unwrap(), std::fs::read(&to).unwrap());
        assert_eq!(std::fs::metadata(&to).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn a_ring_that_was_named_goes_on_being_used_where_it_is() {
    for direction in DIRECTIONS {
        let mover = Mover::new(direction);
        std::fs::rename(place(&mover, direction[0], "from"), mover.operator.path("ring")).unwrap();
        let told = mover.run(&["move", "--from", &mover.from, "--to", &mover.to, "--keys", "ring", "--json"]).json();
        assert_eq!(told["keys"].as_str(), mover.operator.path("ring").to_str());
        assert!(!place(&mover, direction[1], "to").exists());
        mover.on(&mover.to, &["client", "list", "--keys", "ring"]).fine();
    }
}

#[test]
fn another_ring_in_the_way_is_kept_and_nothing_is_moved() {
    let direction = [Engine::Sqlite, Engine::Postgres];
    let mover = Mover::new(direction);
    let other = Mover::new(direction);
    let ring = std::fs::read(place(&other, Engine::Sqlite, "from")).unwrap();
    let theirs = place(&mover, Engine::Postgres, "to");
    std::fs::write(&theirs, &ring).unwrap();
    std::fs::set_permissions(&theirs, std::fs::Permissions::from_mode(0o600)).unwrap();
    let said = mover.run(&["move", "--from", &mover.from, "--to", &mover.to]).failed(1);
    assert!(said.contains("recordgate-keys is another key ring"), "{said}");
    assert_eq!(std::fs::read(&theirs).unwrap(), ring);
    assert_eq!(cluster::ask(&mover.to, "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), "0");
    std::fs::remove_file(&theirs).unwrap();
    mover.moved();
}

#[test]
fn sessions_are_not_moved_without_the_ring_that_sealed_their_tokens() {
    let mover = Mover::new([Engine::Sqlite, Engine::Postgres]);
    mover.issue();
    let ring = place(&mover, Engine::Sqlite, "from");
    let kept = mover.operator.path("kept");
    std::fs::rename(&ring, &kept).unwrap();
    let said = mover.run(&["move", "--from", &mover.from, "--to", &mover.to]).failed(1);
    assert!(said.contains("is missing while sessions exist"), "{said}");
    std::fs::rename(&kept, &ring).unwrap();
    mover.moved();
}
