//! The sample app's stylesheet and picture.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

pub(super) async fn read(Path(name): Path<String>) -> Response {
    let (media_type, text) = match name.as_str() {
        "sample-app.css" => ("text/css; charset=utf-8", include_str!("../../../assets/sample-app.css")),
        "sample-owl.svg" => ("image/svg+xml", include_str!("../../../assets/sample-owl.svg")),
        _ => return StatusCode::NOT_FOUND.into_response(),
    };
    let headers = [
        (header::CONTENT_TYPE, media_type),
        (header::CACHE_CONTROL, "public, max-age=3600"),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    ];
    (headers, text).into_response()
}
