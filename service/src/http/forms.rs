//! Forms: reading them within bounds, and the sealed value that makes ours unforgeable.

use super::encoding::{self, NotText};
use crate::app::App;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use rules::limits::{FORM_BODY_BYTES, TEXT_FORM_BYTES};
use rules::params::{ParamFault, Params};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The hidden field that carries a sealed value.
pub const FIELD: &str = rules::params::SEALED_FIELD;
const PREFIX: &str = "rgf_";

/// Why a body is not a form that can be read.
#[derive(Debug)]
pub enum FormFault {
    NotAForm,
    TooLarge,
    /// The client went away before the body was complete.
    Broken,
    Unreadable(ParamFault),
}

/// Reads a form.
pub async fn read(headers: &HeaderMap, body: Body) -> Result<Params<'static>, FormFault> {
    let encoded = encoded(headers, body).await?;
    params(&encoded).map(Params::into_owned).map_err(FormFault::Unreadable)
}

/// The same of a form with a field for a text.
pub async fn read_long(headers: &HeaderMap, body: Body) -> Result<Params<'static>, FormFault> {
    let encoded = encoded_within(headers, body, TEXT_FORM_BYTES).await?;
    params(&encoded).map(Params::into_owned).map_err(FormFault::Unreadable)
}

/// Reads an `application/x-www-form-urlencoded` body of at most `FORM_BODY_BYTES`, as it was sent.
pub async fn encoded(headers: &HeaderMap, body: Body) -> Result<Bytes, FormFault> {
    encoded_within(headers, body, FORM_BODY_BYTES).await
}

async fn encoded_within(headers: &HeaderMap, body: Body, most_bytes: usize) -> Result<Bytes, FormFault> {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(FormFault::NotAForm);
    }
    let mut body = Limited::new(body, most_bytes);
    // Nearly every form comes in one piece, which then is the form. Only where more follow are they put together, and
    // each is copied once, however many a client makes of it.
    let (mut first, mut together) = (Bytes::new(), Vec::new());
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| match error.downcast_ref::<LengthLimitError>() {
            Some(_) => FormFault::TooLarge,
            None => FormFault::Broken,
        })?;
        let piece = frame.into_data().unwrap_or_default();
        if !together.is_empty() {
            together.extend_from_slice(&piece);
        } else if first.is_empty() {
            first = piece;
        } else {
            together = [first.as_ref(), &piece].concat();
        }
        if body.is_end_stream() {
            break;
        }
    }
    Ok(if together.is_empty() { first } else { together.into() })
}

/// Reads the parameters of a query or of a form body. Those of a token request seldom have anything to decode, and are
/// then read as they stand.
pub fn params(encoded: &[u8]) -> Result<Params<'_>, ParamFault> {
    match std::str::from_utf8(encoded) {
        Ok(plain) if is_plain(encoded) => Params::read(plain_pairs(plain)),
        _ => Params::read(encoding::pairs(encoded).map_err(|NotText(name)| ParamFault::not_text(&name))?),
    }
}

/// Whether there is nothing to decode. Every byte is looked at: a search that ends at the first find is several times
/// slower, because it takes one byte after the other.
fn is_plain(encoded: &[u8]) -> bool {
    !encoded.iter().fold(false, |found, byte| found | matches!(byte, b'%' | b'+'))
}

fn plain_pairs(plain: &str) -> impl Iterator<Item = (&str, &str)> {
    let pairs = plain.split('&').filter(|pair| !pair.is_empty());
    pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

/// Seals what a form must bring back unchanged. Nothing about an open page is kept on the server.
#[must_use]
pub fn seal(app: &App, content: &impl Serialize) -> String {
    serde_json::to_vec(content).ok().and_then(|bytes| app.keys.seal(PREFIX, &bytes)).unwrap_or_default()
}

/// Opens what `seal` made; `None` for anything else.
#[must_use]
pub fn open<T: DeserializeOwned>(app: &App, sealed: &str) -> Option<T> {
    serde_json::from_slice(&app.keys.open_sealed(PREFIX, sealed)?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use hyper::body::Frame;
    use proptest::prelude::*;
    use std::pin::Pin;
    use std::task::{Context, Poll};

    proptest! {
        /// What is read as it stands is what decoding would have made of it.
        #[test]
        fn parameters_with_nothing_to_decode_are_read_as_any_others(sent in "([a-z_=&é ]|client_id=|&&|==){0,12}") {
            prop_assert_eq!(params(sent.as_bytes()), Params::read(form_urlencoded::parse(sent.as_bytes())));
        }
    }

    #[test]
    fn what_is_encoded_is_decoded_whatever_else_was_sent() {
        let read = params(b"client_id=plain&redirect_uri=https%3A%2F%2Fapp.example%2F&state=a+b").unwrap();
        let found = ["client_id", "redirect_uri", "state"].map(|name| read.get(name));
        assert_eq!(found, [Some("plain"), Some("https://app.example/"), Some("a b")]);
    }

    /// A body as it comes in; `None` is where its client goes away.
    struct Pieces(std::vec::IntoIter<Option<Bytes>>);

    impl HttpBody for Pieces {
        type Data = Bytes;
        type Error = std::io::Error;

        fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<std::io::Result<Frame<Bytes>>>> {
            let broken = || std::io::ErrorKind::ConnectionReset.into();
            Poll::Ready(self.0.next().map(|piece| piece.map(Frame::data).ok_or_else(broken)))
        }
    }

    async fn sent(pieces: Vec<Option<Bytes>>) -> Result<Bytes, FormFault> {
        let form = HeaderValue::from_static("application/x-www-form-urlencoded");
        let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, form)]);
        encoded(&headers, Body::new(Pieces(pieces.into_iter()))).await
    }

    #[tokio::test]
    async fn a_form_may_come_in_pieces() {
        let pieces = ["client_id=sleep", "", "-diary", "&scope=PATIENT"].map(|piece| Some(Bytes::from(piece)));
        assert_eq!(sent(pieces.into()).await.unwrap(), "client_id=sleep-diary&scope=PATIENT");
    }

    #[tokio::test]
    async fn the_pieces_of_a_form_may_be_as_long_as_the_limit_together_and_no_longer() {
        let piece = Some(Bytes::from_static(b"a"));
        assert_eq!(sent(vec![piece.clone(); FORM_BODY_BYTES]).await.unwrap().len(), FORM_BODY_BYTES);
        let too_many = sent(vec![piece; FORM_BODY_BYTES + 1]).await;
        assert!(matches!(too_many, Err(FormFault::TooLarge)), "{too_many:?}");
    }

    #[tokio::test]
    async fn a_form_that_breaks_off_is_no_form() {
        let half = sent(vec![Some(Bytes::from_static(b"client_id=sleep")), None]).await;
        assert!(matches!(half, Err(FormFault::Broken)), "{half:?}");
    }
}
