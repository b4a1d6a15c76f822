//! The sections of a record: what each is called, and its items, asked of the same interactions as the custom REST
//! API asks, so that a page never shows more than an app would see.

use super::record_words::{ItemWords, PageItem, RecordPlace, Series, is_own, written_by};
use crate::app::App;
use crate::callers::caller::Caller;
use crate::http::encoding;
use crate::interactions::items::kind::{self, Criterion, ItemKind};
use crate::interactions::items::list::{self, ListPage, ListRequest};
use crate::views::Link;
use crate::views::record::{DateText, RecordEntry};
use crate::voices::page::PageStop;
use crate::voices::problem::Problem;
use rules::labels::Label;
use views::item::ItemMembers;
use views::kinds::allergy::Allergy;
use views::kinds::appointment::Appointment;
use views::kinds::diagnosis::Diagnosis;
use views::kinds::document::Document;
use views::kinds::journal::JournalEntry;
use views::kinds::measurement::Measurement;
use views::kinds::medication::Medication;
use views::kinds::plan::Plan;
use views::kinds::symptom::Symptom;
use views::kinds::test_result::TestResult;
use views::list::ListQuery;
use views::measurement_types::MeasurementType;
use views::order::ListKey;
use views::view::Shown;

/// A section of the record that has a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RecordSection {
    Tests,
    Measurements,
    Medicines,
    Allergies,
    Conditions,
    Symptoms,
    Appointments,
    Plans,
    Letters,
    Journal,
}

/// Which items of a section are asked for.
#[derive(Debug, Default)]
pub(super) struct Asked {
    /// Those of one kind over time: a type of measurements, a test.
    pub of: Option<String>,
    pub after: Option<ListKey>,
    pub limit: usize,
    /// What was done just now.
    pub notice: Option<&'static str>,
}

/// Some items, with what a chart of them needs.
#[derive(Debug)]
pub(super) struct SectionItems {
    pub entries: Vec<RecordEntry>,
    /// The readings of the same items that are one of several, with their dates.
    pub readings: Vec<(Option<String>, Series)>,
    pub next: Option<ListKey>,
}

impl RecordSection {
    pub(super) const ALL: [Self; 10] = [
        Self::Tests,
        Self::Measurements,
        Self::Medicines,
        Self::Allergies,
        Self::Conditions,
        Self::Symptoms,
        Self::Appointments,
        Self::Plans,
        Self::Letters,
        Self::Journal,
    ];

    /// As addresses say it.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::Tests => "tests",
            Self::Measurements => "measurements",
            Self::Medicines => "medicines",
            Self::Allergies => "allergies",
            Self::Conditions => "conditions",
            Self::Symptoms => "symptoms",
            Self::Appointments => "appointments",
            Self::Plans => "plans",
            Self::Letters => "letters",
            Self::Journal => "journal",
        }
    }

    pub(super) const fn heading(self) -> &'static str {
        match self {
            Self::Tests => "Test results",
            Self::Measurements => "Measurements",
            Self::Medicines => "Medicines",
            Self::Allergies => "Allergies",
            Self::Conditions => "Conditions",
            Self::Symptoms => "Symptoms",
            Self::Appointments => "Appointments",
            Self::Plans => "Plans",
            Self::Letters => "Letters and documents",
            Self::Journal => "Journal",
        }
    }

    pub(super) fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|section| section.word() == word)
    }

    pub(super) fn path(self, place: RecordPlace<'_>) -> String {
        format!("{}/{}", place.base, self.word())
    }

    /// The items that are asked for, noted as every look is.
    pub(super) async fn items(
        self,
        app: &App,
        caller: &Caller,
        place: RecordPlace<'_>,
        asked: &Asked,
    ) -> Result<SectionItems, PageStop> {
        let plain = asked.of.is_none();
        match self {
            Self::Tests => {
                let mut criteria = TestResult::criteria();
                if let Some(of) = asked.of.as_deref() {
                    criteria.iter_mut().for_each(|one| one.push(kind::tests(std::iter::once(of))));
                }
                let is_asked = |one: &TestResult| plain || one.test_id == asked.of;
                self.listed((app, caller), place, (asked, criteria), is_asked).await
            }
            Self::Measurements => {
                let criteria = match asked.of.as_deref() {
                    Some(of) if MeasurementType::named(of).is_none() => return Err(Problem::not_found().into()),
                    Some(of) => vec![vec![kind::codes(std::iter::once(of))]],
                    None => Measurement::criteria(),
                };
                let is_asked = |one: &Measurement| asked.of.as_ref().is_none_or(|of| *of == one.api_ref);
                self.listed((app, caller), place, (asked, criteria), is_asked).await
            }
            _ if !plain => Err(Problem::not_found().into()),
            Self::Medicines => self.all::<Medication>((app, caller), place, asked).await,
            Self::Allergies => self.all::<Allergy>((app, caller), place, asked).await,
            Self::Conditions => self.all::<Diagnosis>((app, caller), place, asked).await,
            Self::Symptoms => self.all::<Symptom>((app, caller), place, asked).await,
            Self::Appointments => self.all::<Appointment>((app, caller), place, asked).await,
            Self::Plans => self.all::<Plan>((app, caller), place, asked).await,
            Self::Letters => self.all::<Document>((app, caller), place, asked).await,
            Self::Journal => self.all::<JournalEntry>((app, caller), place, asked).await,
        }
    }

    async fn all<K: PageItem>(
        self,
        by: (&App, &Caller),
        place: RecordPlace<'_>,
        asked: &Asked,
    ) -> Result<SectionItems, PageStop> {
        self.listed(by, place, (asked, K::criteria()), |_: &K| true).await
    }

    /// The first items that a list of this query has.
    pub(super) async fn some<K: PageItem>(
        self,
        (app, caller): (&App, &Caller),
        place: RecordPlace<'_>,
        query: &ListQuery,
    ) -> Result<Vec<(Shown<K>, RecordEntry)>, PageStop> {
        let request = ListRequest { record: place.record, query, after: None, criteria: K::criteria() };
        let page: ListPage<K> = list::list(app, caller, request, |_| true).await?;
        let entry = |shown: Shown<K>| {
            let entry = self.entry(app, place, &shown.item, &shown.view.words(), false);
            (shown, entry)
        };
        Ok(page.items.into_iter().map(entry).collect())
    }

    async fn listed<K: PageItem>(
        self,
        (app, caller): (&App, &Caller),
        place: RecordPlace<'_>,
        (asked, criteria): (&Asked, Vec<Vec<Criterion>>),
        is_asked: impl Fn(&K) -> bool + Send + Sync,
    ) -> Result<SectionItems, PageStop> {
        let mut query = ListQuery::default();
        query.limit = Some(asked.limit);
        let request = ListRequest { record: place.record, query: &query, after: asked.after.clone(), criteria };
        let ListPage { items, next, .. } = list::list(app, caller, request, is_asked).await?;
        let mut found = SectionItems { entries: Vec::new(), readings: Vec::new(), next };
        for shown in items {
            let words = shown.view.words();
            found.entries.push(self.entry(app, place, &shown.item, &words, asked.of.is_none()));
            found.readings.extend(words.series.map(|series| (words.date, series)));
        }
        Ok(found)
    }

    fn entry(
        self,
        app: &App,
        place: RecordPlace<'_>,
        item: &ItemMembers,
        words: &ItemWords,
        leads_on: bool,
    ) -> RecordEntry {
        let over_time = words.series.as_ref().filter(|_| leads_on);
        let label = item.privacy_label.and_then(|label| Label::named(label.word()));
        RecordEntry {
            title: words.title.clone(),
            value: words.value.clone(),
            date: words.date.clone().map(|date| DateText::new(date, &app.settings.time_zone)),
            details: words.details.clone(),
            by: written_by(place, item),
            label: label.map_or("No privacy label", Label::words),
            way: self.way(place, item),
            over_time: over_time.map(|series| {
                format!("{}?{}", self.path(place), encoding::query([("of", series.of.as_str())].into_iter()))
            }),
        }
    }

    /// To the form by which the reader adds one of their own, with the type that is looked at.
    pub(super) fn addition(self, place: RecordPlace<'_>, of: Option<&str>) -> Option<Link> {
        let text = match self {
            Self::Measurements => "Add a measurement",
            Self::Journal => "Write into your journal",
            _ => return None,
        };
        let query = of.map(|of| format!("?{}", encoding::query([("of", of)].into_iter()))).unwrap_or_default();
        place.is_own.then(|| Link { href: format!("{}/new{query}", self.path(place)), text: text.into() })
    }

    /// To the page of an item by itself, where it has one.
    fn way(self, place: RecordPlace<'_>, item: &ItemMembers) -> Option<Link> {
        let text = match self {
            Self::Letters => "Open this letter",
            Self::Measurements | Self::Journal if is_own(place, item) => "Correct or remove",
            _ => return None,
        };
        Some(Link { href: format!("{}/{}", self.path(place), item.id), text: text.into() })
    }
}
