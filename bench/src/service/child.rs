//! A child process that listens on a loopback port: started, waited for, weighed and ended.

use crate::bare::order::BARE;
use crate::http::driver::{self, Script};
use crate::http::requests;
use crate::measure::processor_time::{TimeScope, ticks};
use crate::measure::tally::Tally;
use crate::measure::trouble::Trouble;
use crate::measure::window::Window;
use rustix::process::{Pid, Signal, kill_process};
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::process::Stdio;
use std::time::{Duration, Instant};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, Command};

/// How long a server may take to come up or to go away before the run is called off.
const PATIENCE: Duration = Duration::from_secs(30);

/// The unit of times in /proc/PID/stat, the same on every Linux.
const TICK_SECONDS: f64 = 0.01;

#[derive(Debug)]
pub(crate) struct Server {
    child: Child,
    pub(crate) address: SocketAddr,
    /// From exec to the first 200.
    pub(crate) started_in: Duration,
}

/// A port that was free a moment ago.
pub(crate) fn free_port() -> Result<SocketAddr, Trouble> {
    Ok(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?)
}

/// Settings of whoever runs the bench must not reach what it measures: those whose variables begin so.
pub(crate) fn without_settings(command: &mut Command, prefix: &str) {
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.as_encoded_bytes().starts_with(prefix.as_bytes())) {
        command.env_remove(name);
    }
}

/// What the kernel counts of a process's memory under this name, in MiB.
pub(crate) fn memory_mib(process: u32, name: &str) -> Result<f64, Trouble> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status"))?;
    let kib = status
        .lines()
        .find_map(|line| line.strip_prefix(name))
        .and_then(|rest| rest.split_whitespace().next())
        .ok_or("the kernel does not tell the memory of a process")?;
    Ok(kib.parse::<f64>()? / 1024.0)
}

impl Server {
    /// Starts a command that will listen on `address`, and waits for its first 200 on `path`.
    pub(crate) async fn start(mut command: Command, address: SocketAddr, path: &str) -> Result<Self, Trouble> {
        let began = Instant::now();
        let mut child = command.stdin(Stdio::null()).kill_on_drop(true).spawn()?;
        let request = requests::get(&address.to_string(), path);
        loop {
            if let Ok((200, ..)) = driver::once(address, &request).await {
                return Ok(Self { child, address, started_in: began.elapsed() });
            }
            if let Some(status) = child.try_wait()? {
                return Err(format!("the server on {address} ended while starting ({status})").into());
            }
            if began.elapsed() > PATIENCE {
                return Err(format!("the server on {address} gave no 200 on {path} within {PATIENCE:?}").into());
            }
            tokio::time::sleep(Duration::from_micros(500)).await;
        }
    }

    /// Starts this program again as the bare server that answers as `order` says.
    pub(crate) async fn bare(order: &str) -> Result<Self, Trouble> {
        let began = Instant::now();
        let mut child = Command::new(std::env::current_exe()?)
            .arg(BARE)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        // The pipe stays in the child's keeping: closing it is what ends a bare server.
        child.stdin.as_mut().ok_or("the bare server has no input")?.write_all(order.as_bytes()).await?;
        let mut line = String::new();
        BufReader::new(child.stdout.take().ok_or("the bare server has no output")?).read_line(&mut line).await?;
        let address = line.trim().parse().map_err(|_| "the bare server did not say where it listens")?;
        Ok(Self { child, address, started_in: began.elapsed() })
    }

    pub(crate) fn host(&self) -> String {
        self.address.to_string()
    }

    /// Puts load on this server alone, and notes what processor time it took to answer.
    pub(crate) async fn load<S: Script>(&self, window: Window, scripts: Vec<S>) -> Result<(Tally, Vec<S>), Trouble> {
        let before = self.spent()?;
        let (mut tally, scripts) = driver::load(self.address, window, scripts).await?;
        tally.cost(self.spent()?.saturating_sub(before));
        Ok((tally, scripts))
    }

    /// Head and body of one good answer, for a bare server to repeat.
    pub(crate) async fn sample(&self, request: &[u8]) -> Result<(String, Vec<u8>), Trouble> {
        match driver::once(self.address, request).await? {
            (200, head, body) => Ok((head, body)),
            (status, _, body) => {
                Err(format!("expected 200, was answered {status}: {}", String::from_utf8_lossy(&body)).into())
            }
        }
    }

    /// The processor time of the whole process so far, its threads included.
    fn spent(&self) -> Result<Duration, Trouble> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.id()?))?;
        let ticks = ticks(&stat, TimeScope::Process).ok_or("the kernel does not tell the server's time")?;
        Ok(Duration::from_secs_f64(ticks * TICK_SECONDS))
    }

    fn id(&self) -> Result<u32, Trouble> {
        self.child.id().ok_or_else(|| "the server has ended".into())
    }

    /// Resident memory in MiB, as the kernel counts it.
    pub(crate) fn resident_mib(&self) -> Result<f64, Trouble> {
        memory_mib(self.id()?, "VmRSS:")
    }

    /// Resident memory at the most since it was started, in MiB.
    pub(crate) fn peak_mib(&self) -> Result<f64, Trouble> {
        memory_mib(self.id()?, "VmHWM:")
    }

    /// Resident memory that is no page of a file, in MiB.
    pub(crate) fn anonymous_mib(&self) -> Result<f64, Trouble> {
        memory_mib(self.id()?, "RssAnon:")
    }

    /// Ends it in its tracks, with whatever it had in hand.
    pub(crate) async fn kill(mut self) -> Result<(), Trouble> {
        Ok(self.child.kill().await?)
    }

    /// Asks it to end as an operator would, and waits until it has.
    pub(crate) async fn stop(mut self) -> Result<(), Trouble> {
        let pid = Pid::from_raw(i32::try_from(self.id()?)?).ok_or("a process id is never 0")?;
        kill_process(pid, Signal::TERM)?;
        tokio::time::timeout(PATIENCE, self.child.wait()).await.map_err(|_| "the server did not end when asked")??;
        Ok(())
    }
}
