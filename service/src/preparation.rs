//! Resources on their way into the store: prepared by `fhir`, within the limits that `rules` sets.

use fhir::limits::Limits;
use fhir::preparation::{self, Preparation};
use rules::limits::{RESOURCE_DEPTH, RESOURCE_TOKENS, TOKEN_BYTES};
use store::writing::{CutBody, NewResource, Token};

pub const LIMITS: Limits = Limits { depth: RESOURCE_DEPTH, tokens: RESOURCE_TOKENS, token_bytes: TOKEN_BYTES };

/// Our FHIR base URL: a reference under it is a reference to what we hold.
#[must_use]
pub fn base(base_url: &str) -> String {
    format!("{base_url}/fhir")
}

/// Prepares any R4 resource to be stored under the id that it carries, or says what is wrong with it.
pub fn prepare(json: &str, base: &str) -> Result<NewResource, String> {
    preparation::prepare(json, base, &LIMITS).map(new_resource).map_err(|fault| fault.to_string())
}

/// What was prepared, as the store takes it: in the compartment of the first patient that it names.
#[must_use]
pub fn new_resource(prepared: Preparation) -> NewResource {
    let tokens = prepared.tokens.into_iter();
    NewResource {
        type_name: prepared.resource_type.name().into(),
        fhir_id: prepared.id,
        patient_id: prepared.patients.into_iter().next(),
        tokens: tokens.map(|t| Token { parameter: t.parameter, system: t.system, value: t.value }).collect(),
        body: CutBody { before: prepared.body.before, after: prepared.body.after },
    }
}
