use std::ops::Range;

/// Where one member of an object stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Member {
    /// The key with its quotes.
    pub(super) key: Range<usize>,
    /// The value without the white space around it.
    pub(super) value: Range<usize>,
}

/// A container's brackets and what stands between them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Container<T> {
    /// The opening bracket.
    pub(super) open: usize,
    /// The closing bracket.
    pub(super) close: usize,
    /// The members or items in file order.
    pub(super) parts: Vec<T>,
}

/// Where and why a text stops being JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stop {
    /// The byte at which reading stopped.
    pub(super) at: usize,
    /// What was found there, in words for people.
    pub(super) why: &'static str,
}

/// The spans of the members of the one object that `bytes` holds.
pub(super) fn object(bytes: &[u8]) -> Result<Container<Member>, Stop> {
    let mut scanner = Scanner { bytes, at: 0 };
    let object = scanner.object()?;
    scanner.space();
    if scanner.at < bytes.len() {
        return scanner.stop("something follows the end of the task");
    }
    Ok(object)
}

/// The spans of the members of the object that starts at `at`.
pub(super) fn object_at(bytes: &[u8], at: usize) -> Result<Container<Member>, Stop> {
    Scanner { bytes, at }.object()
}

/// The spans of the items of the array that starts at `at`.
pub(super) fn array_at(bytes: &[u8], at: usize) -> Result<Container<Range<usize>>, Stop> {
    let mut scanner = Scanner { bytes, at };
    let open = scanner.at;
    scanner.at += 1;
    let mut parts = Vec::new();
    scanner.space();
    if scanner.peek() != Some(b']') {
        loop {
            parts.push(scanner.value()?);
            scanner.space();
            match scanner.peek() {
                Some(b',') => scanner.at += 1,
                Some(b']') => break,
                _ => return scanner.stop("a comma or ] is missing"),
            }
        }
    }
    let close = scanner.at;
    Ok(Container { open, close, parts })
}

/// A strict JSON scanner over bytes. It keeps no stack of its own but one byte per open bracket,
/// so no depth can overflow it. Bytes that are not UTF-8 pass inside strings.
struct Scanner<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Scanner<'_> {
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn stop<T>(&self, why: &'static str) -> Result<T, Stop> {
        let why = if self.at >= self.bytes.len() {
            "it ends in the middle (cut off, or still being written)"
        } else {
            why
        };
        Err(Stop { at: self.at, why })
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn object(&mut self) -> Result<Container<Member>, Stop> {
        self.space();
        if self.peek() != Some(b'{') {
            return self.not_an_object();
        }
        let open = self.at;
        self.at += 1;
        let mut parts = Vec::new();
        self.space();
        if self.peek() != Some(b'}') {
            loop {
                let key = self.key()?;
                let value = self.value()?;
                parts.push(Member { key, value });
                self.space();
                match self.peek() {
                    Some(b',') => self.at += 1,
                    Some(b'}') => break,
                    _ => return self.stop("a comma or } is missing"),
                }
            }
        }
        let close = self.at;
        self.at += 1;
        Ok(Container { open, close, parts })
    }

    /// Tells a whole value of another kind from a text that is no JSON at all.
    fn not_an_object<T>(&mut self) -> Result<T, Stop> {
        let at = self.at;
        let kind = match self.peek() {
            Some(b'[') => "it holds a list, not an object",
            Some(b'"') => "it holds a string, not an object",
            Some(b'n') => "it holds null, not an object",
            Some(b't' | b'f') => "it holds true or false, not an object",
            _ => "it holds a number, not an object",
        };
        self.value()?;
        Err(Stop { at, why: kind })
    }

    /// A key and the colon after it.
    fn key(&mut self) -> Result<Range<usize>, Stop> {
        self.space();
        match self.peek() {
            Some(b'"') => {}
            Some(b'}') => return self.stop("a comma stands before }"),
            Some(b'/') => return self.stop("a comment stands here, JSON has none"),
            _ => return self.stop("a key in quotes is missing"),
        }
        let key = self.string()?;
        self.space();
        if self.peek() != Some(b':') {
            return self.stop("a colon is missing after the key");
        }
        self.at += 1;
        Ok(key)
    }

    /// Any value. Open brackets are remembered by the byte that closes them.
    fn value(&mut self) -> Result<Range<usize>, Stop> {
        self.space();
        let start = self.at;
        let mut open: Vec<u8> = Vec::new();
        loop {
            self.space();
            match self.peek() {
                Some(bracket @ (b'{' | b'[')) => {
                    let close = if bracket == b'{' { b'}' } else { b']' };
                    self.at += 1;
                    self.space();
                    if self.peek() == Some(close) {
                        self.at += 1;
                    } else {
                        if close == b'}' {
                            self.key()?;
                        }
                        open.push(close);
                        continue;
                    }
                }
                _ => self.scalar()?,
            }
            if self.close_finished(&mut open)? {
                return Ok(start..self.at);
            }
        }
    }

    /// After a value: closes what ends here. True when nothing is open any more, false when
    /// another value follows.
    fn close_finished(&mut self, open: &mut Vec<u8>) -> Result<bool, Stop> {
        while let Some(&close) = open.last() {
            self.space();
            match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    if close == b'}' {
                        self.key()?;
                    }
                    return Ok(false);
                }
                Some(byte) if byte == close => {
                    self.at += 1;
                    open.pop();
                }
                _ if close == b'}' => return self.stop("a comma or } is missing"),
                _ => return self.stop("a comma or ] is missing"),
            }
        }
        Ok(true)
    }

    fn scalar(&mut self) -> Result<(), Stop> {
        match self.peek() {
            Some(b'"') => self.string().map(drop),
            Some(b'-' | b'0'..=b'9') => self.number(),
            Some(b't') => self.word(b"true"),
            Some(b'f') => self.word(b"false"),
            Some(b'n') => self.word(b"null"),
            Some(b']') => self.stop("a value is missing (a comma too many?)"),
            Some(b'/') => self.stop("a comment stands here, JSON has none"),
            Some(b'N' | b'I') => self.stop("JSON has no NaN or Infinity"),
            Some(b'\'') => self.stop("JSON wants double quotes"),
            _ => self.stop("a value is missing"),
        }
    }

    fn word(&mut self, word: &[u8]) -> Result<(), Stop> {
        for byte in word {
            if self.peek() != Some(*byte) {
                return self.stop("a value is missing");
            }
            self.at += 1;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<(), Stop> {
        if self.peek() == Some(b'-') {
            self.at += 1;
        }
        if self.peek() == Some(b'0') {
            self.at += 1;
        } else {
            self.digits()?;
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if matches!(self.peek(), Some(b'+' | b'-')) {
                self.at += 1;
            }
            self.digits()?;
        }
        Ok(())
    }

    fn digits(&mut self) -> Result<(), Stop> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            return self.stop("a digit is missing");
        }
        Ok(())
    }

    fn string(&mut self) -> Result<Range<usize>, Stop> {
        let start = self.at;
        self.at += 1;
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(start..self.at);
                }
                Some(b'\\') => self.escape()?,
                Some(0..0x20) => {
                    return self.stop("a raw control character stands inside a string");
                }
                Some(_) => self.at += 1,
                None => return self.stop(""),
            }
        }
    }

    fn escape(&mut self) -> Result<(), Stop> {
        self.at += 1;
        match self.peek() {
            Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.at += 1,
            Some(b'u') => {
                self.at += 1;
                for _ in 0..4 {
                    if !self.peek().is_some_and(|b| b.is_ascii_hexdigit()) {
                        return self.stop("\\u needs four hexadecimal digits");
                    }
                    self.at += 1;
                }
            }
            _ => return self.stop("JSON knows no such escape"),
        }
        Ok(())
    }
}
