//! Sessions and tokens go on after a move as if nothing had happened.

use crate::moves::mover::{DIRECTIONS, Mover};
use crate::terminal::program::Program;
use crate::terminal::world::HOSPITAL;

const DAY: i64 = 86_400;

#[test]
fn tokens_of_before_the_move_work_after_it_and_those_that_were_over_stay_over() {
    for direction in DIRECTIONS {
        let mover = Mover::new(direction);
        let before = mover.serve(&mover.from);
        let used = mover.issue();
        let first = before.refresh(&used);
        let (access, refresh) = (first.member("access_token"), first.member("refresh_token"));
        let ended = before.refresh(&mover.issue());
        let stolen = ended.member("refresh_token");
        before.refresh(&stolen).member("refresh_token");
        assert_eq!(before.refresh(&stolen).status, 400, "a replay ends its session");
        let system = system_token(&mover, &before);
        drop(before);

        mover.moved();
        let after = mover.serve(&mover.to);
        assert_eq!(after.whoami(&access).status, 200, "{direction:?}");
        let names = [("Authorization", &*format!("Bearer {system}")), ("X-Org-Public-Id", HOSPITAL)];
        assert_eq!(after.get("/fhir/Patient?_id=x", &names).status, 200, "{direction:?}");
        assert_eq!(after.whoami(&ended.member("access_token")).status, 401);
        let next = after.refresh(&refresh);
        assert_eq!(after.whoami(&next.member("access_token")).status, 200, "{direction:?}");
        assert_eq!(after.refresh(&used).status, 400, "used before the move is used after it");
        assert_eq!(after.whoami(&next.member("access_token")).status, 401, "and ends its session as ever");
        let granted = after.refresh(&mover.issue_on(&mover.to));
        assert_eq!(after.whoami(&granted.member("access_token")).status, 200, "new grants work too");
    }
}

fn system_token(mover: &Mover, service: &Program) -> String {
    let form = format!("grant_type=client_credentials&client_id=letter-sender&client_secret={}", mover.secret);
    service.token(&form).member("access_token")
}

#[test]
fn a_sandboxs_clock_stays_where_it_was_moved_to() {
    for direction in DIRECTIONS {
        let mover = Mover::new(direction);
        let before = mover.sandbox(&mover.from);
        let body = format!("{{\"advance_seconds\": {}}}", 40 * DAY);
        let moved_to = before.post("/sandbox/clock", "application/json", &body).member("now");
        drop(before);
        mover.moved();
        let now = mover.sandbox(&mover.to).get("/sandbox/clock", &[]).member("now");
        assert!(now > moved_to, "{direction:?}: {now} after {moved_to}");
    }
}

#[test]
fn every_line_of_the_ledger_and_every_session_is_counted_among_what_was_moved() {
    for direction in DIRECTIONS {
        let mover = Mover::new(direction);
        let service = mover.serve(&mover.from);
        let second = service.refresh(&mover.issue()).member("refresh_token");
        service.refresh(&second);
        mover.issue();
        drop(service);
        let told = mover.moved();
        let rows = |table: &str| {
            let tables = told["tables"].as_array().unwrap();
            tables.iter().find(|row| row["table"] == table).map(|row| row["rows"].as_u64().unwrap())
        };
        assert_eq!(rows("sessions"), Some(2));
        // Whoever serves it adds what still waited.
        mover.serve(&mover.to).stop();
        let lines = mover.on(&mover.to, &["ledger", "--json"]).fine().lines().count();
        assert_eq!(lines, 11 + 4, "the declared world with its first key; two grants of Amina's and two refreshes");
        assert_eq!(rows("users"), Some(2));
        assert_eq!(rows("clients"), Some(3));
    }
}
