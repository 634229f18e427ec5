use super::{List, Refusal, RefusalCode, Resolve};
use crate::task::{Json, NewTask, Priority, TaskId};

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

    /// The task that somebody typed: by its id, or by a part of the subject that only one open task
    /// has. For people only; what agents write is taken to the letter.
    ///
    /// # Errors
    /// Like [`List::resolve`]; also when several subjects hold the text.
    pub fn resolve_typed(&self, text: &str) -> Result<TaskId, Refusal> {
        let by_id = self.resolve(text, Resolve::Prefix);
        let Err(refusal) = by_id else { return by_id };
        let part = text.to_lowercase();
        let open = self.tasks().filter(|task| !task.status.is_closed());
        let mut named = open.filter(|task| task.subject.to_lowercase().contains(&part));
        match (named.next(), named.next()) {
            (Some(only), None) => Ok(only.id.clone()),
            (Some(_), Some(_)) => {
                let what = format!("several open tasks have {text:?} in their subject");
                Err(Refusal::new(RefusalCode::AmbiguousId, what).hint("tab completes a name"))
            }
            (None, _) => Err(refusal),
        }
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
