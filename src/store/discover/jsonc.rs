/// JSON with comments and trailing commas as plain JSON: both become spaces, so that positions
/// stay.
pub(super) fn to_json(text: &str) -> String {
    let bytes = text.trim_start_matches('\u{feff}').as_bytes();
    let mut out = bytes.to_vec();
    let mut at = 0;
    let mut comma = None;
    while at < bytes.len() {
        let here = &bytes[at..];
        match here[0] {
            b'"' => {
                comma = None;
                at = string_end(bytes, at);
            }
            b'/' if here.starts_with(b"//") => {
                let end = here
                    .iter()
                    .position(|b| *b == b'\n')
                    .map_or(bytes.len(), |n| at + n);
                blank(&mut out[at..end]);
                at = end;
            }
            b'/' if here.starts_with(b"/*") => {
                let end = here[2..].windows(2).position(|pair| pair == b"*/");
                let end = end.map_or(bytes.len(), |n| at + n + 4);
                blank(&mut out[at..end]);
                at = end;
            }
            b',' => {
                comma = Some(at);
                at += 1;
            }
            b'}' | b']' => {
                if let Some(comma) = comma.take() {
                    out[comma] = b' ';
                }
                at += 1;
            }
            space if space.is_ascii_whitespace() => at += 1,
            _ => {
                comma = None;
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while at < bytes.len() {
        match bytes[at] {
            b'\\' => at += 2,
            b'"' => return at + 1,
            _ => at += 1,
        }
    }
    bytes.len()
}

fn blank(bytes: &mut [u8]) {
    for byte in bytes.iter_mut().filter(|b| **b != b'\n') {
        *byte = b' ';
    }
}
