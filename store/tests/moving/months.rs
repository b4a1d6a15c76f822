//! The ledger's months move with it: what was closed stays closed, what was dropped stays proven.

use crate::home::ACROSS;
use crate::notary::Clerk;
use rules::ids::PatientId;
use rules::moment::Moment;
use store::Store;
use store::ledger::{self, About, Event, Evidence, Line, Month, Retention, RetentionStep, Spool};

fn within(month: &str) -> Moment {
    Month::named(month).unwrap().start().plus_seconds(86_400)
}

/// Has the ledger tell of a look at a moment, and of nothing else.
async fn look(store: &Store, at: Moment) {
    let directory = tempfile::tempdir().unwrap();
    let (spool, _) = Spool::start(store, directory.path(), at).await.unwrap();
    let about = About { patient: Some(PatientId(7)), ..About::default() };
    let event = Event::Accessed;
    let look = Line { at, event, session: None, about, times: 1, right: None, detail: None, operator: None };
    spool.write(&[look], at, false).unwrap();
    spool.close(store, at).await.unwrap();
}

async fn told(store: &Store) -> Vec<(String, String)> {
    let evidence = Evidence { notary: Some(&Clerk("key")), ..Evidence::default() };
    ledger::verify(store, &evidence, |_, _| ()).await.unwrap().words()
}

#[tokio::test]
async fn roots_move_with_the_ledger_and_the_next_month_is_closed_where_it_arrives() {
    for [from, to] in ACROSS {
        let (source, target) = (from(), to());
        let store = source.open().await.unwrap();
        for month in ["2026-01", "2026-02", "2027-01", "2027-03"] {
            look(&store, within(month)).await;
        }
        ledger::close(&store, within("2027-03"), &Clerk::shared()).await.unwrap();
        let retention = Retention { months: 12, archive: None, by: "test".into() };
        while ledger::expire(&store, Some(&retention), within("2027-03"), &Clerk::shared()).await.unwrap()
            != RetentionStep::Done
        {}
        let before = ledger::roots(&store).await.unwrap();
        assert_eq!(before.iter().filter(|root| root.removal.is_some()).count(), 2);
        drop(store);
        source.moved(&target).await.unwrap();
        let store = target.open().await.unwrap();
        assert_eq!(ledger::roots(&store).await.unwrap(), before);
        assert_eq!(told(&store).await, []);
        look(&store, within("2026-05")).await;
        let closed = ledger::close(&store, within("2027-04"), &Clerk::shared()).await.unwrap();
        assert_eq!(
            closed.iter().map(|root| (root.month.to_string(), root.lines())).collect::<Vec<_>>(),
            [("2027-03".into(), 4)]
        );
        assert_eq!(told(&store).await, []);
    }
}
