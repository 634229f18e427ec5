use std::path::{Path, PathBuf};

/// File systems whose other machines' writes no notification tells of (yazi, beads_viewer and
/// turborepo ended with such a list each).
const SILENT: [&str; 12] = [
    "nfs",
    "nfs4",
    "cifs",
    "smb3",
    "smbfs",
    "9p",
    "afs",
    "ceph",
    "virtiofs",
    "vboxsf",
    "prl_fs",
    "fakeowner",
];

/// The type of the file system under a folder when its notifications cannot be trusted.
pub(super) fn silent_file_system(folder: &Path) -> Option<String> {
    let mounts = std::fs::read_to_string("/proc/self/mountinfo").ok()?;
    silent_among(&mounts, folder)
}

/// The same, judged by the text of `mountinfo` (proc(5)): the mount with the longest mount point
/// above the folder decides, and of equal ones the last, which covers the others.
fn silent_among(mounts: &str, folder: &Path) -> Option<String> {
    let (_, kind) = mounts
        .lines()
        .filter_map(mount)
        .filter(|(point, _)| folder.starts_with(point))
        .max_by_key(|(point, _)| point.as_os_str().len())?;
    let silent = SILENT.contains(&kind) || kind == "fuse" || kind.starts_with("fuse.");
    silent.then(|| kind.to_owned())
}

/// Mount point and file system type of one line.
fn mount(line: &str) -> Option<(PathBuf, &str)> {
    let (before, after) = line.split_once(" - ")?;
    let point = before.split(' ').nth(4)?;
    Some((unescape(point), after.split(' ').next()?))
}

/// Mount points write blanks, tabs, line ends and backslashes as three octal digits.
fn unescape(point: &str) -> PathBuf {
    let mut parts = point.split('\\');
    let mut text = parts.next().unwrap_or("").to_owned();
    for part in parts {
        match part
            .get(..3)
            .and_then(|code| u8::from_str_radix(code, 8).ok())
        {
            Some(byte) => {
                text.push(char::from(byte));
                text.push_str(&part[3..]);
            }
            None => {
                text.push('\\');
                text.push_str(part);
            }
        }
    }
    PathBuf::from(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
30 22 0:40 / /home rw - nfs4 server:/home rw
31 30 0:41 / /home/me/local\\040disk rw - btrfs /dev/sdb rw
32 22 0:42 / /mnt/win rw - 9p C: rw
33 22 0:43 / /mnt/phone rw - fuse.sshfs me@phone:/ rw
34 22 0:44 / /mnt/phone rw - tmpfs tmpfs rw
35 22 0:45 / /mnt/usb rw - fuseblk /dev/sdc1 rw
nonsense
";

    #[test]
    fn the_nearest_mount_decides() {
        for (folder, silent) in [
            ("/var/tmp", None),
            ("/home/me/repo/.omo/tasks", Some("nfs4")),
            ("/home/me/local disk/repo", None),
            ("/homes", None),
            ("/mnt/win/repo", Some("9p")),
            ("/mnt/phone", None),
            ("/mnt/usb/repo", None),
        ] {
            let found = silent_among(MOUNTS, Path::new(folder));
            assert_eq!(found.as_deref(), silent, "{folder}");
        }
    }
}
