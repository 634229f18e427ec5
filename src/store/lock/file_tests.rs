use std::fs;
use std::sync::Arc;

use serde_json::Value;

use super::super::omo::MANNER;
use super::*;

const NOW: i64 = 1_760_000_000_000;

fn waiting(timeout_ms: u64) -> Waiting {
    Waiting {
        timeout: Duration::from_millis(timeout_ms),
        stale: None,
        clock: Clock::new(|| NOW),
        given_up: Arc::default(),
    }
}

fn take_in(dir: &Path, waiting: &Waiting) -> Result<FileLock, LockError> {
    take(&dir.join(".lock"), &MANNER, waiting)
}

#[test]
fn a_lock_appears_with_its_content_and_goes() {
    let dir = tempfile::tempdir().unwrap();
    let lock = take_in(dir.path(), &waiting(0)).unwrap();
    let text = fs::read_to_string(dir.path().join(".lock")).unwrap();
    let value: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(value["timestamp"], NOW);
    assert!(value["id"].is_string() && !text.contains('\n'), "{text}");
    assert!(lock.is_safe());
    let holder = holder(&dir.path().join(".lock"), &MANNER, &waiting(0)).unwrap();
    let process = format!("taskdeck (process {})", std::process::id());
    assert_eq!(holder.description, process);
    drop(lock);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_lock_that_was_taken_over_is_neither_safe_nor_released() {
    let dir = tempfile::tempdir().unwrap();
    let lock = take_in(dir.path(), &waiting(0)).unwrap();
    let path = dir.path().join(".lock");
    fs::write(&path, "another's").unwrap();
    assert!(!lock.is_safe());
    drop(lock);
    assert_eq!(fs::read_to_string(&path).unwrap(), "another's");
}

#[test]
fn a_lock_is_unsafe_from_half_the_stale_time() {
    use std::sync::atomic::{AtomicI64, Ordering};
    let now = Arc::new(AtomicI64::new(NOW));
    let clock = now.clone();
    let waiting = Waiting {
        clock: Clock::new(move || clock.load(Ordering::SeqCst)),
        ..waiting(0)
    };
    let dir = tempfile::tempdir().unwrap();
    let lock = take_in(dir.path(), &waiting).unwrap();
    now.store(NOW + 14_999, Ordering::SeqCst);
    assert!(lock.is_safe());
    now.store(NOW + 15_000, Ordering::SeqCst);
    assert!(!lock.is_safe());
}

#[test]
fn an_empty_lock_is_taken_over_only_after_a_moment() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(".lock");
    fs::write(&path, "").unwrap();
    assert!(
        take_in(dir.path(), &waiting(0)).is_err(),
        "it may be filled"
    );
    assert!(path.exists());
    assert!(
        take_in(dir.path(), &waiting(10_000)).is_ok(),
        "it stayed empty"
    );
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
}

#[test]
fn a_lock_that_changed_while_it_was_stolen_is_put_back() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(".lock");
    fs::write(&path, "a live one").unwrap();
    assert!(!steal(&path, b"the stale one"));
    assert_eq!(fs::read_to_string(&path).unwrap(), "a live one");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
}

#[test]
fn a_lock_that_is_no_file_is_waited_for_and_named() {
    let dir = tempfile::tempdir().unwrap();
    fs::create_dir(dir.path().join(".lock")).unwrap();
    match take_in(dir.path(), &waiting(1)) {
        Err(LockError::Busy { holder, .. }) => assert!(holder.contains("a folder"), "{holder}"),
        _ => panic!("a folder is no lock of ours"),
    }
}

#[test]
fn a_reader_never_sees_a_lock_without_its_content() {
    use std::sync::atomic::{AtomicBool, Ordering};
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(".lock");
    let done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for _ in 0..500 {
                drop(take_in(dir.path(), &waiting(1000)).unwrap());
            }
            done.store(true, Ordering::SeqCst);
        });
        while !done.load(Ordering::SeqCst) {
            if let Ok(bytes) = fs::read(&path) {
                assert_eq!((MANNER.stamp)(&bytes), Some(NOW));
            }
        }
    });
}
