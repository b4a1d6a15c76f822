//! The stylesheet, the pictures and the one script, built into the binary.

use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::voices::page::PageStop;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

macro_rules! asset {
    ($name:literal, $media_type:literal) => {
        ($name, $media_type, include_bytes!(concat!("../../assets/", $name)).as_slice())
    };
}

const ASSETS: [(&str, &str, &[u8]); 4] = [
    asset!("recordgate.css", "text/css; charset=utf-8"),
    asset!("passkey.js", "text/javascript; charset=utf-8"),
    asset!("recordgate.svg", "image/svg+xml"),
    asset!("recordgate-shut.svg", "image/svg+xml"),
];

pub async fn read(_: Anyone, call: Call) -> Result<Response, PageStop> {
    let name = call.part("name");
    Ok(match ASSETS.iter().find(|(known, ..)| name.as_deref() == Some(*known)) {
        Some((_, media_type, bytes)) => {
            let headers = [
                (header::CONTENT_TYPE, *media_type),
                (header::CACHE_CONTROL, "public, max-age=3600"),
                (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            ];
            (headers, *bytes).into_response()
        }
        None => StatusCode::NOT_FOUND.into_response(),
    })
}
