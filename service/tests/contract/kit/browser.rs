//! A browser: keeps cookies, says where its requests come from, and follows the forms of our pages.

use super::page::Page;
use super::reply::Reply;
use super::requests::{encoded, fields, request};
use super::world::{LOCAL, World};
use axum::body::Body;
use axum::http::{Method, Request, header};
use std::collections::BTreeMap;
use std::net::IpAddr;

/// A browser with its cookies.
#[derive(Clone)]
pub struct Browser<'w> {
    pub world: &'w World,
    /// Where its requests come from.
    pub address: IpAddr,
    pub cookies: BTreeMap<String, String>,
    /// What it says in `Sec-Fetch-Site` when it posts; `None`: an older browser, which says nothing.
    pub fetch_site: Option<&'static str>,
    pub origin: Option<&'static str>,
}

impl<'w> Browser<'w> {
    pub fn new(world: &'w World) -> Self {
        Self { world, address: LOCAL, cookies: BTreeMap::new(), fetch_site: Some("same-origin"), origin: None }
    }

    pub async fn get(&mut self, path: &str) -> Reply {
        self.send(Method::GET, path, &[]).await
    }

    /// Shows a page that must be there.
    pub async fn sees(&mut self, path: &str) -> Page {
        let reply = self.get(path).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        Page::of(&reply)
    }

    pub async fn post(&mut self, path: &str, fields: &[(String, String)]) -> Reply {
        self.send(Method::POST, path, fields).await
    }

    async fn send(&mut self, method: Method, path: &str, fields: &[(String, String)]) -> Reply {
        let reply = self.world.send_from(self.address, self.request(method, path, fields)).await;
        self.keep_cookies(&reply);
        reply
    }

    /// What it would send.
    pub fn request(&self, method: Method, path: &str, fields: &[(String, String)]) -> Request<Body> {
        let mut builder = request(method.clone(), path);
        if !self.cookies.is_empty() {
            let all: Vec<String> = self.cookies.iter().map(|(name, value)| format!("{name}={value}")).collect();
            builder = builder.header(header::COOKIE, all.join("; "));
        }
        let mut body = Body::empty();
        if method == Method::POST {
            builder = builder.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
            if let Some(site) = self.fetch_site {
                builder = builder.header("sec-fetch-site", site);
            }
            if let Some(origin) = self.origin {
                builder = builder.header(header::ORIGIN, origin);
            }
            body = Body::from(encoded(fields));
        }
        builder.body(body).unwrap()
    }

    fn keep_cookies(&mut self, reply: &Reply) {
        for line in reply.headers.get_all(header::SET_COOKIE) {
            let line = line.to_str().unwrap();
            let (name, value) = line.split(';').next().unwrap().split_once('=').unwrap();
            if line.contains("Max-Age=0;") {
                self.cookies.remove(name);
            } else {
                self.cookies.insert(name.to_owned(), value.to_owned());
            }
        }
    }

    pub async fn signs_in(&mut self, username: &str, password: &str) -> Reply {
        let form = self.sees("/sign-in").await.form("/sign-in");
        let filled = fields([("form", &form.sealed), ("next", ""), ("username", username), ("password", password)]);
        self.post("/sign-in", &filled).await
    }

    /// A Team Coordinator grants a client access and copies the refresh token off the next page.
    pub async fn grants(&mut self, client_id: &str) -> String {
        let form = self.sees("/coordinator/api-access").await.form("/coordinator/api-access");
        let reply = self.post(&form.action, &fields([("form", &form.sealed), ("client_id", client_id)])).await;
        assert_eq!(reply.redirect().to, "/coordinator/api-access");
        let page = self.sees("/coordinator/api-access").await;
        page.refresh_token().expect("a refresh token on the page").to_owned()
    }

    /// Presses the one Revoke button of a page.
    pub async fn revokes(&mut self, path: &str) -> Reply {
        let form = self.sees(path).await.form("/revoke/");
        self.post(&form.action, &fields([("form", &form.sealed)])).await
    }
}
