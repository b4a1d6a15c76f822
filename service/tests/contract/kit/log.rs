//! What one test's requests log, as the service writes it for machines.

use serde_json::Value;
use service::app::logs;
use std::io::Write;
use std::sync::{Arc, LazyLock, Mutex};
use tracing::Dispatch;
use tracing::subscriber::{DefaultGuard, NoSubscriber};
use tracing_subscriber::fmt::MakeWriter;
use tracing_subscriber::fmt::format::JsonFields;

/// What this thread logs.
#[derive(Clone, Default)]
pub struct Log(Arc<Mutex<Vec<u8>>>);

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

/// While one thread alone listens, a line that another one comes by first is taken for one that nobody wants, for good. Somebody who
/// hears nothing listens for as long as there are tests, so that nobody is alone.
static COMPANY: LazyLock<Dispatch> = LazyLock::new(|| Dispatch::new(NoSubscriber::default()));

impl Log {
    /// Listens to this thread for as long as the guard lives.
    pub fn listen() -> (Self, DefaultGuard) {
        LazyLock::force(&COMPANY);
        let log = Self::default();
        let subscriber = tracing_subscriber::fmt().fmt_fields(JsonFields::new()).event_format(logs::json());
        let guard = tracing::subscriber::set_default(subscriber.with_writer(log.clone()).finish());
        (log, guard)
    }

    /// The lines since the last time, each with its fields.
    pub fn lines(&self) -> Vec<Value> {
        let bytes = std::mem::take(&mut *self.0.lock().unwrap());
        String::from_utf8(bytes).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// Those of them that say this.
    pub fn lines_that_say(&self, message: &str) -> Vec<Value> {
        self.lines().into_iter().filter(|line| line["message"] == message).collect()
    }
}
