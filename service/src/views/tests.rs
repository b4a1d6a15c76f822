//! What must hold of every page, whatever the handlers put in.

use askama::Template;

use super::own_specimens::connected_apps;
use super::specimens::{authorize, coordinator, every_page, grant_check, sign_in};

/// A product name as an attacker would register it.
const HOSTILE: &str = "<script>alert(1)</script>\" autofocus onfocus=\"alert(1)";

/// The values of an attribute, in order: `values("for", html)`.
fn values<'a>(attribute: &str, html: &'a str) -> Vec<&'a str> {
    let opening = format!(" {attribute}=\"");
    html.split(opening.as_str()).skip(1).map(|rest| rest.split('"').next().unwrap()).collect()
}

#[test]
fn no_page_lets_a_name_become_markup() {
    for (page, html) in every_page(HOSTILE) {
        assert!(!html.contains("<script>"), "{page}: {html}");
        assert!(!html.contains("onfocus=\""), "{page}: {html}");
    }
}

#[test]
fn every_page_has_one_top_heading_one_main_a_language_and_a_title_that_names_the_service() {
    for (page, html) in every_page("Sleep Diary") {
        assert_eq!(html.matches("<h1").count(), 1, "{page}");
        assert_eq!(html.matches("<main").count(), 1, "{page}");
        assert!(html.starts_with("<!doctype html>\n<html lang=\"en\">"), "{page}: {html}");
        let service = if page.starts_with("sample") { "Sleep Diary" } else { "Recordgate" };
        assert!(html.contains(&format!(" — {service}</title>")), "{page}");
        assert!(html.contains("This is a sandbox."), "{page}");
    }
}

/// Whether a tag is one of a field.
fn is_field(tag: &str) -> bool {
    ["input", "select", "textarea"].iter().any(|field| tag.starts_with(field))
}

#[test]
fn every_field_has_a_label_and_every_reference_a_target() {
    for (page, html) in every_page("Sleep Diary") {
        let ids = values("id", &html);
        for field in html.split('<').filter(|tag| is_field(tag)) {
            if !field.contains("type=\"hidden\"") {
                assert!(values("for", &html).contains(&values("id", field)[0]), "{page}: {field}");
            }
        }
        let mut referred = values("for", &html);
        for attribute in ["aria-describedby", "aria-labelledby"] {
            referred.extend(values(attribute, &html).iter().flat_map(|list| list.split(' ')));
        }
        referred.extend(values("href", &html).iter().filter_map(|href| href.strip_prefix('#')));
        for id in referred {
            assert_eq!(ids.iter().filter(|known| **known == id).count(), 1, "{page}: {id}");
        }
    }
}

#[test]
fn no_page_needs_what_the_content_security_policy_forbids() {
    for (page, html) in every_page("Sleep Diary") {
        // The one that asks for passkeys is let in by the policy of the pages that have it.
        let html = html.replace("<script src=\"/assets/passkey.js\" defer></script>", "");
        for forbidden in ["<script", "<style", " style=", "data:", "javascript:", " onclick"] {
            assert!(!html.contains(forbidden), "{page} has {forbidden}");
        }
    }
    for sheet in [include_str!("../../assets/recordgate.css"), include_str!("../../assets/sample-app.css")] {
        assert!(!sheet.contains("url(") && !sheet.contains("@import"), "a stylesheet fetches something");
    }
}

#[test]
fn enter_approves_and_deny_needs_no_password() {
    let html = authorize("Sleep Diary", None).render().unwrap();
    let approve = html.find("value=\"approve\"").unwrap();
    let deny = html.find("value=\"deny\" formnovalidate").unwrap();
    assert!(approve < deny, "a browser takes the first button when someone presses Enter");
}

#[test]
fn the_authorization_page_says_who_asks_what_for_how_long_and_where_it_leads() {
    let html = authorize("Sleep Diary", None).render().unwrap();
    for words in ["Sleep Diary", "Night Owl Labs", "for 90 days, until 12 February 2027", "sleep-diary.example"] {
        assert!(html.contains(words), "{words}");
    }
    assert!(html.contains("<li>Letters.</li>"), "{html}");
}

#[test]
fn a_failed_try_is_announced_and_keeps_the_username_but_never_a_password() {
    for html in [authorize("A", Some("Wrong.")).render().unwrap(), sign_in(Some("Wrong.")).render().unwrap()] {
        assert!(html.contains("role=\"alert\"") && html.contains("<title>Error: "));
        assert!(html.contains("name=\"username\" type=\"text\" value=\"amina\""));
        let password = html.split('<').find(|tag| tag.contains("type=\"password\"")).unwrap();
        assert!(!password.contains("value=") && password.contains("aria-invalid=\"true\""));
    }
}

#[test]
fn the_refresh_token_stands_alone_in_its_output_and_only_when_just_granted() {
    let page = coordinator("Lab Bridge", &["Renal Unit"], true, None);
    let token = page.granted.as_ref().unwrap().refresh_token.text();
    assert!(page.render().unwrap().contains(&format!("<output id=\"refresh-token\">{token}</output>")));
    assert!(!format!("{page:?}").contains(token), "Debug must not tell the token");
    assert!(!coordinator("Lab Bridge", &["Renal Unit"], false, None).render().unwrap().contains("<output"));
}

#[test]
fn the_team_is_asked_for_only_when_there_are_several() {
    let html = |teams: &[&str]| coordinator("Lab Bridge", teams, false, None).render().unwrap();
    assert!(html(&["Renal Unit", "Diabetes Clinic"]).contains("<select id=\"team\" name=\"team\""));
    assert!(!html(&["Renal Unit"]).contains("name=\"team\""));
    assert!(!html(&[]).contains("name=\"client_id\""));
}

#[test]
fn every_page_leads_home_and_around_and_says_where_one_is() {
    for (page, html) in every_page("Sleep Diary").iter().filter(|(page, _)| !page.starts_with("sample")) {
        assert!(html.contains("<a class=\"mark\" href=\"/\">"), "{page}");
        assert_eq!(html.matches("<nav class=\"around\" aria-label=\"Pages\">").count(), 1, "{page}");
    }
    let html = connected_apps("Sleep Diary", 1).render().unwrap();
    assert!(html.contains("<a href=\"/connected-apps\" aria-current=\"page\">Connected apps</a>"));
    assert_eq!(html.matches("aria-current").count(), 1);
}

#[test]
fn what_a_partner_has_already_must_be_decided_about() {
    assert!(!grant_check("Lab Bridge", 0, None).render().unwrap().contains("type=\"radio\""));
    let html = grant_check("Lab Bridge", 1, None).render().unwrap();
    let choices: Vec<&str> = html.split('<').filter(|tag| tag.contains("type=\"radio\"")).collect();
    assert_eq!(choices.len(), 2);
    assert!(choices.iter().all(|choice| choice.contains(" required") && !choice.contains("checked")));
}

#[test]
fn every_way_to_disconnect_says_which_app_it_means() {
    let html = connected_apps("Sleep Diary", 1).render().unwrap();
    let way =
        "<a class=\"button stop\" href=\"/connected-apps/revoke/5\">Disconnect<span class=\"unseen\"> Sleep Diary by";
    assert!(html.contains(way), "{html}");
}
