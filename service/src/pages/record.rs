//! `/record`: a patient reads the own record, section by section, and a measurement or a test over time. A team's clinicians read
//! the records of its patients by the same sections.

use super::record_sections::{Asked, RecordSection, SectionItems};
use super::record_words::RecordPlace;
use super::{record_news, sharing};
use crate::app::App;
use crate::callers::caller::Caller;
use crate::callers::people::RecordSignIn;
use crate::formats::clinical_date;
use crate::http::call::Call;
use crate::http::{encoding, forms};
use crate::views::Link;
use crate::views::chart::{Chart, ChartReading, ChartSubject};
use crate::views::record::{RecordPage, RecordSectionPage, RecordSectionText};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::reference;
use rules::limits::LIST_LINES;
use views::order::ListKey;

pub(super) const PATH: &str = "/record";
/// How many of each section the first page shows.
const FEW: usize = 3;
/// The readings of a chart, and of the list beside it.
const READINGS: usize = 500;

/// `GET /record`.
pub async fn show(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let app = &call.app;
    let showing = async {
        let record = sharing::own(&caller)?;
        let place = RecordPlace { record: &record, base: PATH, is_own: true };
        let sections = overview(app, &caller, place).await?;
        let news = Some(record_news::of(app, &caller, place).await?);
        let page = RecordPage { frame: person.frame(app, PATH), whose: None, news, sections };
        Ok(page::html(StatusCode::OK, &page))
    };
    let answer = showing.await;
    person.keep(app, answer)
}

/// `GET /record/{section}`.
pub async fn show_section(RecordSignIn { person, caller }: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let (app, wanted) = (&call.app, asked(&call));
    let showing = async {
        let record = sharing::own(&caller)?;
        let place = RecordPlace { record: &record, base: PATH, is_own: true };
        let page = section(app, &caller, place, wanted?).await?;
        Ok(page::html(StatusCode::OK, &RecordSectionPage { frame: person.frame(app, PATH), ..page }))
    };
    let answer = showing.await;
    person.keep(app, answer)
}

/// Every section, and the newest few of each.
pub(super) async fn overview(
    app: &App,
    caller: &Caller,
    place: RecordPlace<'_>,
) -> Result<Vec<RecordSectionText>, PageStop> {
    let mut sections = Vec::new();
    for section in RecordSection::ALL {
        let asked = Asked { limit: FEW, ..Asked::default() };
        let items = section.items(app, caller, place, &asked).await?;
        let heading = section.heading();
        sections.push(RecordSectionText {
            id: section.word(),
            heading,
            newest: items.entries,
            way: Link { href: section.path(place), text: format!("All of {}", heading.to_lowercase()) },
        });
    }
    Ok(sections)
}

/// The section that a call asks for.
pub(super) async fn section(
    app: &App,
    caller: &Caller,
    place: RecordPlace<'_>,
    (section, asked): (RecordSection, Asked),
) -> Result<RecordSectionPage, PageStop> {
    let items = section.items(app, caller, place, &asked).await?;
    Ok(section_page(app, place, section, &asked, items))
}

/// What the address asks for.
pub(super) fn asked(call: &Call) -> Result<(RecordSection, Asked), PageStop> {
    let section = call.part("section").and_then(|word| RecordSection::named(&word)).ok_or_else(Problem::not_found)?;
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let after = match params.get("after") {
        Some(text) => Some(place(text).ok_or_else(Problem::unreadable_address)?),
        None => None,
    };
    let of = params.get("of").filter(|of| !of.is_empty()).map(String::from);
    let notice = match params.get("done") {
        Some("added") => Some("It is in your record now."),
        Some("changed") => Some("It is changed."),
        Some("removed") => Some("It is gone from your record."),
        _ => None,
    };
    let limit = if of.is_some() { READINGS } else { LIST_LINES };
    Ok((section, Asked { of, after, limit, notice }))
}

fn section_page(
    app: &App,
    place: RecordPlace<'_>,
    section: RecordSection,
    asked: &Asked,
    items: SectionItems,
) -> RecordSectionPage {
    let SectionItems { entries, readings, next } = items;
    let title = entries.first().filter(|_| asked.of.is_some()).map(|entry| entry.title.clone());
    let chart = title.as_ref().and_then(|title| {
        let text = |date: Option<&Option<String>>| {
            date.and_then(Option::as_ref).map(|date| clinical_date::text(date, &app.settings.time_zone))
        };
        let drawn: Vec<ChartReading> = readings
            .iter()
            .filter_map(|(date, series)| {
                let at = ListKey::new(date.as_deref(), "").date?;
                Some(ChartReading { at, value: series.value?, second: series.second })
            })
            .collect();
        // The newest is first; values of another unit cannot be drawn beside its.
        let (_, newest) = readings.first()?;
        let is_alike = readings.iter().all(|(_, series)| series.unit == newest.unit);
        let (from, to) = (text(readings.last().map(|(date, _)| date))?, text(readings.first().map(|(date, _)| date))?);
        let subject = ChartSubject { title, unit: &newest.unit, from: &from, to: &to, usual: newest.usual };
        is_alike.then(|| Chart::of(subject, &drawn)).flatten()
    });
    let back = match asked.of {
        Some(_) => Link { href: section.path(place), text: section.heading().into() },
        None => {
            let whole = if place.is_own { "My record" } else { "The whole record" };
            Link { href: place.base.into(), text: whole.into() }
        }
    };
    let older = next.map(|last| {
        let after = place_text(&last);
        let of = asked.of.as_deref().map(|of| ("of", of));
        format!("{}?{}", section.path(place), encoding::query(of.into_iter().chain([("after", after.as_str())])))
    });
    let heading = title.unwrap_or_else(|| section.heading().into());
    RecordSectionPage {
        frame: Default::default(),
        whose: None,
        heading,
        back,
        notice: asked.notice.filter(|_| place.is_own),
        addition: section.addition(place, asked.of.as_deref()),
        chart,
        entries,
        older,
    }
}

/// A place in a list as an address says it: microseconds since 1970, or nothing where there is no date, and the item.
pub(super) fn place_text(place: &ListKey) -> String {
    format!("{}.{}", place.date.map(|date| date.to_string()).unwrap_or_default(), place.id)
}

pub(super) fn place_of(text: &str) -> Option<ListKey> {
    let (date, id) = text.split_once('.')?;
    let date = if date.is_empty() { None } else { Some(date.parse().ok()?) };
    Some(ListKey { date, id: id.to_owned() })
}

/// The place of an item.
fn place(text: &str) -> Option<ListKey> {
    place_of(text).filter(|place| reference::is_id(&place.id))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written_and_nothing_else_is() {
        for written in [
            ListKey { date: Some(1_763_199_000_000_000), id: "a.b-1".into() },
            ListKey { date: Some(-5), id: "x".into() },
            ListKey { date: None, id: "x".into() },
        ] {
            assert_eq!(place(&place_text(&written)), Some(written));
        }
        for wrong in ["", "5", "x.y", "5.", "5.a b", "5.a/b"] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
    }
}
