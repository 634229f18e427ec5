//! Real files, written the way agents, editors and scripts write them.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use crate::list::{FileChange, FileContent};
use crate::store::watch::worker::Source;
use crate::store::watch::{WatchEvent, WatchMode, WatchStatus, Watcher};
use crate::task::{Problem, ProblemCode, Task, TaskId};

/// Long enough for the slowest machine; nothing waits this long unless something is broken.
const PATIENCE: Duration = Duration::from_secs(20);

/// A watched folder, and the picture that its watcher's events add up to.
struct Watched {
    folder: PathBuf,
    events: Receiver<WatchEvent>,
    picture: HashMap<String, String>,
    reads: Arc<AtomicUsize>,
    watcher: Watcher,
    _root: tempfile::TempDir,
}

fn read(folder: &Path, name: &str) -> FileChange {
    let id = TaskId::new(name.trim_end_matches(".json"));
    let content = match fs::read(folder.join(name)) {
        Err(_) => FileContent::Gone,
        Ok(bytes) => match serde_json::from_slice::<serde_json::Value>(&bytes) {
            Ok(value) => {
                let mut task = Task::new(id);
                task.subject = value["subject"].as_str().unwrap_or("").to_owned();
                task.raw = bytes.into();
                FileContent::Task(Arc::new(task))
            }
            Err(error) => FileContent::Broken {
                id: Some(id),
                problem: Problem {
                    file: name.to_owned(),
                    code: ProblemCode::Unreadable,
                    message: error.to_string(),
                    at: None,
                },
            },
        },
    };
    let name = name.to_owned();
    FileChange { name, content }
}

/// Reads a folder of small JSON files and counts what it reads.
struct Reader {
    folder: PathBuf,
    reads: Arc<AtomicUsize>,
}

impl Source for Reader {
    fn concerns(&self, name: &str) -> bool {
        !name.ends_with('~')
    }

    fn read(&self, names: &[String]) -> Vec<FileChange> {
        self.reads.fetch_add(names.len(), Ordering::SeqCst);
        names.iter().map(|name| read(&self.folder, name)).collect()
    }
}

/// A file whose writer is as slow as its reader: the first read meets half of it.
struct SlowWriter {
    folder: PathBuf,
    read_before: AtomicBool,
}

impl Source for SlowWriter {
    fn concerns(&self, _: &str) -> bool {
        true
    }

    fn read(&self, names: &[String]) -> Vec<FileChange> {
        let whole = doc("whole");
        let done = self.read_before.swap(true, Ordering::SeqCst);
        let text = if done { &whole } else { &whole[..20] };
        fs::write(self.folder.join("1.json"), text).unwrap();
        names.iter().map(|name| read(&self.folder, name)).collect()
    }
}

impl Watched {
    fn start(mode: WatchMode, prepare: impl FnOnce(&Path)) -> Watched {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("tasks");
        prepare(&folder);
        let reads = Arc::new(AtomicUsize::new(0));
        let source = Reader {
            folder: folder.clone(),
            reads: reads.clone(),
        };
        let (send, events) = channel();
        let watcher = Watcher::start(&folder, mode, source, move |event| drop(send.send(event)));
        Watched {
            folder,
            events,
            picture: HashMap::new(),
            reads,
            watcher,
            _root: root,
        }
    }

    fn with_one_task() -> Watched {
        Watched::start(WatchMode::Auto, |folder| {
            fs::create_dir(folder).unwrap();
            fs::write(folder.join("1.json"), doc("first")).unwrap();
        })
    }

    fn path(&self) -> PathBuf {
        self.folder.join("1.json")
    }

    fn apply(&mut self, event: WatchEvent) -> Option<WatchStatus> {
        match event {
            WatchEvent::Status(status) => return Some(status),
            WatchEvent::Files(files) => {
                assert!(!files.is_empty(), "an event says something");
                for file in files {
                    match file.content {
                        FileContent::Task(task) => {
                            self.picture.insert(file.name, task.subject.clone());
                        }
                        FileContent::Broken { .. } => {
                            self.picture.insert(file.name, "broken".to_owned());
                        }
                        FileContent::Gone => {
                            self.picture.remove(&file.name);
                        }
                    }
                }
            }
        }
        None
    }

    /// Waits until the picture satisfies a condition.
    fn until(&mut self, what: &str, done: impl Fn(&HashMap<String, String>) -> bool) {
        while !done(&self.picture) {
            match self.events.recv_timeout(PATIENCE) {
                Ok(event) => drop(self.apply(event)),
                Err(_) => panic!("never saw {what}; the picture is {:?}", self.picture),
            }
        }
    }

    fn until_first_task_is(&mut self, subject: &str) {
        self.until(subject, |p| p.get("1.json").is_some_and(|s| s == subject));
    }

    fn until_status(&mut self, what: &str, done: impl Fn(&WatchStatus) -> bool) -> WatchStatus {
        loop {
            let event = self.events.recv_timeout(PATIENCE);
            let event = event.unwrap_or_else(|_| panic!("never heard {what}"));
            if let Some(status) = self.apply(event).filter(&done) {
                return status;
            }
        }
    }

    /// Everything told up to a mark that is written now and seen last.
    fn told_until_mark(&mut self, mark: &str) -> Vec<String> {
        atomic(&self.folder.join("mark.json"), &doc(mark));
        let mut told = Vec::new();
        loop {
            match self.events.recv_timeout(PATIENCE) {
                Ok(WatchEvent::Files(files)) => {
                    told.extend(files.iter().map(|file| file.name.clone()));
                    self.apply(WatchEvent::Files(files));
                    if self.picture.get("mark.json").is_some_and(|s| s == mark) {
                        told.retain(|name| name != "mark.json");
                        return told;
                    }
                }
                Ok(WatchEvent::Status(_)) => {}
                Err(RecvTimeoutError::Timeout) => panic!("never saw the mark"),
                Err(error) => panic!("{error}"),
            }
        }
    }
}

fn doc(subject: &str) -> String {
    format!("{{\n  \"subject\": \"{subject}\",\n  \"status\": \"pending\"\n}}")
}

/// As agents write: a temp file beside, renamed over the target.
fn atomic(path: &Path, text: &str) {
    let temp = path.with_extension("json.tmp.1");
    fs::write(&temp, text).unwrap();
    fs::rename(temp, path).unwrap();
}

#[test]
fn the_ways_of_writing_one_file() {
    let mut w = Watched::with_one_task();
    let path = w.path();
    atomic(&path, &doc("by rename"));
    w.until_first_task_is("by rename");

    // vim: move away, write anew, remove the backup
    fs::rename(&path, w.folder.join("1.json~")).unwrap();
    fs::write(&path, doc("by vim")).unwrap();
    fs::remove_file(w.folder.join("1.json~")).unwrap();
    w.until_first_task_is("by vim");

    fs::write(&path, doc("in place")).unwrap();
    w.until_first_task_is("in place");

    let times = fs::metadata(&path).unwrap().modified().unwrap();
    fs::write(&path, doc("mtime back")).unwrap();
    let file = fs::File::options().append(true).open(&path).unwrap();
    file.set_modified(times).unwrap();
    w.until_first_task_is("mtime back");

    atomic(&path, &doc("the future"));
    let file = fs::File::options().append(true).open(&path).unwrap();
    file.set_modified(times + Duration::from_secs(31_536_000))
        .unwrap();
    w.until_first_task_is("the future");

    for n in 0..500 {
        atomic(&path, &doc(&format!("burst {n}")));
    }
    atomic(&path, &doc("final"));
    w.until_first_task_is("final");

    fs::remove_file(&path).unwrap();
    w.until("a deletion", HashMap::is_empty);
    atomic(&path, &doc("back"));
    w.until_first_task_is("back");
}

#[test]
fn half_a_file_is_never_called_broken_when_the_rest_follows() {
    let root = tempfile::tempdir().unwrap();
    let source = SlowWriter {
        folder: root.path().to_owned(),
        read_before: AtomicBool::new(false),
    };
    let (send, events) = channel();
    let sink = move |event| drop(send.send(event));
    let _watcher = Watcher::start(root.path(), WatchMode::Auto, source, sink);
    fs::write(root.path().join("1.json"), "").unwrap();
    loop {
        if let WatchEvent::Files(files) = events.recv_timeout(PATIENCE).unwrap() {
            assert!(matches!(&files[0].content, FileContent::Task(t) if t.subject == "whole"));
            return;
        }
    }
}

#[test]
fn a_broken_file_is_told_after_a_second_look() {
    let mut w = Watched::with_one_task();
    fs::write(w.path(), "{\"subject\":").unwrap();
    w.until_first_task_is("broken");
    assert!(w.reads.load(Ordering::SeqCst) >= 2, "it was read twice");
    atomic(&w.path(), &doc("mended"));
    w.until_first_task_is("mended");
}

#[test]
fn reading_and_touching_tell_nothing() {
    let mut w = Watched::with_one_task();
    let path = w.path();
    atomic(&path, &doc("one"));
    w.until_first_task_is("one");
    for _ in 0..50 {
        fs::read(&path).unwrap();
    }
    assert_eq!(w.told_until_mark("read"), [""; 0]);
    let file = fs::File::options().append(true).open(&path).unwrap();
    file.set_modified(std::time::SystemTime::now()).unwrap();
    atomic(&path, &doc("one"));
    fs::write(w.folder.join(".lock"), "{}").unwrap();
    fs::write(w.folder.join("1.json.tmp.123"), "{}").unwrap();
    assert_eq!(w.told_until_mark("touched"), [""; 0]);
}

#[test]
fn one_changed_file_reads_one_file() {
    let mut w = Watched::start(WatchMode::Auto, |folder| {
        fs::create_dir(folder).unwrap();
        for n in 0..300 {
            fs::write(folder.join(format!("{n}.json")), doc("old")).unwrap();
        }
    });
    w.until_status("live", |s| *s == WatchStatus::Live);
    assert_eq!(w.reads.load(Ordering::SeqCst), 0, "starting reads nothing");
    atomic(&w.path(), &doc("new"));
    w.until_first_task_is("new");
    assert_eq!(w.picture.len(), 1, "only that file was told");
}

#[test]
fn a_flood_arrives_whole_and_in_parts() {
    let mut w = Watched::with_one_task();
    for n in 0..3000 {
        let text = doc(&format!("flood {n}"));
        atomic(&w.folder.join(format!("f{n}.json")), &text);
    }
    w.until("3000 files", |picture| picture.len() >= 3000);
    assert!((0..3000).all(|n| w.picture[&format!("f{n}.json")] == format!("flood {n}")));
}

#[test]
fn the_folder_is_deleted_and_made_again() {
    let mut w = Watched::with_one_task();
    atomic(&w.path(), &doc("before"));
    w.until_first_task_is("before");
    fs::remove_dir_all(&w.folder).unwrap();
    w.until("an empty picture", HashMap::is_empty);
    fs::create_dir(&w.folder).unwrap();
    atomic(&w.path(), &doc("after recreate"));
    w.until_first_task_is("after recreate");
    atomic(&w.path(), &doc("and it goes on"));
    w.until_first_task_is("and it goes on");
}

#[test]
fn a_removed_folder_is_said_and_so_is_its_return() {
    let mut w = Watched::with_one_task();
    w.until_status("live", |s| *s == WatchStatus::Live);
    fs::remove_dir_all(&w.folder).unwrap();
    let stale = w.until_status("the removal", |s| *s != WatchStatus::Live);
    let WatchStatus::Stale { why } = stale else {
        panic!("{stale:?}");
    };
    assert!(why.contains("was removed"), "{why}");
    fs::create_dir(&w.folder).unwrap();
    w.until_status("live again", |s| *s == WatchStatus::Live);
}

#[test]
fn the_folder_is_moved_away_and_replaced() {
    let mut w = Watched::with_one_task();
    fs::write(w.folder.join("2.json"), doc("second")).unwrap();
    w.until("the second", |picture| picture.contains_key("2.json"));
    fs::rename(&w.folder, w.folder.with_extension("old")).unwrap();
    fs::create_dir(&w.folder).unwrap();
    atomic(&w.path(), &doc("fresh folder"));
    w.until("the new folder alone", |p| {
        p.len() == 1 && p.get("1.json").is_some_and(|s| s == "fresh folder")
    });
    atomic(&w.path(), &doc("and it goes on"));
    w.until_first_task_is("and it goes on");
}

#[test]
fn a_folder_that_appears_later_is_found() {
    let mut w = Watched::start(WatchMode::Auto, |_| {});
    let status = w.until_status("a status", |_| true);
    assert_eq!(status, WatchStatus::Live, "nothing is missing yet");
    fs::create_dir(&w.folder).unwrap();
    atomic(&w.path(), &doc("the first ever"));
    w.until_first_task_is("the first ever");
}

#[cfg(unix)]
#[test]
fn a_linked_folder_that_is_pointed_elsewhere() {
    let mut w = Watched::start(WatchMode::Auto, |folder| {
        let (a, b) = (folder.with_file_name("a"), folder.with_file_name("b"));
        fs::create_dir(&a).unwrap();
        fs::create_dir(&b).unwrap();
        fs::write(b.join("1.json"), doc("from b")).unwrap();
        std::os::unix::fs::symlink(&a, folder).unwrap();
    });
    atomic(&w.folder.with_file_name("a").join("1.json"), &doc("from a"));
    w.until_first_task_is("from a");
    let next = w.folder.with_file_name("next");
    std::os::unix::fs::symlink(w.folder.with_file_name("b"), &next).unwrap();
    fs::rename(next, &w.folder).unwrap();
    w.until_first_task_is("from b");
}

#[test]
fn polling_says_so_and_finds_every_change() {
    let mut w = Watched::start(WatchMode::Poll, |folder| {
        fs::create_dir(folder).unwrap();
        fs::write(folder.join("1.json"), doc("first")).unwrap();
    });
    let status = w.until_status("polling", |_| true);
    assert!(matches!(status, WatchStatus::Polling { .. }), "{status:?}");
    atomic(&w.path(), &doc("by rename"));
    w.watcher.sweep();
    w.until_first_task_is("by rename");
    fs::write(w.path(), doc("in  place")).unwrap();
    w.watcher.sweep();
    w.until_first_task_is("in  place");
    fs::remove_dir_all(&w.folder).unwrap();
    w.watcher.sweep();
    w.until("a deletion", HashMap::is_empty);
}

#[test]
fn dropping_it_ends_the_thread_and_the_sink() {
    let w = Watched::with_one_task();
    let Watched {
        watcher, events, ..
    } = w;
    drop(watcher);
    while let Ok(event) = events.try_recv() {
        assert!(matches!(event, WatchEvent::Status(_)));
    }
    assert_eq!(
        events.recv_timeout(PATIENCE),
        Err(RecvTimeoutError::Disconnected)
    );
}
