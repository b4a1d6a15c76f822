//! Nothing secret is ever told: not in logs at any level, not in `Debug`, not in errors, not in URLs.
//!
//! It listens to all that this process logs, also while other tests are at work beside it. That no refusal and no redirect
//! repeats what was sent is checked by the kit on every request of every test.

use crate::kit::browser::Browser;
use crate::kit::records::AMINA_NHS;
use crate::kit::{DAY, MINUTE, RIVERSIDE, World, encoded, fields, with, without};
use rules::params::Params;
use service::app::config::RequestLog;
use service::secrets::secret::Secret;
use service::server::{CoreWorkers, serve};
use service::views::GuardedText;
use std::io::Write;
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tracing_subscriber::fmt::MakeWriter;

/// Everything that was logged by this process.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl MakeWriter<'_> for Log {
    type Writer = Self;

    fn make_writer(&self) -> Self {
        self.clone()
    }
}

impl Log {
    /// Listens at the lowest level there is, once per process.
    fn listen() -> Self {
        static LOG: OnceLock<Log> = OnceLock::new();
        let listening = LOG.get_or_init(|| {
            let log = Self::default();
            let subscriber = tracing_subscriber::fmt()
                .with_max_level(tracing::Level::TRACE)
                .with_ansi(false)
                .with_writer(log.clone());
            tracing::subscriber::set_global_default(subscriber.finish()).unwrap();
            log
        });
        listening.clone()
    }

    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

/// Every person's and client's doings, also those that fail.
async fn everything_happens(w: &World) {
    for (person, product) in [
        (w.amina(), "Sleep Diary"),
        (w.dr_okafor(), "Ward Round"),
        (w.grace(), "Ward Round"),
        (w.amina(), "Pill Box"),
        (w.amina(), "Spotty Signal"),
    ] {
        let (app, tokens) = person.approves(product).await;
        w.calls_fhir_with(&tokens.access).await.opened();
        w.calls_rest_with(&tokens.access).await.opened();
        app.refresh(&tokens).await.granted();
        w.after(31);
        app.refresh(&tokens).await.refused("invalid_grant");
        w.calls_fhir_with(&tokens.access).await.refused();
    }
    failing_authorizations(w).await;
    failing_token_requests(w).await;
    let (_, lapsing) = w.amina().approves("Sleep Diary").await;
    w.after(10 * MINUTE);
    w.calls_rest_with(&lapsing.access).await.refused();
    w.after(90 * DAY);
    w.calls_fhir_with(&lapsing.access).await.refused();
    browsing(w).await;
}

async fn failing_authorizations(w: &World) {
    let app = w.client("Sleep Diary");
    let page = app.sends_to_page(&app.asks()).await;
    w.amina().decides_with(&page, "approve", "a-password-that-is-wrong").await.redirect();
    w.amina().decides(&page, "approve").await.error_page(400);
    let page = app.sends_to_page(&app.asks()).await;
    w.amina().decides(&page, "deny").await.redirect();
    w.get(&format!("/apiAuthorize.action?{}", encoded(&without(&app.asks(), "client_id")))).await.error_page(400);
}

async fn failing_token_requests(w: &World) {
    let (app, code) = w.dr_okafor().gives_code("Ward Round").await;
    let body = app.redemption(&code);
    for _ in 0..12 {
        app.asks_as("ward-round", "rgs_a-secret-that-is-wrong", &body).await;
    }
    let in_body = with(&body, "client_secret", "rgs_another-wrong-secret");
    w.post_form("/apiToken.action", &in_body).await;
    w.post_form(&format!("/apiToken.action?{}", encoded(&body)), &body).await;
    app.asks_for_tokens(&with(&body, "grant_type", "password")).await.refused("unsupported_grant_type");
    app.redeem(&code).await.granted();
    app.redeem(&code).await.refused("invalid_grant");
    let system = w.client("Lab Link").client_credentials().await.granted();
    w.calls_fhir_for(RIVERSIDE, &system.access).await.opened();
    w.calls_fhir_for("no-uuid", &system.access).await.says(400, "BAD_REQUEST");
    w.calls_fhir_with("rga_forged_token-of-nobody").await.refused();
}

async fn browsing(w: &World) {
    Browser::new(w).signs_in("amina@example.org", "a-password-that-is-wrong").await;
    let mut grace = w.grace().signs_in().await;
    let shown = grace.grants("old-bridge").await;
    let bridge = w.client("Old Bridge");
    let tokens = bridge.asks_for_tokens(&with(&bridge.refreshment(&shown), "scope", "SITE")).await.granted();
    w.calls_fhir_with(&tokens.access).await.opened();
    grace.revokes("/coordinator/api-access").await.redirect();
    w.amina().approves("Evergreen").await;
    let mut amina = w.amina().signs_in().await;
    amina.revokes("/connected-apps").await.redirect();
    let form = amina.sees("/connected-apps").await.form("/sign-out");
    amina.post("/sign-out", &fields([("form", &form.sealed)])).await.redirect();
    store::sweep::sweep(&w.app.store, w.now()).await.unwrap();
}

/// One token request over a real socket, so that the server beneath the routes is listened to as well.
async fn refreshes_over_a_socket(w: &World) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = tokio::sync::watch::channel(false);
    let serving = tokio::spawn(serve(w.app.clone(), (listener, CoreWorkers::none()), stopped, Duration::from_secs(5)));
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    let body = encoded(&app.refreshment(tokens.refresh()));
    let mut stream = TcpStream::connect(address).await.unwrap();
    let head = "POST /apiToken.action HTTP/1.1\r\nhost: records.test\r\nconnection: close\r\n";
    let typed = "content-type: application/x-www-form-urlencoded\r\n";
    let request = format!("{head}{typed}content-length: {}\r\n\r\n{body}", body.len());
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{}", answer.lines().next().unwrap_or_default());
    stop.send(true).unwrap();
    serving.await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_log_at_any_level_tells_a_token_code_secret_password_or_form() {
    let log = Log::listen();
    let w = World::with(|settings| settings.log_requests = RequestLog::All).await;
    everything_happens(&w).await;
    refreshes_over_a_socket(&w).await;
    let text = log.text();
    for told in
        ["access was granted", "a session was revoked", "a request was answered", "a sign-in failed", "shutting down"]
    {
        assert!(text.contains(told), "the log was listened to: {told}");
    }
    let mut secrets = w.witness.all();
    // In HTTP Basic they were seen only in base64.
    secrets.extend(["Ward Round", "Lab Link"].map(|product| w.client(product).registration.secret.unwrap().to_owned()));
    assert!(secrets.len() > 50, "{} secrets were seen", secrets.len());
    for secret in secrets {
        assert!(!text.contains(&secret), "the log tells a secret that begins with {:.4}", secret);
    }
    for name in ["amina@example.org", "Amina", AMINA_NHS] {
        assert!(!text.contains(name), "the log tells who: {name}");
    }
}

#[tokio::test]
async fn no_debug_tells_what_it_holds() {
    let w = World::new().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    w.client("Lab Link").client_credentials().await.granted();
    let user = store::people::find(&w.app.store, "amina@example.org").await.unwrap().unwrap();
    let client = store::clients::find(&w.app.store, "lab-link").await.unwrap().unwrap();
    let params = Params::read([("code".to_owned(), tokens.access.clone())]).unwrap();
    let opened =
        service::secrets::tokens::open(&w.app.keys, &[service::secrets::tokens::Kind::Access], &tokens.access).unwrap();
    let shown = [
        format!("{:?}", Secret::new(tokens.access.clone())),
        format!("{:?}", GuardedText::new(tokens.access.clone())),
        format!("{params:?}"),
        format!("{user:?}"),
        format!("{client:?}"),
        format!("{opened:?}"),
        format!("{:?}", w.app),
    ];
    let fingerprint = format!("{:?}", client.secret.as_ref().unwrap().0);
    let mut secrets = w.witness.all();
    secrets.extend([user.password_hash.0.clone(), fingerprint]);
    for line in std::fs::read_to_string(w.directory().join("keys")).unwrap().lines() {
        secrets.extend(line.split_once(' ').filter(|_| !line.starts_with('#')).map(|(_, key)| key.to_owned()));
    }
    for text in shown {
        for secret in &secrets {
            assert!(!text.contains(secret.as_str()), "{text:.60} tells a secret");
        }
    }
}

/// Tokens never travel in a URL of ours: the code in its redirect is the one exception that OAuth makes.
#[tokio::test]
async fn no_redirect_carries_anything_but_the_code() {
    let w = World::new().await;
    let mut grace = w.grace().signs_in().await;
    let checked = grace.checked_grant("old-bridge").await;
    let granted = grace.post("/coordinator/api-access", &checked).await;
    let app = w.client("Sleep Diary");
    let page = app.sends_to_page(&app.asks()).await;
    let approved = w.amina().decides(&page, "approve").await;
    let code = approved.redirect().code();
    for reply in [granted, approved] {
        let location = reply.header("location").unwrap().replace(&code, "");
        for secret in w.witness.all().iter().filter(|secret| **secret != code) {
            assert!(!location.contains(secret.as_str()), "{location}");
        }
        assert!(!location.contains("rg"), "{location}");
    }
}
