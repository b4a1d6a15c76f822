//! `recordgate health`: whether the service on this machine is ready, for whoever has no other way to ask.

use super::context::Context;
use super::failure::Failure;
use super::health_tls;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

/// Longer than the service itself waits for its database by default.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Debug, clap::Args)]
#[command(after_long_help = "Examples:
  recordgate health
  recordgate health --listen 127.0.0.1:9000

Asks /readyz where the service listens, over TLS where the configuration has a certificate. Ends with 0 when it is ready to do its work, with 1 when it is not.")]
pub(super) struct HealthArgs {
    /// Where the service listens [environment: RECORDGATE_LISTEN] [default: 127.0.0.1:8080]
    #[arg(long, value_name = "HOST:PORT")]
    pub(super) listen: Option<String>,
}

pub(super) async fn run(context: &Context) -> Result<(), Failure> {
    let address = reachable(&context.config.listen);
    let heard = timeout(PATIENCE, status_line(&address, context.config.tls.is_some())).await;
    let status = match heard {
        Ok(Ok(line)) => line,
        Ok(Err(error)) => return Err(Failure::because(format!("nothing answers on {address}: {error}"))),
        Err(_) => return Err(Failure::because(format!("the service on {address} does not answer"))),
    };
    if status.split(' ').nth(1) != Some("200") {
        return Err(Failure::because(format!("the service on {address} is not ready: {status}")));
    }
    context.out.value(&serde_json::json!({ "ready": true }));
    context.out.say("ready");
    Ok(())
}

/// Where to find what listens on `listen`: a service that listens everywhere is also here.
fn reachable(listen: &str) -> String {
    match listen.rsplit_once(':') {
        Some(("0.0.0.0", port)) => format!("127.0.0.1:{port}"),
        Some(("[::]", port)) => format!("[::1]:{port}"),
        _ => listen.to_owned(),
    }
}

async fn status_line(address: &str, is_encrypted: bool) -> std::io::Result<String> {
    let connection = TcpStream::connect(address).await?;
    match is_encrypted {
        true => asked(health_tls::encrypted(connection).await?, address).await,
        false => asked(connection, address).await,
    }
}

async fn asked(mut connection: impl AsyncRead + AsyncWrite + Unpin, address: &str) -> std::io::Result<String> {
    let request = format!("GET /readyz HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    connection.write_all(request.as_bytes()).await?;
    let mut answer = Vec::new();
    connection.take(4096).read_to_end(&mut answer).await?;
    let line = answer.split(|byte| *byte == b'\r').next().unwrap_or_default();
    Ok(String::from_utf8_lossy(line).into_owned())
}
