//! Lists to measure with: 300 to 1,500 bytes per task, 1.5 blockers each, always the same.

use std::fs;
use std::path::{Path, PathBuf};

/// A list in a folder of its own, removed in the end.
pub struct Tasks {
    home: tempfile::TempDir,
    pub count: usize,
}

impl Tasks {
    pub fn make(count: usize) -> Tasks {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join(".omo/tasks");
        fs::create_dir_all(&dir).unwrap();
        for number in 0..count {
            fs::write(dir.join(format!("{}.json", id(number))), text(number)).unwrap();
        }
        Tasks { home, count }
    }

    pub fn home(&self) -> &Path {
        self.home.path()
    }

    pub fn dir(&self) -> PathBuf {
        self.home().join(".omo/tasks")
    }

    pub fn bytes(&self) -> u64 {
        let entries = fs::read_dir(self.dir()).unwrap();
        entries.map(|e| e.unwrap().metadata().unwrap().len()).sum()
    }
}

/// The id of the task of this number.
pub fn id(number: usize) -> String {
    format!(
        "T-{:08x}-0000-4000-8000-{number:012x}",
        mix(number as u64) as u32
    )
}

/// Well-spread bits of a number; the same on every machine.
fn mix(number: u64) -> u64 {
    let mut bits = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    bits ^ (bits >> 31)
}

/// The file of a task: it waits for up to three of the forty before it, and a third is done.
pub fn text(number: usize) -> String {
    let bits = mix(number as u64 ^ 0xABCD);
    let waits = [0, 1, 2, 3][(bits % 4) as usize].min(number);
    let mut blockers: Vec<usize> = (0..waits)
        .map(|n| number - 1 - (mix(bits + n as u64) as usize % number.min(40)))
        .collect();
    blockers.sort_unstable();
    blockers.dedup();
    let blockers: Vec<String> = blockers
        .into_iter()
        .map(|n| format!("\"{}\"", id(n)))
        .collect();
    let status = [
        "completed",
        "pending",
        "pending",
        "in_progress",
        "completed",
        "pending",
    ][number % 6];
    let priority = ["high", "medium", "low"][(bits >> 8) as usize % 3];
    let description =
        "Read what is there, change it, and test it. ".repeat((bits >> 16) as usize % 26);
    format!(
        "{{\n  \"id\": \"{}\",\n  \"subject\": \"Task {number}: build part {}\",\n  \"description\": \
         \"{description}\",\n  \"status\": \"{status}\",\n  \"blocks\": [],\n  \"blockedBy\": [{}],\n  \
         \"owner\": \"agent{}\",\n  \"metadata\": {{\n    \"priority\": \"{priority}\"\n  }},\n  \
         \"threadID\": \"ses_bench\"\n}}",
        id(number),
        bits % 97,
        blockers.join(", "),
        bits % 7,
    )
}
