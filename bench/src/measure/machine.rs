//! What the figures were taken on: cores, processor, file system, and how long one sync of the disk takes.

use super::decimals::round;
use super::tally::median;
use super::trouble::Trouble;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::time::Instant;

#[derive(Debug)]
pub(crate) struct Machine {
    cores: usize,
    processor: String,
    kernel: String,
    file_system: String,
    sync_ms: f64,
}

impl Machine {
    /// Looks at the machine and at the disk under `directory`.
    pub(crate) fn look(directory: &Path) -> Result<Self, Trouble> {
        let processor = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let processor = processor.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        Ok(Self {
            cores: std::thread::available_parallelism()?.get(),
            processor: processor.map_or("unknown", |(_, name)| name).to_owned(),
            kernel: fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default().trim().to_owned(),
            file_system: file_system_of(&directory.canonicalize()?).ok_or("the kernel does not tell its mounts")?,
            sync_ms: sync_ms(directory)?,
        })
    }

    /// What an acknowledged write means here. A file system in memory syncs nothing, and then the figure says so.
    pub(crate) fn durability(&self) -> String {
        if ["tmpfs", "ramfs"].contains(&self.file_system.as_str()) {
            return format!("NOT DURABLE: the data lies on {}, where a sync reaches no disk", self.file_system);
        }
        format!(
            "answered after the commit was synced to disk (WAL, synchronous=FULL), both sides on the same {} disk, \
             whose bare sync took {:.2} ms",
            self.file_system, self.sync_ms
        )
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "cores": self.cores, "processor": self.processor, "kernel": self.kernel,
            "file_system": self.file_system, "sync_ms": round(self.sync_ms, 3),
        })
    }
}

impl std::fmt::Display for Machine {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { cores, processor, kernel, file_system, sync_ms } = self;
        write!(out, "on {cores} cores ({processor}), Linux {kernel}, {file_system} with a sync of {sync_ms:.2} ms")
    }
}

pub(crate) fn file_system_of(path: &Path) -> Option<String> {
    Some(file_system(&fs::read_to_string("/proc/mounts").ok()?, path))
}

/// The type of the mount that holds the path: of all its parents that are mounts, the deepest.
fn file_system(mounts: &str, path: &Path) -> String {
    mounts
        .lines()
        .filter_map(|line| {
            let mut fields = line.split(' ').skip(1);
            Some((Path::new(fields.next()?), fields.next()?))
        })
        .filter(|(mount, _)| path.starts_with(mount))
        .max_by_key(|(mount, _)| mount.components().count())
        .map_or("unknown", |(_, kind)| kind)
        .to_owned()
}

/// The median time to append one page to a file and sync it.
fn sync_ms(directory: &Path) -> Result<f64, Trouble> {
    let path = directory.join("sync-probe");
    let mut file = File::create(&path)?;
    let mut times = Vec::new();
    for _ in 0..100 {
        let began = Instant::now();
        file.write_all(&[0; 4096])?;
        file.sync_data()?;
        times.push(began.elapsed().as_secs_f64() * 1e3);
    }
    fs::remove_file(path)?;
    Ok(median(&times))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_deepest_mount_decides_what_file_system_a_path_is_on() {
        let mounts = "/dev/vda / ext4 rw 0 0\ntmpfs /tmp tmpfs rw 0 0\n/dev/vdb /tmp/disk xfs rw 0 0\n";
        assert_eq!(file_system(mounts, Path::new("/home/someone")), "ext4");
        assert_eq!(file_system(mounts, Path::new("/tmp/bench")), "tmpfs");
        assert_eq!(file_system(mounts, Path::new("/tmp/disk/bench")), "xfs");
        assert_eq!(file_system(mounts, Path::new("/tmporary")), "ext4");
    }
}
