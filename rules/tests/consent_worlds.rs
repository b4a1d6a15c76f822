//! Random worlds, the same in every run: what `sees` decides is what conditions over the columns of a store say, a view is what the
//! rows of sight come to, and no change of a consent gives more than its actor may give.
#![expect(clippy::indexing_slicing, reason = "what cannot be must fail the test")]

mod worlds;

use rules::consent::actor::{Act, Actor};
use rules::consent::basis::BasisKind;
use rules::consent::change::change;
use rules::consent::decision::{Finding, sees};
use rules::consent::eyes::Eyes;
use rules::consent::record::{Consent, ConsentId, Grantee};
use rules::consent::standing;
use rules::consent::view::{self, Tie, View};
use rules::labels::Labels;
use rules::moment::Moment;
use rules::right::Right;
use worlds::changes::Wish;
use worlds::columns::by_columns;
use worlds::draw::Draw;
use worlds::records::{NOW, PATIENT, given_consents, makers, patient};
use worlds::scenes::{Scene, VIEWERS};

const WORLDS: u64 = 40_000;

#[test]
fn what_is_decided_is_what_conditions_over_columns_say() {
    let mut seen = [0_usize; 7];
    for world in 0..WORLDS {
        let scene = Scene::drawn(&mut Draw::new(world));
        for viewer in VIEWERS {
            let viewer = scene.viewer(viewer);
            let decision = sees(&viewer, &scene.facts(), &scene.standings, NOW);
            assert_eq!(decision.right(), by_columns(&viewer, &scene), "world {world}: {viewer:?} {scene:?}");
            seen[decision.right().map_or(0, |right| right.number() as usize)] += 1;
        }
    }
    assert!(seen.iter().all(|times| *times > 500), "every right, and none, is among them: {seen:?}");
}

#[test]
fn the_steps_of_a_decision_end_with_its_right_or_say_what_is_missing_of_each() {
    for world in 0..WORLDS / 10 {
        let scene = Scene::drawn(&mut Draw::new(world));
        for viewer in VIEWERS {
            let decision = sees(&scene.viewer(viewer), &scene.facts(), &scene.standings, NOW);
            let held = decision.steps.iter().position(|step| matches!(step.finding, Finding::Holds(_)));
            let asked = held.map_or(5, |at| at + 1);
            for (at, step) in decision.steps.iter().enumerate() {
                assert_eq!(step.finding == Finding::NotAsked, at >= asked, "world {world}: {decision:?}");
            }
            assert_eq!(decision.missing().is_some(), decision.right().is_none(), "world {world}");
            let has_eyes = decision.right().is_some_and(Right::has_eyes);
            assert!(decision.through().is_none() || has_eyes, "world {world}: {decision:?}");
        }
    }
}

#[test]
fn more_labels_never_close_and_the_end_of_a_row_never_opens() {
    for world in 0..WORLDS / 10 {
        let mut scene = Scene::drawn(&mut Draw::new(world));
        let facts =
            |scene: &Scene| VIEWERS.map(|at| sees(&scene.viewer(at), &scene.facts(), &scene.standings, NOW).right());
        let before = facts(&scene);
        scene.standings.iter_mut().for_each(|row| row.sight.labels = Labels::ALL);
        let wider = facts(&scene);
        scene.standings.iter_mut().for_each(|row| row.sight.ends_at = Some(NOW));
        let over = facts(&scene);
        for (before, (wider, over)) in before.iter().zip(wider.iter().zip(&over)) {
            assert!(before.is_none() || wider.is_some(), "world {world}");
            assert!(over.is_none() || wider.is_some(), "world {world}");
        }
    }
}

#[test]
fn a_view_is_what_the_rows_of_sight_come_to_at_every_moment() {
    for world in 0..WORLDS / 4 {
        let mut draw = Draw::new(world);
        let (patient, given, makers) = (patient(&mut draw), given_consents(&mut draw), makers(&mut draw));
        let rows = standing::of(&patient, &given, &makers);
        assert!(rows.windows(2).all(|pair| pair[0].sight.viewer < pair[1].sight.viewer), "one row for each viewer");
        for eyes in worlds::records::EYES {
            for now in [Moment(NOW.0 - 1), NOW, Moment(NOW.0 + 1)] {
                let of_team = |given: &&standing::GivenConsent| match eyes {
                    Eyes::Organisation(organisation) => given.organisation == Some(organisation),
                    _ => Eyes::from(given.consent.grantee) == eyes,
                };
                let consent = given.iter().find(of_team).map(|given| &given.consent);
                let tie = Tie { consent, made: makers.contains(&eyes), glass: None };
                let found = view::of(eyes, &patient, &tie, None, now);
                let held = rows.iter().find(|row| row.sight.viewer == eyes.id()).and_then(|row| row.held(now));
                let expected = match found {
                    View::Labels(labels) => Some(labels),
                    View::Own => Some(Labels::NONE),
                    View::None | View::In => None,
                    View::All | View::Out | View::Glass(_) => {
                        unreachable!("neither the patient nor a frozen account looks")
                    }
                };
                assert_eq!(held, expected, "world {world}: {eyes:?} {patient:?} {consent:?} {makers:?}");
            }
        }
    }
}

#[test]
fn no_change_gives_more_than_its_actor_may_give() {
    let (mut settled, mut denied) = (0, 0);
    for world in 0..WORLDS {
        let Wish { actor, wanted, patient, to, before } = Wish::drawn(&mut Draw::new(world));
        let facts = Wish::facts(&patient, to, before.as_ref());
        let Ok(done) = change(actor, &wanted, &facts, ConsentId(9), NOW) else {
            denied += 1;
            continue;
        };
        settled += 1;
        let (after, acts) = (&done.after, &done.acts);
        // What an invitation would open counts, though nobody has accepted it yet.
        let opens = |consent: &Consent| Consent { accepted: true, ..consent.clone() }.in_force(NOW);
        let added = opens(after).without(before.as_ref().map_or(Labels::NONE, opens));
        let told = || format!("world {world}: {actor:?} {wanted:?} {before:?} {after:?}");
        assert_eq!((after.patient, after.grantee), (PATIENT, to.grantee), "{}", told());
        assert!(before.as_ref().is_none_or(|before| before.id == after.id), "{}", told());
        assert!(acts.is_empty() == (before.as_ref() == Some(after)), "nothing done is nothing changed; {}", told());
        let is_locked = before.as_ref().is_some_and(|before| before.locked.is_some());
        match actor {
            Actor::Patient => assert!(acts.is_empty() || !is_locked, "{}", told()),
            Actor::Carer { user, held: own, manages } => {
                assert!(acts.is_empty() || !is_locked, "{}", told());
                assert!(added.is_none() || (manages && added.are_within(own)), "{}", told());
                assert!(added.is_none() || to.grantee != Grantee::Carer(user), "{}", told());
            }
            Actor::SystemClient(_) => assert!(added.are_within(to.default_access), "{}", told()),
            Actor::Coordinator { held, .. } if matches!(to.grantee, Grantee::Team(_)) => {
                assert!(added.are_within(to.default_access) || added.are_within(held), "{}", told());
            }
            Actor::Clinician { held, .. } | Actor::Coordinator { held, .. } => {
                let is_team = matches!(to.grantee, Grantee::Team(_));
                assert!(is_team || added.are_within(held), "{}", told());
            }
            Actor::PrivacyOfficer(_) | Actor::Other => assert!(added.is_none(), "{}", told()),
            Actor::Operator => {}
        }
        let kind = wanted.basis.as_ref().map(|basis| basis.kind);
        let was_withdrawn = before.as_ref().is_some_and(|before| before.withdrawn);
        assert!(!(was_withdrawn && kind == Some(BasisKind::Implied)) || added.is_none(), "{}", told());
        let is_explicit = kind.is_none_or(|kind| kind == BasisKind::Explicit);
        let gives = acts.iter().any(|act| matches!(act, Act::Widen(labels) if !labels.is_none()));
        assert!(!was_withdrawn || after.withdrawn || (is_explicit && gives), "it holds until then; {}", told());
        assert!(!patient.sharing_disabled || added.is_none(), "{}", told());
        let changes_lock = acts.iter().any(|act| matches!(act, Act::Lock | Act::Unlock));
        let may_lock = matches!(actor, Actor::Clinician { .. } | Actor::PrivacyOfficer(_) | Actor::Operator);
        assert!(!changes_lock || may_lock, "{}", told());
        let again = change(actor, &wanted, &Wish::facts(&patient, to, Some(after)), ConsentId(10), NOW);
        assert!(again.is_ok_and(|again| again.after == *after && again.acts.is_empty()), "twice is once; {}", told());
    }
    assert!(settled > 4_000 && denied > 4_000, "{settled} {denied}");
}
