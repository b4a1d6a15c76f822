//! What the service answered, and the redirects among its answers.

use axum::http::HeaderMap;
use axum::response::Response;
use http_body_util::BodyExt;

/// An answer, read to its end.
#[derive(Clone, Debug)]
pub struct Reply {
    pub path: String,
    pub status: u16,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

impl Reply {
    pub async fn read(path: &str, response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes().to_vec();
        Self { path: path.to_owned(), status: parts.status.as_u16(), headers: parts.headers, body }
    }

    pub fn text(&self) -> String {
        String::from_utf8(self.body.clone()).unwrap()
    }

    pub fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.text()))
    }

    /// A header that is there once, or not at all.
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut all = self.headers.get_all(name).iter();
        let first = all.next()?;
        assert!(all.next().is_none(), "{name} is there twice");
        Some(first.to_str().unwrap())
    }

    /// The 303 that this must be.
    pub fn redirect(&self) -> Redirect {
        assert_eq!(self.status, 303, "{}", self.text());
        Redirect::to(self.header("location").unwrap())
    }

    /// The error page that this must be: never a redirect.
    pub fn error_page(&self, status: u16) -> String {
        assert_eq!(self.status, status, "{}", self.text());
        assert_eq!(self.header("location"), None);
        assert_eq!(self.header("content-type"), Some("text/html; charset=utf-8"));
        assert!(self.text().contains(&format!("Error {status}")), "{}", self.text());
        self.text()
    }
}

/// Where a redirect leads, and what it carries.
#[derive(Clone, Debug)]
pub struct Redirect {
    pub to: String,
    pub params: Vec<(String, String)>,
}

impl Redirect {
    fn to(location: &str) -> Self {
        let (to, query) = location.split_once('?').unwrap_or((location, ""));
        Self { to: to.to_owned(), params: form_urlencoded::parse(query.as_bytes()).into_owned().collect() }
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        let mut all = self.params.iter().filter(|(known, _)| known == name);
        let first = all.next()?;
        assert!(all.next().is_none(), "{name} is there twice");
        Some(&first.1)
    }

    pub fn code(&self) -> String {
        assert_eq!(self.get("error"), None);
        self.get("code").expect("a code").to_owned()
    }

    /// An error and no code.
    pub fn error(&self) -> &str {
        assert_eq!(self.get("code"), None);
        self.get("error").expect("an error")
    }
}
