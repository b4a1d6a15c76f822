//! What SMART's scopes can speak of: FHIR's types, and the token parameters by which each is found.

use fhir::parameters::kind::Kind;
use fhir::parameters::table;
use fhir::types;
use rules::smart::request::Vocabulary;

/// FHIR's own.
pub const VOCABULARY: Vocabulary = Vocabulary {
    is_type: |of| types::named(of).is_some(),
    has_token: |of, parameter| {
        let parameter = types::named(of).and_then(|of| table::find(of, parameter));
        parameter.is_some_and(|parameter| parameter.kind == Kind::Token)
    },
};
