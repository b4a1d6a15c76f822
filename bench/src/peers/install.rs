//! oidc-provider, installed by npm under target/peers at exactly the versions of its lock file, and started with Node.

use super::npm;
use crate::measure::trouble::Trouble;
use crate::service::child::{Server, free_port};
use crate::service::people::{APP, SYSTEM, SYSTEM_SECRET};
use serde_json::Value;
use std::path::PathBuf;
use std::process::Stdio;
use tokio::process::Command;

const FILES: [(&str, &str); 3] = [
    ("package.json", include_str!("../../peers/oidc-provider/package.json")),
    ("package-lock.json", include_str!("../../peers/oidc-provider/package-lock.json")),
    ("server.mjs", include_str!("../../peers/oidc-provider/server.mjs")),
];

#[derive(Debug)]
pub(super) struct OidcProvider {
    directory: PathBuf,
    pub(super) version: String,
    pub(super) node: String,
}

impl OidcProvider {
    pub(super) async fn install() -> Result<Self, Trouble> {
        let directory = npm::install("oidc-provider", &FILES).await?;
        let mut node = Command::new("node");
        node.arg("--version");
        let node = npm::run(node, "node does not run; --peers needs Node and npm").await?;
        let package = directory.join("node_modules/oidc-provider/package.json");
        let package: Value = serde_json::from_slice(&std::fs::read(package)?)?;
        let version = package.get("version").and_then(Value::as_str).unwrap_or("unknown").to_owned();
        Ok(Self { directory, version, node: node.trim().trim_start_matches('v').to_owned() })
    }

    pub(super) async fn serve(&self) -> Result<Server, Trouble> {
        let address = free_port()?;
        let mut command = Command::new("node");
        command.arg("server.mjs").arg(address.port().to_string()).current_dir(&self.directory);
        command.env("NODE_ENV", "production");
        command.env("PEER_APP", APP).env("PEER_SYSTEM", SYSTEM).env("PEER_SECRET", SYSTEM_SECRET);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        Server::start(command, address, "/.well-known/openid-configuration").await
    }
}
