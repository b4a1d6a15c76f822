//! `recordgate serve` and `recordgate sandbox`: the service itself.

use super::context::Context;
use super::database_wait;
use super::failure::Failure;
use super::out::complain;
use crate::app::App;
use crate::app::logs;
use crate::app::purpose::{self, Purpose};
use crate::sandbox;
use crate::sandbox::Preparation;
use crate::sandbox::sample_app::SampleApp;
use crate::server;
use std::net::SocketAddr;
use tokio::sync::watch;

#[derive(Debug, Default, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate serve --database sqlite:/var/lib/recordgate --base-url https://records.example.org
  recordgate serve --config /etc/recordgate.toml --metrics 127.0.0.1:9090
  recordgate serve --listen 0.0.0.0:443 --base-url https://records.example.org --tls-cert fullchain.pem --tls-key key.pem

The first start makes the data directory and, beside the data, a key ring with mode 0600 that seals all tokens.
SIGTERM and Ctrl-C let requests under way finish (shutdown_seconds, see `recordgate config`).
While it runs, all other commands work on its data and take effect at once.")]
pub(super) struct ServeArgs {
    #[command(flatten)]
    pub(super) serving: ServeOptions,
    /// Serve TLS with this certificate, and its issuers' behind it, in PEM [environment: RECORDGATE_TLS_CERT] [default: off]
    #[arg(long, value_name = "FILE")]
    tls_cert: Option<String>,
    /// The certificate's private key, in PEM [environment: RECORDGATE_TLS_KEY]
    #[arg(long, value_name = "FILE")]
    tls_key: Option<String>,
    /// Serve a sandbox's database, whose passwords and secrets are published
    #[arg(long)]
    pub(super) accept_sandbox_data: bool,
}

#[derive(Debug, Default, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate sandbox
  recordgate sandbox --listen 127.0.0.1:9000 --database sqlite:/tmp/sandbox

A database that is empty gets a small invented world: two organisations, their teams, patients with records and unread
letters, a clinician, a coordinator and a client of each kind. Logins and curl lines to try are printed.
Its data is in the directory recordgate-sandbox, unless --database says otherwise. `serve` refuses a sandbox's database.
The clock can be moved, so that every expiry can be tried in seconds, and set back:
  curl http://127.0.0.1:8080/sandbox/clock -H 'Content-Type: application/json' -d '{\"advance_seconds\": 600}'
  curl http://127.0.0.1:8080/sandbox/clock -H 'Content-Type: application/json' -d '{\"reset\": true}'")]
pub(super) struct SandboxArgs {
    #[command(flatten)]
    pub(super) serving: ServeOptions,
    /// Make a sandbox of a database that has been served: anybody who reaches it can move its clock
    #[arg(long)]
    pub(super) accept_real_data: bool,
}

/// Where the service is found.
#[derive(Debug, Default, clap::Args)]
pub(super) struct ServeOptions {
    /// Where to listen [environment: RECORDGATE_LISTEN] [default: 127.0.0.1:8080]
    #[arg(long, value_name = "HOST:PORT")]
    listen: Option<String>,
    /// How browsers and clients reach the service [environment: RECORDGATE_BASE_URL] [default: http://LISTEN]
    #[arg(long, value_name = "URL")]
    base_url: Option<String>,
    /// Serve Prometheus metrics here, at /metrics [environment: RECORDGATE_METRICS] [default: off]
    #[arg(long, value_name = "HOST:PORT")]
    metrics: Option<String>,
}

impl ServeArgs {
    /// As options of the configuration.
    pub(super) fn options(&self) -> Vec<(&'static str, &'static str, String)> {
        let all = [("tls_cert", "--tls-cert", &self.tls_cert), ("tls_key", "--tls-key", &self.tls_key)];
        let own = all.into_iter().filter_map(|(key, option, value)| Some((key, option, value.clone()?)));
        self.serving.options().into_iter().chain(own).collect()
    }
}

impl ServeOptions {
    /// As options of the configuration.
    pub(super) fn options(&self) -> Vec<(&'static str, &'static str, String)> {
        let all = [
            ("listen", "--listen", &self.listen),
            ("base_url", "--base-url", &self.base_url),
            ("metrics", "--metrics", &self.metrics),
        ];
        all.into_iter().filter_map(|(key, option, value)| Some((key, option, value.clone()?))).collect()
    }
}

/// Runs the one or the other. `knowingly`: whatever the database was for before.
pub(super) async fn run(context: &Context, purpose: Purpose, knowingly: bool) -> Result<(), Failure> {
    let config = &context.config;
    if purpose == Purpose::Sandbox && config.tls.is_some() {
        return Err(Failure::because("a sandbox is served without TLS: leave tls_cert and tls_key out"));
    }
    logs::begin(config.log_level, config.log_format);
    server::raise_limit();
    let app = database_wait::opened(async || App::open(config, purpose == Purpose::Sandbox).await).await?;
    purpose::claim(&app.store, purpose, knowingly).await?;
    if purpose == Purpose::Service {
        return Ok(server::run(app, config, async |_, _| ()).await?);
    }
    let found = sandbox::prepare(&app).await?;
    Ok(server::run(app, config, async |address, stop| welcome(context, found, address, stop).await).await?)
}

/// Starts the sample app beside a sandbox that listens on `address`, and says what there is to try. The app is a client
/// of the invented world; in any other it has nothing to do.
async fn welcome(context: &Context, found: Preparation, address: SocketAddr, stop: watch::Receiver<bool>) {
    let base_url = &context.config.base_url;
    let sample = match found {
        Preparation::OwnData => None,
        _ => SampleApp::bind(address, base_url).await.inspect_err(|error| complain(&error.to_string())).ok(),
    };
    match sandbox::guide(found, base_url, sample.as_ref().map(SampleApp::url)) {
        Ok(guide) => {
            context.out.value(&guide.json());
            context.out.say(&guide.text(console::colors_enabled()));
        }
        Err(error) => complain(&error.to_string()),
    }
    if let Some(sample) = sample {
        tokio::spawn(sample.serve(stop));
    }
}
