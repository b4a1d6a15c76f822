//! Scopes and user types: who may log in for what, how a scope is read and said, and what a scope reaches.

use rules::reach::{may_query_read_receipts, may_write};
use rules::scope::{Scope, ScopeEcho, ScopeRequest, ScopeSet, UserType, granted, refresh_scope_fits, still_covered};

/// Every subset of the scopes that a client could be registered for.
fn registrations() -> impl Iterator<Item = Vec<Scope>> {
    (0..1_usize << Scope::ALL.len()).map(|bits| {
        Scope::ALL.into_iter().enumerate().filter(|(nth, _)| bits >> nth & 1 == 1).map(|(_, scope)| scope).collect()
    })
}

#[test]
fn scopes_are_read_in_any_case_and_said_in_lower_case() {
    for (scope, word) in Scope::ALL.into_iter().zip(["PATIENT", "CLINICIAN", "TEAMCOORD", "SITE"]) {
        assert_eq!(scope.word(), word);
        assert_eq!(scope.echoed(), word.to_lowercase());
        for spelt in [word.to_owned(), word.to_lowercase(), format!("{}{}", &word[..1], word[1..].to_lowercase())] {
            assert_eq!(Scope::named(&spelt), Some(scope), "{spelt}");
        }
        for wrong in [format!("{word} "), format!(" {word}"), word[1..].to_owned(), format!("{word}S")] {
            assert_eq!(Scope::named(&wrong), None, "{wrong:?}");
        }
    }
    assert_eq!(Scope::named(""), None);
    assert_eq!(Scope::named("ſite"), None, "only ASCII letters have a second case here");
}

#[test]
fn a_client_hears_the_scope_in_lower_case_unless_it_is_registered_to_hear_what_it_sent() {
    for is_renewable in [true, false] {
        assert_eq!(ScopeEcho::Lower.spell(Scope::Patient, Some("PATIENT"), is_renewable), "patient");
        assert_eq!(ScopeEcho::Lower.spell(Scope::Patient, None, is_renewable), "patient");
        assert_eq!(ScopeEcho::AsRequested.spell(Scope::Patient, Some("Patient"), is_renewable), "Patient");
        assert_eq!(ScopeEcho::AsRequested.spell(Scope::Patient, None, is_renewable), "PATIENT");
    }
    assert_eq!(ScopeEcho::named("lower"), Some(ScopeEcho::Lower));
    assert_eq!(ScopeEcho::named("as-requested"), Some(ScopeEcho::AsRequested));
    assert_eq!(ScopeEcho::named("Lower"), None);
}

#[test]
fn one_word_of_the_contract_decides_and_words_of_smart_beside_it_are_passed_over() {
    for (text, scope, is_smart, is_offline) in [
        ("PATIENT", Scope::Patient, false, false),
        ("PATIENT offline_access", Scope::Patient, true, true),
        ("launch/patient Patient", Scope::Patient, true, false),
        ("openid fhirUser launch clinician user/*.rs", Scope::Clinician, true, false),
        (
            "launch/patient patient/*.read patient/Observation.rs?category=x offline_access PATIENT",
            Scope::Patient,
            true,
            true,
        ),
    ] {
        let read = ScopeRequest::read(text).unwrap();
        assert_eq!((read.scope, read.is_smart, read.is_offline), (scope, is_smart, is_offline), "{text}");
        assert!(refresh_scope_fits(Some(text), scope), "{text}");
    }
    for text in [
        "",
        "openid",
        "launch/patient patient/*.read",
        "PATIENT CLINICIAN",
        "PATIENT PATIENT",
        "PATIENT ",
        " PATIENT",
        "PATIENT  openid",
        "PATIENT\topenid",
        "PATIENT letters",
        "PATIENT patient/",
        "PATIENT launch/\"x\"",
        "PATIENT OFFLINE_ACCESS",
    ] {
        assert_eq!(ScopeRequest::read(text), None, "{text:?}");
        assert!(!refresh_scope_fits(Some(text), Scope::Patient), "{text:?}");
    }
}

#[test]
fn what_was_passed_over_is_not_said_and_offline_access_only_with_a_refresh_token() {
    let asked = Some("launch/patient Patient offline_access");
    assert_eq!(ScopeEcho::Lower.spell(Scope::Patient, asked, true), "patient offline_access");
    assert_eq!(ScopeEcho::Lower.spell(Scope::Patient, asked, false), "patient");
    assert_eq!(ScopeEcho::AsRequested.spell(Scope::Patient, asked, true), "Patient offline_access");
    assert_eq!(ScopeEcho::AsRequested.spell(Scope::Patient, asked, false), "Patient");
}

#[test]
fn site_stands_for_clinician_and_team_coordinator_operations_and_others_only_for_themselves() {
    for (session, needed) in Scope::ALL.into_iter().flat_map(|session| Scope::ALL.map(|needed| (session, needed))) {
        let site = session == Scope::Site && needed != Scope::Patient;
        assert_eq!(session.covers(needed), session == needed || site, "{session:?} for {needed:?}");
    }
}

#[test]
fn site_is_not_for_user_clients() {
    for scope in Scope::ALL {
        assert_eq!(scope.is_for_user_clients(), scope != Scope::Site, "{scope:?}");
    }
}

/// Every asked scope, every registration, every user type.
#[test]
fn a_user_may_log_in_only_for_their_own_type_and_only_where_the_client_is_registered_for_it() {
    for registered in registrations() {
        for user_type in UserType::ALL {
            let own = Scope::named(user_type.word());
            let allowed = own.filter(|own| registered.contains(own));
            assert_eq!(granted(None, &registered, user_type), allowed, "{registered:?} {user_type:?}");
            for asked in Scope::ALL {
                let expected = allowed.filter(|own| *own == asked);
                assert_eq!(
                    granted(Some(asked), &registered, user_type),
                    expected,
                    "{registered:?} {user_type:?} {asked:?}"
                );
            }
        }
    }
}

#[test]
fn an_admin_and_a_privacy_officer_grant_nothing() {
    for user_type in [UserType::Admin, UserType::PrivacyOfficer] {
        assert_eq!(user_type.scope(), None);
        assert_eq!(granted(None, &Scope::ALL, user_type), None);
    }
}

#[test]
fn user_types_are_read_as_they_are_written() {
    for user_type in UserType::ALL {
        assert_eq!(UserType::named(user_type.word()), Some(user_type));
        assert_eq!(UserType::named(&user_type.word().to_lowercase()), None);
    }
    assert_eq!(UserType::named("SITE"), None);
}

#[test]
fn a_refresh_may_leave_out_the_scope_or_repeat_the_sessions_in_any_case() {
    for session in Scope::ALL {
        assert!(refresh_scope_fits(None, session));
        for asked in Scope::ALL {
            for spelt in [asked.word(), asked.echoed()] {
                assert_eq!(refresh_scope_fits(Some(spelt), session), asked == session, "{spelt} in {session:?}");
            }
        }
        for wrong in ["ADMIN", "none", "PATIENT SITE", " "] {
            assert!(!refresh_scope_fits(Some(wrong), session), "{wrong:?} in {session:?}");
        }
    }
}

#[test]
fn a_team_coordinator_writes_no_clinical_data_and_everyone_else_may() {
    for scope in Scope::ALL {
        assert_eq!(may_write(Some(scope)), scope != Scope::TeamCoord, "{scope:?}");
    }
    assert!(may_write(None), "a System Client writes for the organisation it names");
}

#[test]
fn a_patient_asks_for_no_read_receipts_and_everyone_else_may() {
    for scope in Scope::ALL {
        assert_eq!(may_query_read_receipts(Some(scope)), scope != Scope::Patient, "{scope:?}");
    }
    assert!(may_query_read_receipts(None), "a System Client asks for the organisation it names");
}

fn set(scopes: &[Scope]) -> ScopeSet {
    scopes.iter().copied().collect()
}

#[test]
fn a_session_goes_on_while_its_users_type_and_its_clients_registration_cover_its_scope() {
    let every = [Scope::Patient, Scope::Clinician, Scope::TeamCoord];
    for scope in every {
        for user_type in UserType::ALL {
            let own = user_type.scope() == Some(scope);
            assert_eq!(still_covered(scope, Some(user_type), set(&every)), own, "{scope:?} of {user_type:?}");
            let without: Vec<Scope> = every.into_iter().filter(|other| *other != scope).collect();
            assert!(!still_covered(scope, Some(user_type), set(&without)), "{scope:?} was taken from the client");
        }
        assert!(!still_covered(scope, None, set(&every)), "an account that is gone covers nothing");
    }
}

#[test]
fn a_teams_session_hangs_on_nobodys_type() {
    assert!(still_covered(Scope::Site, None, set(&[])));
}

#[test]
fn only_clinicians_and_coordinators_are_members_of_teams() {
    let members: Vec<UserType> = UserType::ALL.into_iter().filter(|user_type| user_type.may_be_member()).collect();
    assert_eq!(members, [UserType::Clinician, UserType::TeamCoord]);
}
