//! Processor time as the kernel tells it: what a process spent, and how much of the machine others used while the figures
//! were taken. On a busy one a figure says little.

use super::trouble::Trouble;
use std::fs;

/// The processor times of all cores and of this run, in the kernel's ticks, when the watch began.
#[derive(Debug)]
pub(crate) struct Watch {
    cores: Cores,
    ours: f64,
}

#[derive(Debug, Clone, Copy)]
struct Cores {
    busy: f64,
    all: f64,
}

impl Watch {
    pub(crate) fn begin() -> Result<Self, Trouble> {
        let cores = cores(&fs::read_to_string("/proc/stat")?).ok_or("the kernel does not tell how busy it is")?;
        let ours = ticks(&fs::read_to_string("/proc/self/stat")?, TimeScope::ProcessAndChildren);
        Ok(Self { cores, ours: ours.ok_or("the kernel does not tell our time")? })
    }

    /// The share of all cores that others took since the watch began. Our own servers must have ended by then: only
    /// then does the kernel count their time as ours.
    pub(crate) fn share(&self) -> Result<f64, Trouble> {
        let now = Self::begin()?;
        let theirs = (now.cores.busy - self.cores.busy) - (now.ours - self.ours);
        Ok((theirs / (now.cores.all - self.cores.all).max(1.0)).clamp(0.0, 1.0))
    }
}

/// The first line of /proc/stat: time of all cores in user, nice, system, idle, waiting for a disk, and three more.
fn cores(stat: &str) -> Option<Cores> {
    let fields = stat.lines().next()?.split_whitespace().skip(1).take(8);
    let times: Vec<f64> = fields.map(|field| field.parse().ok()).collect::<Option<_>>()?;
    let all = times.iter().sum();
    Some(Cores { busy: all - times.get(3)? - times.get(4)?, all })
}

/// Whose time is asked for: a process's own, or also that of its children that have ended.
#[derive(Debug, Clone, Copy)]
pub(crate) enum TimeScope {
    Process,
    ProcessAndChildren,
}

/// User and system time, from the 14th field of /proc/PID/stat on, counted after the name: it may hold spaces.
pub(crate) fn ticks(stat: &str, scope: TimeScope) -> Option<f64> {
    let (_, after_name) = stat.rsplit_once(')')?;
    let count = match scope {
        TimeScope::Process => 2,
        TimeScope::ProcessAndChildren => 4,
    };
    let times: Vec<f64> =
        after_name.split_whitespace().skip(11).take(count).map(|field| field.parse().ok()).collect::<Option<_>>()?;
    (times.len() == count).then(|| times.iter().sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processor_time_is_read_behind_any_name() {
        let stat = "7 (a (b) c) S 1 7 7 0 -1 4194560 10 0 0 0 120 34 5 1 20 0 3 0 100 1000 10";
        assert_eq!(ticks(stat, TimeScope::Process), Some(154.0));
        assert_eq!(ticks(stat, TimeScope::ProcessAndChildren), Some(160.0));
        assert_eq!(ticks("7 (short) S 1", TimeScope::Process), None);
    }

    #[test]
    fn cores_are_busy_when_they_neither_idle_nor_wait_for_a_disk() {
        let cores = cores("cpu 30 0 10 50 10 0 0 0 9 9\ncpu0 1").unwrap();
        assert!((cores.busy - 40.0).abs() < 1e-9 && (cores.all - 100.0).abs() < 1e-9);
        assert!(super::cores("").is_none());
    }
}
