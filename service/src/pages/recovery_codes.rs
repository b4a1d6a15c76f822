//! Recovery codes as they are made, and the only page that shows them.

use crate::app::App;
use crate::callers::sign_in::SignIn;
use crate::secrets::dice::NoRandomness;
use crate::secrets::invitation;
use crate::views::GuardedText;
use crate::views::second_factor::RecoveryCodesPage;
use crate::voices::page;
use axum::http::StatusCode;
use axum::response::Response;
use rules::limits::RECOVERY_CODES;
use store::factors::Fingerprint;

/// New ones, as they are shown and as they are kept.
#[derive(Default)]
pub(super) struct NewCodes {
    pub(super) shown: Vec<GuardedText>,
    pub(super) kept: Vec<Fingerprint>,
}

impl NewCodes {
    pub(super) fn draw() -> Result<Self, NoRandomness> {
        let mut codes = Self::default();
        for _ in 0..RECOVERY_CODES {
            let code = invitation::paper()?;
            codes.kept.push(invitation::fingerprint(code.reveal()));
            codes.shown.push(GuardedText::new(code.reveal()));
        }
        Ok(codes)
    }
}

/// The page that shows them.
pub(super) fn page(app: &App, person: &SignIn, heading: &'static str, codes: Vec<GuardedText>) -> Response {
    let frame = person.frame(app, "/second-factor");
    page::html(StatusCode::OK, &RecoveryCodesPage { frame, heading, codes })
}
