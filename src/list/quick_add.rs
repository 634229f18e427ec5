use super::{List, Refusal};
use crate::task::{Json, NewTask, Priority};

/// What a word of the quick-add line says besides the subject.
enum Token<'a> {
    Owner(&'a str),
    Priority(Priority),
    WaitsFor(&'a str),
    HoldsBack(&'a str),
    Word,
}

impl List {
    /// Reads a new task from one line: `Fix login >T-3d0aa1 @atlas #high`. `>` names a task that
    /// comes first, `<` one that comes after; `@` is the owner, `#` the priority. Whatever is none
    /// of these belongs to the subject.
    ///
    /// # Errors
    /// When a named task is not there, as [`List::resolve`] says.
    pub fn quick_add(&self, line: &str) -> Result<NewTask, Refusal> {
        let mut task = NewTask::pending("");
        let mut subject = Vec::new();
        for word in line.split_whitespace() {
            match token(word) {
                Token::Owner(owner) => task.owner = Some(owner.to_owned()),
                Token::Priority(priority) => {
                    let value = Json::string(priority.as_str());
                    task.metadata = vec![("priority".to_owned(), value)];
                }
                Token::WaitsFor(id) => task.blocked_by.push(self.resolve_typed(id)?),
                Token::HoldsBack(id) => task.blocks.push(self.resolve_typed(id)?),
                Token::Word => subject.push(word),
            }
        }
        task.subject = subject.join(" ");
        Ok(task)
    }
}

fn token(word: &str) -> Token<'_> {
    let rest = |mark| {
        word.strip_prefix(mark)
            .filter(|rest: &&str| !rest.is_empty())
    };
    let id = |rest: &&str| {
        rest.bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b))
    };
    if let Some(owner) = rest('@') {
        return Token::Owner(owner);
    }
    if let Some(priority) = rest('#').and_then(Priority::parse) {
        return Token::Priority(priority);
    }
    match (rest('>').filter(id), rest('<').filter(id)) {
        (Some(blocker), _) => Token::WaitsFor(blocker),
        (_, Some(dependant)) => Token::HoldsBack(dependant),
        _ => Token::Word,
    }
}
