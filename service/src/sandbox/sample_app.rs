//! The sample third-party app, "Sleep Diary" by the invented Night Owl Labs: walks the authorization code flow in the
//! browser, then searches the record and opens a letter, and shows each request and answer. It knows of the service only what any client knows.

mod assets;
mod browsers;
mod connection;
mod conversation;
mod diary;
mod findings;
mod screens;
mod steps;
mod story;
mod walk;

use axum::Router;
use axum::routing::{get, post};
use browsers::Browsers;
use diary::Diary;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// The app, listening on the port after the service's.
#[derive(Debug)]
pub struct SampleApp {
    listener: TcpListener,
    diary: Diary,
}

/// Why there is no sample app; the sandbox goes on without.
#[derive(Debug, thiserror::Error)]
pub enum NoSampleApp {
    #[error("the sample app is not running: port {0} cannot be used ({1}); the sandbox goes on without it")]
    Taken(u16, std::io::Error),
    #[error("the sample app is not running: there is no port after {0}; the sandbox goes on without it")]
    NoNextPort(u16),
}

impl SampleApp {
    /// Listens on the port after the one on which the service listens.
    pub async fn bind(service: SocketAddr, base_url: &str) -> Result<Self, NoSampleApp> {
        let port = service.port().checked_add(1).ok_or(NoSampleApp::NoNextPort(service.port()))?;
        // The registered redirect URI is on 127.0.0.1; a service that listens everywhere has its app everywhere too.
        let everywhere = service.ip() == IpAddr::V4(Ipv4Addr::UNSPECIFIED);
        let address = if everywhere { Ipv4Addr::UNSPECIFIED } else { Ipv4Addr::LOCALHOST };
        let listener = TcpListener::bind((address, port)).await.map_err(|error| NoSampleApp::Taken(port, error))?;
        let diary = Diary {
            url: format!("http://127.0.0.1:{port}"),
            base_url: base_url.into(),
            service: reachable(service),
            browsers: Browsers::default(),
        };
        Ok(Self { listener, diary })
    }

    /// Where browsers find it.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.diary.url
    }

    /// Serves until `stop` turns true.
    pub async fn serve(self, mut stop: watch::Receiver<bool>) {
        let stopped = async move {
            let _gone = stop.wait_for(|stop| *stop).await;
        };
        let router = router(Arc::new(self.diary));
        if let Err(error) = axum::serve(self.listener, router).with_graceful_shutdown(stopped).await {
            tracing::error!(%error, "the sample app ended");
        }
    }
}

/// Where a service that listens on `address` can be reached from this machine.
fn reachable(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => (Ipv4Addr::LOCALHOST, address.port()).into(),
        IpAddr::V6(ip) if ip.is_unspecified() => (std::net::Ipv6Addr::LOCALHOST, address.port()).into(),
        _ => address,
    }
}

fn router(diary: Arc<Diary>) -> Router {
    Router::new()
        .route("/", get(screens::home))
        .route("/connect", get(connection::connect))
        .route("/callback", get(connection::callback))
        .route("/walk", get(screens::walk))
        .route("/call-fhir", post(steps::call_fhir))
        .route("/call-rest", post(steps::call_rest))
        .route("/search", post(steps::search))
        .route("/next-page", post(steps::next_page))
        .route("/find-letter", post(steps::find_letter))
        .route("/open-letter", post(steps::open_letter))
        .route("/letter", get(screens::letter))
        .route("/refresh", post(steps::refresh))
        .route("/replay", post(steps::replay))
        .route("/assets/{name}", get(assets::read))
        .fallback(screens::not_found)
        .layer(axum::middleware::from_fn_with_state(diary.clone(), screens::only_here))
        .with_state(diary)
}
