//! What a request costs on PostgreSQL, in statements and round trips, counted on the wire.

mod wire;

use self::wire::{world as through_a_wire, world_within as through_a_wire_within};
use crate::kit::RIVERSIDE;
use crate::kit::records::{AMINA, BEN, letter_of};
use std::time::Duration;

#[tokio::test(flavor = "multi_thread")]
async fn a_read_by_id_is_one_statement_that_says_who_calls_and_one_that_reads() {
    let (w, wire) = through_a_wire().await;
    let (_, own) = w.amina().approves("Sleep Diary").await;
    let (_, team) = w.dr_okafor().approves("Ward Round").await;
    let system = w.client("Lab Link").client_credentials().await.granted();
    let (document, binary) = letter_of(AMINA);
    let patient = format!("/fhir/Patient/{}", AMINA);
    let letter = format!("/fhir/DocumentReference/{document}");
    let content = format!("/fhir/Binary/{binary}");
    let mut calls = vec![(&own, &patient, None), (&team, &patient, None), (&system, &patient, Some(RIVERSIDE))];
    // To Amina herself a letter costs more: that she has opened it is noted.
    calls.extend([(&team, &letter, None), (&system, &letter, Some(RIVERSIDE))]);
    for (token, path, organisation) in calls {
        // Once before, so that every statement is prepared.
        w.calls(path, &token.access, organisation).await.opened();
        wire.expect(&[1, 1]);
        w.calls(path, &token.access, organisation).await.opened();
        assert_eq!(wire.statements(), 2, "{path}");
    }
    // And the content of a letter: where it is, and each of its pieces.
    for (token, organisation) in [(&team, None), (&system, Some(RIVERSIDE))] {
        w.calls(&content, &token.access, organisation).await.opened();
        wire.expect(&[1, 1, 1, 1]);
        w.calls(&content, &token.access, organisation).await.opened();
        assert_eq!(wire.statements(), 4);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_read_by_id_that_is_refused_is_one_statement_more_which_asks_whether_it_left_a_record() {
    let (w, wire) = through_a_wire().await;
    let (_, own) = w.amina().approves("Sleep Diary").await;
    let system = w.client("Lab Link").client_credentials().await.granted();
    let out_of_reach = format!("/fhir/Patient/{}", BEN);
    for (token, organisation) in [(&own, None), (&system, Some(RIVERSIDE))] {
        w.calls(&out_of_reach, &token.access, organisation).await;
        wire.expect(&[1, 1, 1]);
        let reply = w.calls(&out_of_reach, &token.access, organisation).await;
        assert_eq!((wire.statements(), reply.status), (3, 404));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_two_round_trips_however_many_alternatives_it_has() {
    let (w, wire) = through_a_wire().await;
    let (_, own) = w.amina().approves("Sleep Diary").await;
    let (_, team) = w.dr_okafor().approves("Ward Round").await;
    let system = w.client("Lab Link").client_credentials().await.granted();
    let ids = format!("_id={},{}", AMINA, BEN);
    let both = format!("{ids}&identifier=one,two");
    // A list of ids is one statement, with whatever else is asked; each alternative of a token is a walk of its own.
    let searches = [(&*ids, 1), ("identifier=one,urn:two%7Ctwo,%7Cthree", 3), (&*both, 1)];
    for (token, organisation) in [(&own, None), (&team, None), (&system, Some(RIVERSIDE))] {
        for (search, statements) in searches {
            let path = format!("/fhir/Patient?{search}");
            w.calls(&path, &token.access, organisation).await.opened();
            wire.expect(&[1, statements]);
            w.calls(&path, &token.access, organisation).await.opened();
            assert_eq!(wire.statements(), 1 + statements, "{path}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn asking_who_one_is_takes_a_statement_more_for_a_patient_who_has_a_record() {
    let (w, wire) = through_a_wire().await;
    let people = [(w.amina(), "Sleep Diary", vec![1, 1, 1]), (w.dr_okafor(), "Ward Round", vec![1, 1])];
    for (person, product, trips) in people {
        let (_, tokens) = person.approves(product).await;
        w.calls_rest_with(&tokens.access).await.opened();
        wire.expect(&trips);
        w.calls_rest_with(&tokens.access).await.opened();
        assert_eq!(wire.statements(), trips.len(), "{product}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refresh_is_three_round_trips() {
    let (w, wire) = through_a_wire().await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    let second = app.refresh(&first).await.granted();
    // Who the client is; BEGIN and the session's row; the rotation, its line in the ledger and COMMIT.
    wire.expect(&[1, 2, 3]);
    let third = app.refresh(&second).await.granted();
    assert_eq!(wire.statements(), 6);
    app.refresh(&third).await.granted();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wire_that_waits_for_more_than_is_asked_at_once_is_noticed() {
    // It passes when this is over, so it is short; and long enough for what comes before, on a busy machine.
    let (w, wire) = through_a_wire_within(Duration::from_secs(10)).await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    w.calls_fhir_with(&tokens.access).await.opened();
    wire.expect(&[3]);
    assert_eq!(w.calls_fhir_with(&tokens.access).await.status, 503);
    wire.statements();
}
