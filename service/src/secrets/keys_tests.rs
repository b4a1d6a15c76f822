//! Tests of a ring that several processes share.

use super::*;

const PREFIX: &str = "rgr_";

#[test]
fn of_many_who_start_at_once_one_makes_the_ring_for_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let together = std::sync::Barrier::new(16);
    let rings: Vec<Vec<String>> = std::thread::scope(|scope| {
        let open = || {
            together.wait();
            Keys::open(&path, false).unwrap().ids()
        };
        let all: Vec<_> = (0..16).map(|_| scope.spawn(open)).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert!(rings.iter().all(|ids| *ids == rings[0]), "{rings:?}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing is left beside it");
}

#[test]
fn what_another_process_seals_with_a_new_key_opens_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let [one, other] = [(); 2].map(|()| Keys::open(&path, false).unwrap());
    one.rotate().unwrap();
    let sealed = one.seal(PREFIX, b"content").unwrap();
    assert_eq!(other.open_sealed(PREFIX, &sealed).as_deref(), Some(&b"content"[..]));
}

#[test]
fn what_another_process_retired_opens_nothing_once_the_file_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let [one, other] = [(); 2].map(|()| Keys::open(&path, false).unwrap());
    let sealed = other.seal(PREFIX, b"content").unwrap();
    let first = one.ids().remove(0);
    one.rotate().unwrap();
    one.retire(&first).unwrap();
    assert!(other.reread().unwrap());
    assert_eq!(other.open_sealed(PREFIX, &sealed), None);
    assert!(!other.reread().unwrap(), "nothing has changed since");
}

#[test]
fn a_file_that_will_not_do_leaves_the_ring_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let keys = Keys::open(&path, false).unwrap();
    let sealed = keys.seal(PREFIX, b"content").unwrap();
    std::fs::write(&path, "no key at all\n").unwrap();
    assert!(matches!(keys.reread(), Err(KeyTrouble::Malformed(_, 1))));
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(keys.reread(), Err(KeyTrouble::Io(..))));
    assert!(keys.open_sealed(PREFIX, &sealed).is_some());
}
