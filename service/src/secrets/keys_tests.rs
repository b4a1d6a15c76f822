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
            Keys::open(&path, false, Some("store")).unwrap().ids()
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
    let [one, other] = [(); 2].map(|()| Keys::open(&path, false, Some("store")).unwrap());
    let mut ring = one.read().unwrap();
    ring.add().unwrap();
    one.write(&ring).unwrap();
    let sealed = one.seal(PREFIX, b"content").unwrap();
    assert_eq!(other.open_sealed(PREFIX, &sealed).as_deref(), Some(&b"content"[..]));
}

#[test]
fn what_another_process_retired_opens_nothing_once_the_file_is_looked_at() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let [one, other] = [(); 2].map(|()| Keys::open(&path, false, Some("store")).unwrap());
    let sealed = other.seal(PREFIX, b"content").unwrap();
    let first = one.ids().remove(0);
    let mut ring = one.read().unwrap();
    ring.add().unwrap();
    one.write(&ring).unwrap();
    let mut ring = one.read().unwrap();
    assert!(ring.remove(&[first]));
    one.write(&ring).unwrap();
    other.take(other.changed().unwrap().expect("it has changed"));
    assert_eq!(other.open_sealed(PREFIX, &sealed), None);
    assert!(other.changed().unwrap().is_none(), "nothing has changed since");
}

#[test]
fn a_file_that_will_not_do_leaves_the_ring_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let keys = Keys::open(&path, false, Some("store")).unwrap();
    let sealed = keys.seal(PREFIX, b"content").unwrap();
    std::fs::write(&path, "no key at all\n").unwrap();
    assert!(matches!(keys.changed(), Err(KeyTrouble::Malformed(_, 1))));
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(keys.changed(), Err(KeyTrouble::Io(..))));
    assert!(keys.open_sealed(PREFIX, &sealed).is_some());
}

/// A ring of the format before: no store, no checksums.
fn earlier(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap();
    let lines = text.lines().filter(|line| !line.starts_with("# store"));
    lines
        .map(|line| {
            if line.starts_with('#') { format!("{line}\n") } else { format!("{}\n", line.rsplit_once(' ').unwrap().0) }
        })
        .collect()
}

#[test]
fn a_changed_character_of_any_line_is_an_error_that_names_the_line_and_not_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    Keys::open(&path, false, Some("store")).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let (number, line) = text.lines().enumerate().find(|(_, line)| !line.starts_with('#')).unwrap();
    let start = text.find(line).unwrap();
    for at in 0..line.len() {
        let mut changed = text.clone().into_bytes();
        changed[start + at] = if changed[start + at] == b'A' { b'B' } else { b'A' };
        std::fs::write(&path, changed).unwrap();
        let refused = Keys::open(&path, true, None).expect_err("a changed line");
        let named = matches!(refused, KeyTrouble::Malformed(_, n) | KeyTrouble::Changed(_, n) if n == number + 1);
        assert!(named, "character {at}: {refused}");
        assert!(!refused.to_string().contains(&line[7..40]), "the key is not told");
    }
    std::fs::write(&path, text.replace(line, line.rsplit_once(' ').unwrap().0)).unwrap();
    assert!(matches!(Keys::open(&path, true, None), Err(KeyTrouble::Changed(..))), "nor is a checksum lost unnoticed");
}

#[test]
fn lines_of_an_earlier_release_are_read_and_get_their_checksums_when_the_ring_is_next_written() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let sealed = Keys::open(&path, false, Some("store")).unwrap().seal(PREFIX, b"content").unwrap();
    std::fs::write(&path, earlier(&path)).unwrap();
    let keys = Keys::open(&path, true, None).unwrap();
    assert!(keys.open_sealed(PREFIX, &sealed).is_some());
    let mut ring = keys.read().unwrap();
    assert_eq!(ring.store(), None);
    ring.add().unwrap();
    ring.set_store("store".into());
    keys.write(&ring).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let words: Vec<usize> =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(' ').count()).collect();
    assert_eq!(words, [3, 3]);
    assert!(keys.open_sealed(PREFIX, &sealed).is_some());
}

#[test]
fn a_ring_that_is_another_altogether_opens_nothing_before_it_was_held_to_the_database() {
    let folder = tempfile::tempdir().unwrap();
    let [path, other] = ["keys", "other"].map(|name| folder.path().join(name));
    let [keys, foreign] = [&path, &other].map(|path| Keys::open(path, false, None).unwrap());
    let sealed = foreign.seal(PREFIX, b"content").unwrap();
    std::fs::rename(&other, &path).unwrap();
    assert_eq!(keys.open_sealed(PREFIX, &sealed), None);
}

#[test]
fn a_ring_that_is_opened_to_others_is_noticed() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    let keys = Keys::open(&path, false, None).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
    assert!(matches!(keys.changed(), Err(KeyTrouble::ReadableByOthers(_, 0o644))));
}
