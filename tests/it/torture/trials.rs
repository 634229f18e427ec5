//! One way for the world to end each: the writer is told, the file is the old one or the new one,
//! no lock and no temp file stays.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicI64, Ordering};

use taskdeck::list::Op;
use taskdeck::store::Clock;
use taskdeck::store::watch::WatchMode;
use taskdeck::task::{Edit, Field};

use super::mirror::Mirror;
use super::worker::{Role, SPARE, command, new_task, open, open_with, spawn, update};

/// How a trial ended well.
pub enum Done {
    Held,
    /// It could not be made here, and why: not the same as passed.
    Skipped(String),
}

/// What is tried; an error is a fault of the store.
pub struct Trial {
    pub name: &'static str,
    pub run: fn(&[&str]) -> Result<Done, String>,
}

/// All of them.
pub const TRIALS: [Trial; 7] = [
    Trial {
        name: "a holder that is stopped past the stale time",
        run: stopped_holder,
    },
    Trial {
        name: "a full disk",
        run: full_disk,
    },
    Trial {
        name: "no permission to write",
        run: no_permission,
    },
    Trial {
        name: "no file descriptors left",
        run: no_descriptors,
    },
    Trial {
        name: "a clock that jumps",
        run: jumping_clock,
    },
    Trial {
        name: "a folder renamed, removed and made again",
        run: moving_folder,
    },
    Trial {
        name: "a watcher that hears nothing",
        run: silent_watcher,
    },
];

fn task_file(dir: &Path) -> Vec<u8> {
    fs::read(dir.join("T-1.json")).unwrap_or_default()
}

fn make(dir: &Path) {
    let done = open(dir).act(Op::Create(vec![new_task("T-1", Vec::new())]));
    assert!(done.is_ok(), "a first task can be made: {done:?}");
}

/// Whether the folder holds the one task and nothing else.
fn only_the_task(dir: &Path) -> Result<(), String> {
    let entries = fs::read_dir(dir).map_err(|e| e.to_string())?;
    let names: Vec<_> = entries.flatten().map(|e| e.file_name()).collect();
    let list = open(dir).load().map_err(|e| e.to_string())?;
    match (names.len(), list.len(), list.problems().len()) {
        (1, 1, 0) => Ok(()),
        _ => Err(format!(
            "left in the folder: {names:?}, {:?}",
            list.problems()
        )),
    }
}

fn check(holds: bool, or: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(or()) }
}

/// The answer of a worker that tries one edit.
fn answer(command: &mut Command) -> Result<String, String> {
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout);
    let line = text
        .lines()
        .find(|l| *l == "done" || l.starts_with("failed"));
    line.map(str::to_owned)
        .ok_or_else(|| format!("no answer: {text}"))
}

fn stopped_holder(worker: &[&str]) -> Result<Done, String> {
    let dir = tempfile::tempdir().unwrap();
    make(dir.path());
    let mut child = spawn(worker, Role::Sleeper, "sleeper", dir.path(), 0);
    let mut lines = BufReader::new(child.stdout.take().unwrap())
        .lines()
        .map_while(Result::ok);
    let holding = lines.any(|line| line == "holding");
    let signal = |name: &str| {
        let id = child.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status();
        sent.is_ok_and(|status| status.success())
    };
    let stopped = signal("-STOP");
    let owner = Edit::text(Field::Owner, "parent");
    let taken_over = open(dir.path()).act(update("T-1", owner));
    let continued = signal("-CONT");
    let _ = child.stdin.take().unwrap().write_all(b"go on\n");
    let told = lines.find(|line| line == "done" || line.starts_with("failed"));
    child.wait().unwrap();
    check(holding && stopped && continued, || {
        format!("holding {holding}, stopped {stopped}, continued {continued}")
    })?;
    check(taken_over.is_ok(), || {
        format!("not taken over: {taken_over:?}")
    })?;
    check(
        told.as_ref().is_some_and(|line| line.starts_with("failed")),
        || format!("a holder that lost its lock was told {told:?}"),
    )?;
    let text = String::from_utf8_lossy(&task_file(dir.path())).into_owned();
    check(text.contains("parent") && !text.contains("sleeper"), || {
        text.clone()
    })?;
    only_the_task(dir.path()).map(|()| Done::Held)
}

/// A small file system of its own, gone when it is dropped.
struct Disk(tempfile::TempDir);

impl Disk {
    fn mount() -> Option<Disk> {
        let dir = tempfile::tempdir().ok()?;
        let mount = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=256k", "taskdeck-torture"])
            .arg(dir.path())
            .stderr(Stdio::null())
            .status();
        mount
            .is_ok_and(|status| status.success())
            .then_some(Disk(dir))
    }
}

impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).status();
    }
}

fn full_disk(_: &[&str]) -> Result<Done, String> {
    let Some(disk) = Disk::mount() else {
        return Ok(Done::Skipped(
            "only root may mount a small tmpfs".to_owned(),
        ));
    };
    let dir = disk.0.path().join("tasks");
    make(&dir);
    let before = task_file(&dir);
    for room in [0_usize, 4_096, 8_192, 65_536] {
        let full = disk.0.path().join("full");
        let _ = fs::write(&full, vec![0; 256 * 1024]);
        let filled = fs::metadata(&full).map_or(0, |data| data.len());
        let file = fs::File::options().write(true).open(&full);
        let _ = file.and_then(|f| f.set_len(filled.saturating_sub(room as u64)));
        let text = "x".repeat(100_000);
        let done = open(&dir).act(update("T-1", Edit::text(Field::Description, &text)));
        check(done.is_err(), || "a full disk took 100 kB".to_owned())?;
        check(task_file(&dir) == before, || {
            "a full disk changed the file".to_owned()
        })?;
        only_the_task(&dir)?;
        fs::remove_file(&full).map_err(|e| e.to_string())?;
    }
    Ok(Done::Held)
}

fn no_permission(worker: &[&str]) -> Result<Done, String> {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("tasks");
    make(&dir);
    let mode = |path: &Path, mode| fs::set_permissions(path, fs::Permissions::from_mode(mode));
    mode(home.path(), 0o755).map_err(|e| e.to_string())?;
    mode(&dir, 0o555).map_err(|e| e.to_string())?;
    let before = task_file(&dir);
    // Root may write everywhere, so root sends somebody else.
    let is_root = fs::write(dir.join(".probe"), "").is_ok();
    let _ = fs::remove_file(dir.join(".probe"));
    let nobody: &[&str] = &["setpriv", "--reuid=65534", "--clear-groups"];
    let before_it = if is_root { nobody } else { &[] };
    let told = answer(&mut command(before_it, worker, Role::Once, "x", &dir));
    mode(&dir, 0o755).map_err(|e| e.to_string())?;
    let told = match told {
        Err(why) if is_root => {
            return Ok(Done::Skipped(format!(
                "root cannot send another user: {why}"
            )));
        }
        told => told?,
    };
    check(told.starts_with("failed"), || {
        format!("a folder without permission: {told}")
    })?;
    check(task_file(&dir) == before, || "the file changed".to_owned())?;
    only_the_task(&dir).map(|()| Done::Held)
}

fn no_descriptors(worker: &[&str]) -> Result<Done, String> {
    let dir = tempfile::tempdir().unwrap();
    make(dir.path());
    let mut told = Vec::new();
    for spare in 0..6 {
        let before = task_file(dir.path());
        let name = ["a", "b", "c", "d", "e", "f"][spare];
        let shell = ["sh", "-c", "ulimit -n 24; exec \"$0\" \"$@\""];
        let mut command = command(&shell, worker, Role::Once, name, dir.path());
        let said = answer(command.env(SPARE, spare.to_string()))?;
        let changed = task_file(dir.path()) != before;
        check(changed == (said == "done"), || {
            format!("with {spare}: {said}, changed: {changed}")
        })?;
        only_the_task(dir.path()).map_err(|e| format!("with {spare}: {e}"))?;
        told.push(said);
    }
    check(told[0].starts_with("failed") && told[5] == "done", || {
        format!("{told:?}")
    })?;
    Ok(Done::Held)
}

fn jumping_clock(_: &[&str]) -> Result<Done, String> {
    let dir = tempfile::tempdir().unwrap();
    make(dir.path());
    let now = Clock::system().now_ms();
    let (mut done, mut refused) = (0, 0);
    for hours in [-8_760, -1, 0, 1, 8_760] {
        // Every look at the clock is `hours` after the one before, and locks are stamped with it.
        let jumps = AtomicI64::new(0);
        let clock = Clock::new(move || now + jumps.fetch_add(hours * 3_600_000, Ordering::Relaxed));
        let before = task_file(dir.path());
        let owner = format!("agent{hours}");
        let said =
            open_with(dir.path(), clock).act(update("T-1", Edit::text(Field::Owner, &owner)));
        let changed = task_file(dir.path()) != before;
        check(changed == said.is_ok(), || {
            format!("{hours} h: {said:?}, changed: {changed}")
        })?;
        only_the_task(dir.path()).map_err(|e| format!("{hours} h: {e}"))?;
        *(if said.is_ok() {
            &mut done
        } else {
            &mut refused
        }) += 1;
    }
    check(done >= 3 && refused >= 1, || {
        format!("{done} done, {refused} refused")
    })?;
    Ok(Done::Held)
}

fn moving_folder(_: &[&str]) -> Result<Done, String> {
    let home = tempfile::tempdir().unwrap();
    let (dir, aside) = (home.path().join("tasks"), home.path().join("aside"));
    make(&dir);
    let store = open(&dir);
    let mut mirror = Mirror::open(&store, WatchMode::Auto);
    let create = |id: &str| store.act(Op::Create(vec![new_task(id, Vec::new())]));
    for turn in 0..3 {
        fs::rename(&dir, &aside).unwrap();
        mirror.catch_up().map_err(|e| format!("renamed: {e}"))?;
        create(&format!("T-new{turn}")).map_err(|e| format!("made again: {e}"))?;
        mirror.catch_up().map_err(|e| format!("made again: {e}"))?;
        fs::remove_dir_all(&dir).unwrap();
        mirror.catch_up().map_err(|e| format!("removed: {e}"))?;
        fs::rename(&aside, &dir).unwrap();
        create(&format!("T-more{turn}")).map_err(|e| format!("back: {e}"))?;
        mirror.catch_up().map_err(|e| format!("back: {e}"))?;
    }
    let count = store.load().map_err(|e| e.to_string())?.len();
    check(count == 4, || format!("{count} tasks at the end")).map(|()| Done::Held)
}

fn silent_watcher(_: &[&str]) -> Result<Done, String> {
    let dir = tempfile::tempdir().unwrap();
    make(dir.path());
    let store = open(dir.path());
    let mut mirror = Mirror::open(&store, WatchMode::Poll);
    let edit = |n: i32| {
        store.act(update(
            "T-1",
            Edit::text(Field::Owner, &format!("agent{n}")),
        ))
    };
    for turn in 0..3 {
        edit(turn).map_err(|e| e.to_string())?;
        mirror.sweep();
        mirror.catch_up()?;
    }
    Ok(Done::Held)
}
