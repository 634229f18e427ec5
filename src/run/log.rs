use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// A log of this many bytes is put aside and begun anew; one that was put aside before goes.
const LARGEST: u64 = 1024 * 1024;

/// A last line is looked at up to this many bytes.
const LONGEST_LINE: usize = 64 * 1024;

/// Copies what a worker prints into its log, and remembers the last line that is not empty.
pub(super) fn copy(mut from: impl Read, log: Option<PathBuf>) -> String {
    let mut log = log.and_then(|path| Log::create(path).ok());
    let mut lines = LastLine::default();
    let mut buffer = [0; 16 * 1024];
    loop {
        match from.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => {
                lines.take(&buffer[..read]);
                // A log that cannot be written is no reason to stop the worker.
                log = log.and_then(|mut log| {
                    log.write(&buffer[..read]).ok()?;
                    Some(log)
                });
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
    lines.last()
}

struct Log {
    path: PathBuf,
    file: File,
    size: u64,
}

impl Log {
    fn create(path: PathBuf) -> io::Result<Log> {
        let file = private_file(&path)?;
        Ok(Log {
            path,
            file,
            size: 0,
        })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if self.size >= LARGEST {
            fs::rename(&self.path, self.path.with_extension("log.1"))?;
            self.file = private_file(&self.path)?;
            self.size = 0;
        }
        self.size += bytes.len() as u64;
        self.file.write_all(bytes)
    }
}

/// A new file in the state folder. What agents read and print may hold secrets: for this person's
/// eyes only.
pub(super) fn private_file(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut options = fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

#[derive(Default)]
struct LastLine {
    line: Vec<u8>,
    whole: Vec<u8>,
}

impl LastLine {
    fn take(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let room = LONGEST_LINE.saturating_sub(self.line.len());
            self.line.extend(part.iter().take(room));
            if part.ends_with(b"\n") {
                self.end_line();
            }
        }
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.line);
        if !line.trim_ascii().is_empty() {
            self.whole = line;
        }
    }

    fn last(mut self) -> String {
        self.end_line();
        String::from_utf8_lossy(self.whole.trim_ascii()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_is_kept_and_the_log_is_bounded() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/x.log");
        assert_eq!(copy(&b"one\ntwo\n\n  \n"[..], Some(path.clone())), "two");
        assert_eq!(fs::read(&path).unwrap(), b"one\ntwo\n\n  \n");
        assert_eq!(copy(&b"no line end"[..], None), "no line end");
        let much = vec![b'x'; 3 * LARGEST as usize];
        assert_eq!(copy(&much[..], Some(path.clone())).len(), LONGEST_LINE);
        let kept: u64 = fs::read_dir(folder.path().join("deep"))
            .unwrap()
            .map(|entry| entry.unwrap().metadata().unwrap().len())
            .sum();
        assert!(kept <= 2 * LARGEST + 32 * 1024, "{kept} bytes");
    }
}
