//! The key ring and its database: a ring that is another's is refused, at the start and when it is read again.

use crate::kit::place;
use rules::moment::Moment;
use service::app::{CannotOpen, key_ring};
use service::secrets::keys::{KeyTrouble, Keys};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use store::{Place, Store, ring};

const START: Moment = Moment(1_794_735_000_000);
const PREFIX: &str = "rgr_";

/// A database and a place for key rings, gone with the test.
struct House {
    store: Arc<Store>,
    folder: tempfile::TempDir,
}

impl House {
    async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&Place::Sqlite(folder.path().join("data")), 1).await.unwrap();
        Self { store: Arc::new(store), folder }
    }

    fn ring(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    async fn open(&self, ring: &Path) -> Result<Keys, CannotOpen> {
        key_ring::open(&self.store, ring, START).await
    }

    /// Opens the ring as a node does that goes on to seal with it.
    async fn serves(&self, ring: &Path) -> Keys {
        let keys = self.open(ring).await.unwrap();
        key_ring::note_sealing(&self.store, &keys, &mut None, START).await.unwrap();
        keys
    }

    async fn refusal(&self, ring: &Path) -> KeyTrouble {
        match self.open(ring).await {
            Err(CannotOpen::Keys(trouble)) => trouble,
            other => panic!("{other:?}"),
        }
    }
}

fn lines(path: &Path) -> Vec<String> {
    std::fs::read_to_string(path).unwrap().lines().map(String::from).collect()
}

fn write_lines(path: &Path, lines: &[String]) {
    std::fs::write(path, lines.iter().map(|line| format!("{line}\n")).collect::<String>()).unwrap();
}

/// The file as a release before wrote it: nothing says whose it is, and lines have no checksums.
fn as_before(path: &Path) {
    let kept = lines(path).into_iter().filter(|line| !line.starts_with('#'));
    let cut: Vec<String> = kept.map(|line| line.rsplit_once(' ').unwrap().0.to_owned()).collect();
    write_lines(path, &cut);
}

/// One database's ring at another: said to be another store's, and an old ring, which does not say whose it is, unknown.
// gaps: Sessions and tokens > Whose key ring it is
#[tokio::test]
async fn the_ring_of_another_database_is_refused() {
    let (house, other) = (House::new().await, House::new().await);
    house.serves(&house.ring("keys")).await;
    let foreign = other.ring("keys");
    other.serves(&foreign).await;
    assert!(matches!(house.refusal(&foreign).await, KeyTrouble::OfAnotherStore(_)));
    as_before(&foreign);
    let refused = house.refusal(&foreign).await;
    assert!(matches!(refused, KeyTrouble::Unknown(..)), "{refused}");
    assert!(
        refused.to_string().contains("--keys") && refused.to_string().contains("recordgate keys adopt"),
        "{refused}"
    );
}

#[tokio::test]
async fn one_changed_character_of_a_line_without_a_checksum_is_known_by_the_database() {
    let house = House::new().await;
    let path = house.ring("keys");
    house.serves(&path).await;
    as_before(&path);
    house.open(&path).await.expect("the same keys");
    let line = lines(&path).remove(0);
    let changed = format!("{}{}", &line[..20], if line.as_bytes()[20] == b'A' { "B" } else { "A" }) + &line[21..];
    write_lines(&path, &[changed]);
    let refused = house.refusal(&path).await;
    assert!(matches!(refused, KeyTrouble::Mismatch(..)), "{refused}");
    assert!(!refused.to_string().contains(&line[7..30]), "the key is not told");
}

#[tokio::test]
async fn a_ring_that_lost_a_key_which_sealed_is_refused_until_that_key_is_retired() {
    let house = House::new().await;
    let path = house.ring("keys");
    let first = house.serves(&path).await.ids().remove(0);
    let keys = house.serves(&path).await;
    key_ring::rotate(&house.store, &keys, START).await.unwrap();
    let cut: Vec<String> = lines(&path).into_iter().filter(|line| !line.starts_with(&first)).collect();
    write_lines(&path, &cut);
    let refused = house.refusal(&path).await;
    assert!(matches!(&refused, KeyTrouble::Lacks(_, id) if *id == first), "{refused}");
    assert!(refused.to_string().contains(&format!("recordgate keys retire {first}")), "{refused}");
    key_ring::retire(&house.store, &keys, &first, START).await.unwrap();
    house.open(&path).await.expect("what it lacks is void");
}

/// Nodes with copies of their own: a new key is made in one copy, and the others start with theirs meanwhile.
#[tokio::test]
async fn a_key_that_has_sealed_nothing_yet_may_still_be_on_its_way_to_a_copy() {
    let house = House::new().await;
    let (node, copy) = (house.ring("keys"), house.ring("copy"));
    let serving = house.serves(&node).await;
    std::fs::copy(&node, &copy).unwrap();
    let at_work = house.open(&copy).await.unwrap();
    key_ring::rotate(&house.store, &at_work, START).await.unwrap();
    house.open(&node).await.expect("the copy of before");
    // First the new line is moved up, and given to all; then to the end.
    let mut moved = lines(&copy);
    let last = moved.len() - 1;
    moved.swap(last - 1, last);
    write_lines(&node, &moved);
    assert!(key_ring::reread(&house.store, &serving, START).await.unwrap());
    let sealed = serving.seal(PREFIX, b"content").unwrap();
    assert!(at_work.open_sealed(PREFIX, &sealed).is_some());
    moved.swap(last - 1, last);
    write_lines(&node, &moved);
    assert!(key_ring::reread(&house.store, &serving, START).await.unwrap());
    assert_eq!(serving.ids(), at_work.ids());
}

#[tokio::test]
async fn a_key_that_was_retired_opens_nothing_in_a_copy_that_still_has_it() {
    let house = House::new().await;
    let (path, copy) = (house.ring("keys"), house.ring("copy"));
    let keys = house.serves(&path).await;
    let (first, sealed) = (keys.ids().remove(0), keys.seal(PREFIX, b"content").unwrap());
    key_ring::rotate(&house.store, &keys, START).await.unwrap();
    std::fs::copy(&path, &copy).unwrap();
    key_ring::retire(&house.store, &keys, &first, START).await.unwrap();
    let stale = house.open(&copy).await.expect("an older copy");
    assert_eq!(stale.ids(), keys.ids());
    assert_eq!(stale.open_sealed(PREFIX, &sealed), None);
    key_ring::retire(&house.store, &stale, &first, START).await.expect("and it is taken out of the copy too");
    assert!(!lines(&copy).iter().any(|line| line.starts_with(&first)));
    assert!(matches!(
        key_ring::retire(&house.store, &stale, &first, START).await,
        Err(CannotOpen::Keys(KeyTrouble::NoSuchKey(_)))
    ));
}

#[tokio::test]
async fn a_ring_that_is_exchanged_while_running_leaves_the_keys_in_force() {
    let (house, other) = (House::new().await, House::new().await);
    let path = house.ring("keys");
    let keys = house.serves(&path).await;
    let sealed = keys.seal(PREFIX, b"content").unwrap();
    other.serves(&other.ring("keys")).await;
    let own = std::fs::read(&path).unwrap();
    for foreign in [lines(&other.ring("keys")), [lines(&path), lines(&other.ring("keys")).split_off(2)].concat()] {
        write_lines(&path, &foreign);
        let refused = key_ring::reread(&house.store, &keys, START).await;
        assert!(matches!(refused, Err(CannotOpen::Keys(_))), "{refused:?}");
        assert!(keys.is_refused() && keys.open_sealed(PREFIX, &sealed).is_some());
        assert_eq!(keys.ids().len(), 1);
    }
    std::fs::write(&path, own).unwrap();
    assert!(key_ring::reread(&house.store, &keys, START).await.unwrap());
    assert!(!keys.is_refused());
}

/// Seen: of four at once, one acknowledged key was lost.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_many_rotations_at_once_every_acknowledged_key_is_in_the_file() {
    let house = House::new().await;
    let path = house.ring("keys");
    house.serves(&path).await;
    let mut rotations = tokio::task::JoinSet::new();
    for _ in 0..16 {
        let (store, keys) = (house.store.clone(), house.open(&path).await.unwrap());
        rotations.spawn(async move {
            key_ring::rotate(&store, &keys, START).await.unwrap();
            keys.ids()
        });
    }
    let acknowledged: BTreeSet<String> = rotations.join_all().await.concat().into_iter().collect();
    let kept: BTreeSet<String> = house.open(&path).await.unwrap().ids().into_iter().collect();
    assert_eq!(kept.len(), 17);
    assert_eq!(acknowledged, kept);
}

#[tokio::test]
async fn a_database_of_a_release_before_takes_the_first_ring_that_it_sees_for_its_own() {
    let house = House::new().await;
    let path = house.ring("keys");
    drop(Keys::open(&path, false, None).unwrap());
    as_before(&path);
    house.serves(&path).await;
    assert_eq!(ring::list(&house.store).await.unwrap().len(), 1);
    std::fs::remove_file(&path).unwrap();
    assert!(matches!(house.refusal(&path).await, KeyTrouble::Missing(_)), "from then on no other is made");
}

#[tokio::test]
async fn a_lost_ring_is_given_up_knowingly_and_what_it_sealed_is_void() {
    let house = House::new().await;
    let path = house.ring("keys");
    let lost = house.serves(&path).await;
    let (id, sealed) = (lost.ids().remove(0), lost.seal(PREFIX, b"content").unwrap());
    std::fs::remove_file(&path).unwrap();
    let keys = Keys::open_if_there(&path).unwrap();
    assert!(keys.ids().is_empty() && keys.seal(PREFIX, b"content").is_none());
    key_ring::adopt(&house.store, &keys, START).await.unwrap();
    let keys = house.serves(&path).await;
    assert_eq!(keys.open_sealed(PREFIX, &sealed), None);
    let known = ring::list(&house.store).await.unwrap();
    assert!(known.iter().any(|key| key.id == id && key.is_retired) && known.len() == 2, "{known:?}");
}

#[tokio::test]
async fn not_even_knowingly_is_the_ring_of_another_store_adopted() {
    let (house, other) = (House::new().await, House::new().await);
    house.serves(&house.ring("keys")).await;
    let foreign = other.ring("keys");
    other.serves(&foreign).await;
    let keys = Keys::open_if_there(&foreign).unwrap();
    let refused = key_ring::adopt(&house.store, &keys, START).await;
    assert!(matches!(refused, Err(CannotOpen::Keys(KeyTrouble::OfAnotherStore(_)))), "{refused:?}");
    house.open(&house.ring("keys")).await.expect("its own is its own still");
}

/// A fingerprint is told to the database; it must not be the key, nor anything a line of the ring has.
#[tokio::test]
async fn nothing_of_a_key_but_its_fingerprint_is_in_the_database() {
    let house = House::new().await;
    let path = house.ring("keys");
    house.serves(&path).await;
    let known = ring::list(&house.store).await.unwrap().remove(0);
    assert!(known.has_sealed && known.fingerprint.len() == 64);
    let text = lines(&path).concat();
    assert!(!text.contains(&known.fingerprint) && !text.contains(&known.fingerprint[..8]));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_postgresql_the_first_node_registers_its_ring_and_one_with_another_is_refused() {
    let url = cluster::shared().new_database();
    let folder = tempfile::tempdir().unwrap();
    let mut starts = tokio::task::JoinSet::new();
    for name in ["one", "two", "three"] {
        let (place, path) = (place(&url), folder.path().join(name));
        starts.spawn(async move {
            let store = Store::open(&place, 1).await.unwrap();
            key_ring::open(&store, &path, START).await.map(|keys| keys.ids())
        });
    }
    let (started, refused): (Vec<_>, Vec<_>) = starts.join_all().await.into_iter().partition(Result::is_ok);
    assert_eq!((started.len(), refused.len()), (1, 2));
    for refusal in refused {
        // Whoever came late finds that there is a ring, whoever came at once that it is another.
        let is_told = matches!(refusal, Err(CannotOpen::Keys(KeyTrouble::Unknown(..) | KeyTrouble::Missing(_))));
        assert!(is_told, "{refusal:?}");
    }
}
