//! A browser: keeps cookies, says where its requests come from, and follows the forms of our pages.

use super::page::{Form, Page};
use super::reply::Reply;
use super::requests::{encoded, fields, request, with};
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
    pub user_agent: Option<&'static str>,
}

impl<'w> Browser<'w> {
    pub fn new(world: &'w World) -> Self {
        Self {
            world,
            address: LOCAL,
            cookies: BTreeMap::new(),
            fetch_site: Some("same-origin"),
            origin: None,
            user_agent: None,
        }
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
        if let Some(user_agent) = self.user_agent {
            builder = builder.header(header::USER_AGENT, user_agent);
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

    /// What a Team Coordinator sends from the page that shows what they are about to grant.
    pub async fn checked_grant(&mut self, client_id: &str) -> Vec<(String, String)> {
        let query = encoded(&fields([("client_id", client_id)]));
        let page = self.sees(&format!("/coordinator/api-access/check?{query}")).await;
        let form = page.form("/coordinator/api-access");
        fields([("form", &form.sealed), ("check", &page.hidden("check"))])
    }

    /// A Team Coordinator grants a client access, beside what it has, and copies the refresh token off the next page.
    pub async fn grants(&mut self, client_id: &str) -> String {
        let checked = with(&self.checked_grant(client_id).await, "existing", "keep");
        let reply = self.post("/coordinator/api-access", &checked).await;
        assert_eq!(reply.redirect().to, "/coordinator/api-access");
        let page = self.sees("/coordinator/api-access").await;
        page.refresh_token().expect("a refresh token on the page").to_owned()
    }

    /// The form that ends the one grant of a page: on it, or on the page that asks first.
    pub async fn revocation(&mut self, path: &str) -> Form {
        let page = self.sees(path).await;
        match page.link("/revoke/") {
            Some(check) => self.sees(&check).await.form("/revoke/"),
            None => page.form("/revoke/"),
        }
    }

    /// Ends the one grant of a page.
    pub async fn revokes(&mut self, path: &str) -> Reply {
        let form = self.revocation(path).await;
        self.post(&form.action, &fields([("form", &form.sealed)])).await
    }
}
