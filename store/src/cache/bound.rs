//! How much is remembered of what searches find: a share of the memory that there is for us.

use std::fs;

/// A small part: most of the memory is worth more to the system, which keeps the files in it.
const SHARE: usize = 64;
const LEAST: usize = 16 * 1024 * 1024;
const MOST: usize = 256 * 1024 * 1024;

/// In bytes.
pub(super) fn row_bytes() -> usize {
    share(of_machine().into_iter().chain(of_group()).min())
}

/// The memory of the machine.
fn of_machine() -> Option<usize> {
    total(&fs::read_to_string("/proc/meminfo").ok()?)
}

/// What a container leaves us of it. Where there is no bound, the file says so in a word.
fn of_group() -> Option<usize> {
    fs::read_to_string("/sys/fs/cgroup/memory.max").ok()?.trim().parse().ok()
}

fn total(meminfo: &str) -> Option<usize> {
    let line = meminfo.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kibibytes: usize = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    kibibytes.checked_mul(1024)
}

fn share(bytes: Option<usize>) -> usize {
    bytes.map_or(LEAST, |bytes| (bytes / SHARE).clamp(LEAST, MOST))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_memory_of_a_machine_is_read_from_what_linux_says_of_it() {
        assert_eq!(total("MemTotal:       24605996 kB\nMemFree:        1 kB\n"), Some(24_605_996 * 1024));
        assert_eq!(total("MemFree: 1 kB\n"), None);
        assert_eq!(total("MemTotal: plenty\n"), None);
    }

    #[test]
    fn a_small_machine_remembers_little_and_a_large_one_not_everything() {
        let gibibyte = 1024 * 1024 * 1024;
        assert_eq!(share(None), LEAST);
        assert_eq!(share(Some(gibibyte / 2)), LEAST);
        assert_eq!(share(Some(4 * gibibyte)), 64 * 1024 * 1024);
        assert_eq!(share(Some(512 * gibibyte)), MOST);
    }
}
