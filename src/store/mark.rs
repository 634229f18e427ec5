//! `.highwatermark`: the highest number that a numbered list ever gave.

use std::io;
use std::path::Path;

use super::folder::read_regular;
use super::temp::Temp;

const NAME: &str = ".highwatermark";

/// The mark; `None` where the agents count an absent or unreadable one as 0. One too large for us
/// counts as the largest, so that no number is given twice.
pub(super) fn read(dir: &Path) -> Option<u64> {
    let mark = read_regular(&dir.join(NAME), None).ok()?;
    let text = String::from_utf8_lossy(&mark.bytes);
    let digits = text.trim();
    let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| digits.parse().unwrap_or(u64::MAX))
}

/// Under the lock of a numbered list: whether the numbers of new tasks are free still; then the
/// mark goes up to `raised`.
pub(super) fn count(dir: &Path, created: &[u64], raised: Option<&u64>) -> io::Result<bool> {
    let mark = read(dir).unwrap_or(0);
    if created.iter().any(|number| *number <= mark) {
        return Ok(false);
    }
    if let Some(number) = raised {
        raise(dir, *number)?;
    }
    Ok(true)
}

/// Raises the mark; it is never lowered.
pub(super) fn raise(dir: &Path, number: u64) -> io::Result<()> {
    if read(dir).is_some_and(|mark| mark >= number) {
        return Ok(());
    }
    Temp::write(dir, number.to_string().as_bytes())?.replace(&dir.join(NAME))
}
