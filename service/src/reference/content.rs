//! The documentation as sections and tables, from the list of routes.

use super::listing::{Input, Listing, ParameterPlace, Payload};
use super::refusals;
use crate::callers::requirement::Who;
use crate::views::reference::{ReferenceContent, ReferenceRoute, ReferenceSection, ReferenceTable};
use crate::voices::stop::Voice;

/// Sections in the order of the page.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    OAuth,
    Discovery,
    Rest,
    Fhir,
    Pages,
    Health,
}

impl Part {
    const ALL: [Self; 6] = [Self::OAuth, Self::Discovery, Self::Rest, Self::Fhir, Self::Pages, Self::Health];

    const fn of(voice: Voice) -> Self {
        match voice {
            Voice::Authorization | Voice::Token => Self::OAuth,
            Voice::Discovery => Self::Discovery,
            Voice::Rest => Self::Rest,
            Voice::Fhir => Self::Fhir,
            Voice::Page => Self::Pages,
            Voice::Health => Self::Health,
        }
    }

    /// Id, title, and a sentence.
    const fn words(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::OAuth => ("oauth", "OAuth 2.0", "How a client comes by tokens, gives them up, and asks about them."),
            Self::Discovery => (
                "discovery",
                "Discovery",
                "What the service is and can, for clients that find their way by themselves.",
            ),
            Self::Rest => (
                "rest",
                "Custom REST API",
                "JSON. Every path is there under /json/v1, /json/v2 and /json/v2-beta, too, and answers alike. docs/rest.md says what \
                 each operation takes and gives.",
            ),
            Self::Fhir => {
                ("fhir", "FHIR API", "FHIR R4 as application/fhir+json; /fhir/metadata describes it to programs.")
            }
            Self::Pages => ("pages", "Pages", "For people, in a browser."),
            Self::Health => ("health", "Health", "For whoever watches the service."),
        }
    }
}

pub(super) fn content(listings: &[Listing]) -> ReferenceContent {
    let sections = Part::ALL.map(|part| {
        let (id, title, about) = part.words();
        let own = listings.iter().filter(|listing| Part::of(listing.voice) == part && !listing.is_prefixed());
        ReferenceSection { id, title, about, routes: own.map(route).collect() }
    });
    ReferenceContent { sections: sections.into(), refusals: refusals::sections() }
}

fn route(listing: &Listing) -> ReferenceRoute {
    let title = format!("{} {}", listing.method, listing.path);
    let inputs: Vec<[String; 4]> = listing.inputs.iter().map(input).collect();
    let outputs = listing.outputs().into_iter();
    let outputs =
        outputs.map(|output| [output.status.to_string(), media(output.payload).into(), output.meaning.into()]);
    ReferenceRoute {
        sentence: listing.sentence,
        caller: caller(listing.who, listing.voice),
        sandbox_only: listing.sandbox_only,
        inputs: (!inputs.is_empty()).then(|| {
            let columns = ["Parameter", "Where", "Needed", "What it is"];
            ReferenceTable::new(format!("Parameters of {title}"), columns, inputs)
        }),
        outputs: ReferenceTable::new(format!("Answers of {title}"), ["Status", "Body", "When"], outputs.collect()),
        title,
    }
}

fn input(input: &Input) -> [String; 4] {
    let words = input.words.map(|words| format!(" One of: {}.", words().join(", "))).unwrap_or_default();
    let place = match input.place {
        ParameterPlace::Path => "path",
        ParameterPlace::Query => "query",
        ParameterPlace::Header => "header",
        ParameterPlace::Form => "form",
        ParameterPlace::Json => "JSON body",
    };
    let needed = if input.is_required { "yes" } else { "no" };
    [input.name.into(), place.into(), needed.into(), format!("{}{words}", input.about)]
}

const fn caller(who: Who, voice: Voice) -> &'static str {
    match who {
        Who::Anyone if matches!(voice, Voice::Token) => "a client, which says who it is in the request.",
        Who::Anyone => "anyone.",
        Who::FhirReader => "a client with an access token for the FHIR API.",
        Who::FhirWriter => {
            "a client with an access token for the FHIR API: of a patient, a clinician or a team, or a System Client."
        }
        Who::FhirSender => "a client with an access token for the FHIR API, but not a patient's.",
        Who::FhirSystem => "a System Client with an access token, for the organisation that it names.",
        Who::RestReader => "a client with an access token for the custom REST API; System Clients have none.",
        Who::RestWriter => {
            "a client with an access token for the custom REST API: of a patient, a clinician or a team."
        }
        Who::RestPatient => "a client with an access token of a patient for the custom REST API.",
        Who::RestTeamReader => {
            "a client with an access token for the custom REST API: of a clinician, a Team Coordinator or a team."
        }
        Who::RestTeamWriter => "a client with an access token for the custom REST API: of a clinician or a team.",
        Who::RestCoordinator => {
            "a client with an access token for the custom REST API: of a Team Coordinator or a team."
        }
        Who::Person => "a signed-in person.",
        Who::Patient => "a signed-in patient.",
        Who::Coordinator => "a signed-in Team Coordinator.",
        Who::Clinician => "a signed-in clinician.",
        Who::Admin => "a signed-in administrator.",
        Who::Officer => "a signed-in privacy officer.",
    }
}

fn media(payload: Payload) -> &'static str {
    if payload.other_media_type().is_some() {
        return "application/json or text/csv";
    }
    payload.media_type().unwrap_or(if payload == Payload::Content { "any type" } else { "none" })
}
