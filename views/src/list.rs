//! The parameters of lists: read from a query, all that is wrong told at once, and asked of each item.

use crate::item::PrivacyLabel;
use crate::members::date::is_clinical;
use fhir::values::date::DateTime;
use fhir::values::span::Span;
use rules::rest_errors::RestError;
use rules::rest_faults::{MOST_ON_A_PAGE, ShapeFault, ValueFault};

/// The parameters of every list.
pub const LIST_PARAMETERS: [&str; 6] = ["from", "to", "since", "privacyLabel", "limit", "after"];

/// A parameter that an operation has beside those.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OwnParameter {
    /// Any text, once.
    Text(&'static str),
    /// One of these words, once.
    Word(&'static str, &'static [&'static str]),
    /// `true` or `false`, once.
    Flag(&'static str),
    /// Up to so many texts, with commas between or repeated.
    Several(&'static str, usize),
}

impl OwnParameter {
    const fn name(self) -> &'static str {
        match self {
            Self::Text(name) | Self::Word(name, _) | Self::Flag(name) | Self::Several(name, _) => name,
        }
    }
}

/// What a list is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery {
    from: Option<Span>,
    to: Option<Span>,
    /// The moment as it was sent, and what it means.
    pub since: Option<(String, Span)>,
    pub privacy_label: Option<PrivacyLabel>,
    pub limit: Option<usize>,
    /// A sealed place in the list, as a link gave it.
    pub after: Option<String>,
    own: Vec<(&'static str, String)>,
}

impl ListQuery {
    /// Reads a query of a list, with what the operation has beside the parameters of every list.
    pub fn read(pairs: &[(String, String)], own: &[OwnParameter]) -> Result<Self, RestError> {
        Self::read_only(pairs, &LIST_PARAMETERS, own)
    }

    /// The same of an operation that has only these of them.
    pub fn read_only(
        pairs: &[(String, String)],
        common: &[&'static str],
        own: &[OwnParameter],
    ) -> Result<Self, RestError> {
        let mut query = Self::default();
        let mut faults: Vec<String> = Vec::new();
        let known: Vec<&str> = common.iter().copied().chain(own.iter().map(|one| one.name())).collect();
        let mut seen: Vec<&str> = Vec::new();
        for (name, value) in pairs {
            let owned = own.iter().find(|one| one.name() == name);
            if !known.contains(&name.as_str()) {
                let shown: String = name.chars().take(100).collect();
                faults.push(ShapeFault::UnknownParameter { name: &shown, known: &known.join(", ") }.words());
                continue;
            }
            let is_again = seen.contains(&name.as_str());
            seen.push(name);
            let read = match owned {
                Some(own) => query.take_own(*own, value, is_again),
                None if is_again => Err(ValueFault::Twice.words()),
                None => query.take(name, value),
            };
            if let Err(why) = read {
                faults.push(ShapeFault::Parameter { name, why: &why }.words());
            }
        }
        if faults.is_empty() { Ok(query) } else { Err(RestError::BadRequest(faults.join("; "))) }
    }

    fn take(&mut self, name: &str, value: &str) -> Result<(), String> {
        let date = || match Span::read(value) {
            Some(span) if is_clinical(value) => Ok(span),
            _ => Err(ValueFault::NoDate.words()),
        };
        match name {
            "from" => self.from = Some(date()?),
            "to" => self.to = Some(date()?),
            "since" => {
                let span = Span::read(value).filter(|_| DateTime::read(value).is_some_and(|read| read.is_instant()));
                self.since = Some((value.into(), span.ok_or_else(|| ValueFault::NoMoment.words())?));
            }
            "privacyLabel" => {
                let words = || ValueFault::NotOneOf(&PrivacyLabel::WORDS.join(", ")).words();
                let label = PrivacyLabel::named(value).ok_or_else(words);
                self.privacy_label = Some(label?);
            }
            "limit" => {
                let limit = value.parse().ok().filter(|limit| (1..=MOST_ON_A_PAGE).contains(limit));
                let fault = || ValueFault::NotBetween("1", &MOST_ON_A_PAGE.to_string()).words();
                self.limit = Some(limit.filter(|_| value.bytes().all(|byte| byte.is_ascii_digit())).ok_or_else(fault)?);
            }
            _ if value.is_empty() => return Err(ValueFault::Empty.words()),
            _ => self.after = Some(value.into()),
        }
        Ok(())
    }

    fn take_own(&mut self, own: OwnParameter, value: &str, is_again: bool) -> Result<(), String> {
        let words: &[&str] = match own {
            OwnParameter::Several(name, most) => {
                let values = value.split(',').map(str::trim).filter(|value| !value.is_empty());
                self.own.extend(values.map(|value| (name, value.to_owned())));
                let count = self.several(name).count();
                return if (1..=most).contains(&count) { Ok(()) } else { Err(ValueFault::TooMany(most).words()) };
            }
            _ if is_again => return Err(ValueFault::Twice.words()),
            OwnParameter::Text(_) if value.is_empty() => return Err(ValueFault::Empty.words()),
            OwnParameter::Text(_) => &[],
            OwnParameter::Word(_, words) => words,
            OwnParameter::Flag(_) => &["true", "false"],
        };
        if !words.is_empty() && !words.contains(&value) {
            return Err(ValueFault::NotOneOf(&words.join(", ")).words());
        }
        self.own.push((own.name(), value.into()));
        Ok(())
    }

    /// The value of a parameter that the operation has itself.
    #[must_use]
    pub fn own(&self, name: &str) -> Option<&str> {
        self.own.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// Whether a flag is set.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        self.own(name) == Some("true")
    }

    /// All values of a parameter that can have several.
    pub fn several<'q>(&'q self, name: &'q str) -> impl Iterator<Item = &'q str> {
        self.own.iter().filter(move |(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    /// Whether an item is asked for, by its clinical date and its label. A date that is less than a day is all of its time.
    #[must_use]
    pub fn takes(&self, clinical_date: Option<&str>, label: Option<PrivacyLabel>) -> bool {
        let is_dated = self.from.is_none() && self.to.is_none()
            || clinical_date.and_then(Span::read).is_some_and(|date| {
                self.from.is_none_or(|from| date.high > from.low) && self.to.is_none_or(|to| date.low < to.high)
            });
        is_dated && self.privacy_label.is_none_or(|wanted| label == Some(wanted))
    }

    /// Whether what was stored at this moment is as new as `since` asks for.
    #[must_use]
    pub fn is_since(&self, date_updated: &str) -> bool {
        let Some((_, since)) = &self.since else { return true };
        Span::read(date_updated).is_some_and(|updated| updated.low >= since.low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str, own: &[OwnParameter]) -> Result<ListQuery, String> {
        let pairs: Vec<(String, String)> = query
            .split('&')
            .filter(|part| !part.is_empty())
            .map(|part| part.split_once('=').map_or((part, ""), |pair| pair))
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        ListQuery::read(&pairs, own).map_err(|error| error.answer().message.into_owned())
    }

    #[test]
    fn a_parameter_that_is_not_known_is_told_with_those_that_are() {
        let own = [OwnParameter::Word("status", &["ACTIVE", "RESOLVED"])];
        let expected = "unknown parameter colour; known: from, to, since, privacyLabel, limit, after, status";
        assert_eq!(read("colour=red", &own), Err(expected.into()));
    }

    #[test]
    fn all_that_is_wrong_is_told_at_once() {
        let own = [OwnParameter::Word("status", &["ACTIVE", "RESOLVED"]), OwnParameter::Flag("all")];
        let told =
            read("from=yesterday&since=2026&limit=0&limit=5&status=active&all=1&privacyLabel=X", &own).unwrap_err();
        let parts: Vec<&str> = told.split("; ").collect();
        let begins = |at: usize, text: &str| assert!(parts[at].starts_with(text), "{parts:?}");
        begins(0, "parameter from: must be a date");
        begins(1, "parameter since: must be a moment");
        begins(2, "parameter limit: must be from 1 to 1000");
        begins(3, "parameter limit: was sent twice");
        begins(5, "parameter status: must be one of ACTIVE, RESOLVED");
        begins(6, "parameter all: must be one of true, false");
        begins(7, "parameter privacyLabel: must be one of GENERAL_HEALTH");
    }

    #[test]
    fn a_limit_is_from_1_to_1000() {
        for good in ["1", "20", "1000"] {
            assert_eq!(read(&format!("limit={good}"), &[]).unwrap().limit, good.parse().ok());
        }
        for wrong in ["0", "-1", "1001", "10000000", "99999999999999999999999", "", "1.5", "+5", "x"] {
            assert!(read(&format!("limit={wrong}"), &[]).is_err(), "{wrong}");
        }
    }

    #[test]
    fn an_item_is_asked_for_by_all_the_time_that_its_date_means() {
        let query = read("from=2026-05&to=2026-06-10", &[]).unwrap();
        for (date, is_taken) in [
            ("2026", true),
            ("2026-05-01", true),
            ("2026-06-10T23:59:59Z", true),
            ("2026-06-11", false),
            ("2026-04-30", false),
            ("2025", false),
        ] {
            assert_eq!(query.takes(Some(date), None), is_taken, "{date}");
        }
        assert!(!query.takes(None, None) && ListQuery::default().takes(None, None));
        let labelled = read("privacyLabel=SOCIAL_CARE", &[]).unwrap();
        assert!(labelled.takes(None, Some(PrivacyLabel::SocialCare)) && !labelled.takes(None, None));
    }

    #[test]
    fn since_is_at_or_after() {
        let query = read("since=2026-05-04T10:00:00%2B".replace("%2B", "+01:00").as_str(), &[]).unwrap();
        assert!(query.is_since("2026-05-04T09:00:00.000Z") && !query.is_since("2026-05-04T08:59:59.999Z"));
    }

    #[test]
    fn several_values_come_with_commas_or_repeated() {
        let own = [OwnParameter::Several("apiRefs", 3)];
        let query = read("apiRefs=weight,height&apiRefs=inr", &own).unwrap();
        assert_eq!(query.several("apiRefs").collect::<Vec<_>>(), ["weight", "height", "inr"]);
        assert_eq!(read("apiRefs=a,b,c,d", &own), Err("parameter apiRefs: must name 1 to 3 values".into()));
        assert!(read("apiRefs=,", &own).is_err());
    }
}
