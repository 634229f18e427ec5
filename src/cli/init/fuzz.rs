//! What the fuzzer holds against the editing of clients' configuration files.

use serde_json::json;

use super::jsonc::{has, remove, set};

/// The member of our server is set in any file that can be read, setting it twice is setting it
/// once, and taking it out again leaves it out.
pub fn jsonc(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        return;
    };
    let (path, value) = (["mcp", "taskdeck"], json!({"command": ["taskdeck", "mcp"]}));
    let Ok(there) = has(text, &path) else {
        assert!(set(text, &path, &value).is_err() || text.trim().is_empty());
        return;
    };
    let Ok(with) = set(text, &path, &value) else {
        return; // something on the way is no object
    };
    assert_eq!(has(&with, &path), Ok(true), "{with:?}");
    assert_eq!(set(&with, &path, &value).as_ref(), Ok(&with));
    if there {
        assert_eq!(with, text);
        return;
    }
    let without = remove(&with, &path).expect("what we wrote can be read");
    let without = without.unwrap_or_default();
    assert_ne!(has(&without, &path), Ok(true), "{without:?}");
}
