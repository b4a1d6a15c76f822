//! The table `glass`: who breaks it, for how long, what it opens, who is told.

use crate::consent::world::{
    AMINA, BRYN, CARER, CHEN, DR_GREY, DR_LUND, GRANTEES, NOW, PRACTICE_TEAM, PROFESSIONAL, SESSION, SLEEP_CLINIC,
    TEAM, consent,
};
use crate::consent::{read, reads_as_known};
use rules::consent::denial::Denial;
use rules::consent::glass::{
    GLASS_HEADER, GLASS_PREFIX, Glass, GlassBreaker, GlassDeed, GlassFacts, GlassUse, break_glass, permits, told,
};
use rules::consent::record::Grantee;
use rules::consent::state::PatientState;
use rules::consent::viewer::OpenGlass;
use rules::ids::{SessionId, TeamId, UserId};
use rules::labels::Labels;
use rules::limits::GLASS_SECONDS;
use rules::moment::Moment;

const HEADER: [&str; 3] = ["question", "decision", "D/I"];
const LUND: GlassBreaker = GlassBreaker::Clinician { user: DR_LUND, team: PRACTICE_TEAM };
const NORMAL: PatientState = PatientState::normal(BRYN);
const CALL: GlassUse = GlassUse { session: SESSION, team: PRACTICE_TEAM, user: Some(DR_LUND), patient: Some(BRYN) };

pub(crate) fn hold(document: &str) {
    let table = read(document, "glass", &HEADER);
    let rows: [(&str, u32, fn()); 8] = [
        ("who", 0x0a02_10a2, who),
        ("how", 0xb4f6_b8b7, how),
        ("how long", 0x4faa_dbb4, how_long),
        ("token", 0x467e_3a22, token),
        ("what it opens", 0xfa60_667d, opens),
        ("refused", 0xe33f_6a5c, refused),
        ("logged", 0xe1de_21f6, || {}),
        ("told", 0x9af5_a25c, is_told),
    ];
    assert_eq!(table.rows().count(), rows.len());
    for (question, sum, holds) in rows {
        reads_as_known(table.row(question), &HEADER, sum);
        holds();
    }
    table.was_held_in_every_cell();
}

fn facts<'g>(patient: Option<&'g PatientState>) -> GlassFacts<'g> {
    GlassFacts { session: SESSION, session_ends_at: None, is_enabled: true, patient, reason: None, needs_reason: false }
}

fn broken() -> Glass {
    break_glass(LUND, &facts(Some(&NORMAL)), NOW).expect("Dr Lund may")
}

fn code(result: Result<Glass, Denial>) -> &'static str {
    result.expect_err("refused").code()
}

fn who() {
    assert_eq!((broken().user, broken().team, broken().patient), (DR_LUND, PRACTICE_TEAM, BRYN));
    let site = |named, is_member| GlassBreaker::Site { team: PRACTICE_TEAM, named, is_member };
    let named = break_glass(site(Some(DR_LUND), true), &facts(Some(&NORMAL)), NOW);
    assert_eq!(named.map(|glass| glass.user), Ok(DR_LUND));
    for nobody in [site(None, true), site(Some(DR_GREY), false)] {
        assert_eq!(code(break_glass(nobody, &facts(Some(&NORMAL)), NOW)), "UNPROCESSABLE");
    }
    assert_eq!(code(break_glass(GlassBreaker::Other, &facts(Some(&NORMAL)), NOW)), "USER_TYPE_NOT_PERM");
    let off = GlassFacts { is_enabled: false, ..facts(Some(&NORMAL)) };
    assert_eq!(code(break_glass(LUND, &off, NOW)), "USER_TYPE_NOT_PERM");
}

fn how() {
    let with = |reason| {
        let facts = GlassFacts { needs_reason: true, reason, ..facts(Some(&NORMAL)) };
        break_glass(LUND, &facts, NOW).is_ok()
    };
    assert!(with(Some("unconscious")) && !with(None) && !with(Some(" ")), "glass.reason = \"required\"");
    assert_eq!(broken().broken_at, NOW, "otherwise none is needed");
}

fn how_long() {
    assert_eq!(GLASS_SECONDS, 30 * 60);
    let end = Moment(NOW.0 + 30 * 60 * 1000);
    assert_eq!(broken().ends_at(), end);
    assert!(broken().opened(&CALL, &NORMAL, Moment(end.0 - 1)).is_ok());
    assert_eq!(broken().opened(&CALL, &NORMAL, end), Err(Denial::GlassInvalid), "at the limit it is over");
    let soon = Moment(NOW.0 + 1000);
    for shorter in [
        Glass { session_ends_at: Some(soon), ..broken() },
        Glass { mended_at: Some(soon), ..broken() },
        Glass { mended_at: Some(soon), session_ends_at: Some(end), ..broken() },
    ] {
        assert_eq!(shorter.ends_at(), soon);
        assert_eq!(shorter.opened(&CALL, &NORMAL, soon), Err(Denial::GlassInvalid));
        assert!(shorter.opened(&CALL, &NORMAL, Moment(soon.0 - 1)).is_ok());
    }
    let again = break_glass(LUND, &facts(Some(&NORMAL)), soon).expect("again");
    assert_eq!(again.ends_at().0 - broken().ends_at().0, 1000, "the old one stays valid to its end");
    assert_eq!(broken().opened(&CALL, &NORMAL, Moment(NOW.0 - 1)), Err(Denial::GlassInvalid), "the clock was set back");
}

fn token() {
    assert_eq!((GLASS_PREFIX, GLASS_HEADER), ("rgg_", "breaktheglass"));
    let open = OpenGlass { patient: BRYN, team: PRACTICE_TEAM, until: broken().ends_at() };
    assert_eq!(broken().opened(&CALL, &NORMAL, NOW), Ok(open));
    assert_eq!(
        broken().opened(&GlassUse { user: None, patient: None, ..CALL }, &NORMAL, NOW),
        Ok(open),
        "SITE, a search"
    );
    for other in [
        GlassUse { session: SessionId(99), ..CALL },
        GlassUse { team: TeamId(99), ..CALL },
        GlassUse { user: Some(UserId(99)), ..CALL },
        GlassUse { patient: Some(CHEN), ..CALL },
    ] {
        assert_eq!(broken().opened(&other, &NORMAL, NOW), Err(Denial::GlassInvalid), "{other:?}");
    }
    assert_eq!((Denial::GlassInvalid.code(), Denial::GlassInvalid.status()), ("BTG_INVALID", 403));
}

/// What is shown and hidden under it is told by the tables `states` and `rights`.
fn opens() {
    let deeds = [GlassDeed::Read, GlassDeed::Create, GlassDeed::Export, GlassDeed::ChangeConsent];
    assert_eq!(deeds.map(permits), [true, true, false, false]);
}

fn refused() {
    let closed = PatientState { sharing_disabled: true, ..NORMAL };
    assert_eq!(broken().opened(&CALL, &closed, NOW), Err(Denial::GlassInvalid), "what was broken before is over");
    assert_eq!(break_glass(LUND, &facts(None), NOW), Err(Denial::NotFound));
    let disabled = PatientState { sharing_disabled: true, ..NORMAL };
    assert_eq!(break_glass(LUND, &facts(Some(&disabled)), NOW), Err(Denial::SharingDisabled));
    let deceased = PatientState { deceased: true, ..NORMAL };
    assert_eq!(code(break_glass(LUND, &facts(Some(&deceased)), NOW)), "NO_CONSENT");
    let off = GlassFacts { is_enabled: false, ..facts(None) };
    assert_eq!(code(break_glass(LUND, &off, NOW)), "USER_TYPE_NOT_PERM", "before anything is told of the patient");
}

fn is_told() {
    let all = GRANTEES.map(|grantee| consent(AMINA, grantee, Labels(1)));
    assert_eq!(told(&all, NOW), [TEAM, Grantee::Team(PRACTICE_TEAM), CARER]);
    let none = [consent(AMINA, Grantee::Team(SLEEP_CLINIC), Labels::NONE), consent(AMINA, PROFESSIONAL, Labels::ALL)];
    assert_eq!(told(&none, NOW), [], "who holds no label is not told");
}
