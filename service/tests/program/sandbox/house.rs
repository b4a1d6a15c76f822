//! A sandbox that runs for one test: the service and its sample app on ports of their own, and a directory of data.

use service::app::config::{Config, Sources};
use service::app::{App, Shared};
use service::sandbox::sample_app::SampleApp;
use service::sandbox::{self, Preparation};
use service::server::{self, CoreWorkers};
use std::path::Path;
use std::time::Duration;
use tempfile::TempDir;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::JoinHandle;

pub(crate) const LARKFIELD: &str = "11111111-1111-4111-8111-111111111111";
pub(crate) const MARSH_LANE: &str = "22222222-2222-4222-8222-222222222222";

/// The running sandbox.
pub(crate) struct House {
    pub base_url: String,
    pub sample_url: String,
    stop: watch::Sender<bool>,
    service: JoinHandle<()>,
    sample: JoinHandle<()>,
    directory: TempDir,
}

/// Opens the service on `directory` as `recordgate sandbox` and `recordgate serve` do.
pub(crate) async fn open(directory: &Path, base_url: &str, sandbox: bool) -> Shared {
    let database = format!("sqlite:{}", directory.display());
    let options = vec![("database", "--database", database), ("base_url", "--base-url", base_url.to_owned())];
    let config = Config::read(&Sources { options, file: None, environment: &|_| None, defaults: Vec::new() }).unwrap();
    App::open(&config, sandbox).await.unwrap()
}

/// A pair of neighbouring ports, the second of which the sample app has.
async fn two_ports() -> (TcpListener, SampleApp, String) {
    loop {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base_url = format!("http://{}", listener.local_addr().unwrap());
        // The next port may be another test's; then the next pair will do.
        if let Ok(sample) = SampleApp::bind(listener.local_addr().unwrap(), &base_url).await {
            return (listener, sample, base_url);
        }
    }
}

impl House {
    pub(crate) async fn new() -> Self {
        Self::on(TempDir::new().unwrap(), true).await
    }

    pub(crate) async fn on(directory: TempDir, sandbox: bool) -> Self {
        let (listener, sample, base_url) = two_ports().await;
        let app = open(directory.path(), &base_url, sandbox).await;
        if sandbox {
            sandbox::prepare(&app).await.unwrap();
        }
        let (stop, stopped) = watch::channel(false);
        let sample_url = sample.url().to_owned();
        let (patience, lanes) = (Duration::from_secs(5), CoreWorkers::of_cores().unwrap());
        Self {
            base_url,
            sample_url,
            service: tokio::spawn(server::serve(app, (listener, lanes), stopped.clone(), patience)),
            sample: tokio::spawn(sample.serve(stopped)),
            stop,
            directory,
        }
    }

    /// Stops the service, but not the sample app.
    pub(crate) async fn stop_the_service(&mut self) {
        self.service.abort();
        let _aborted = (&mut self.service).await;
    }

    /// Stops everything and gives back the data.
    pub(crate) async fn close(self) -> TempDir {
        self.stop.send(true).unwrap();
        self.service.await.unwrap();
        self.sample.await.unwrap();
        self.directory
    }

    /// The guide to this sandbox, as programs read it.
    pub(crate) fn guide(&self) -> serde_json::Value {
        sandbox::guide(Preparation::Loaded, &self.base_url, Some(&self.sample_url)).unwrap().json()
    }
}
