use std::ops::Range;

use super::fault::{Fault, explain};
use super::scan::{self, Container, Member, Stop};
use super::{Style, decode, edge_ids, print};
use crate::task::{BYTE_ORDER_MARK, EdgeField, Edit, Json, Patch, TaskId};

/// Applies a patch to a task file by splicing bytes: what the patch does not name stays as it is,
/// byte for byte. New keys go where `order`, the dialect's schema, has them. A byte order mark is
/// dropped by an edit, because no agent can read it; a patch that changes nothing returns the
/// same bytes.
///
/// # Errors
/// [`Fault`] when the file, or what the patch would make of it, is not one JSON object.
pub(in crate::store) fn apply(
    bytes: &[u8],
    patch: &Patch,
    order: &[&str],
) -> Result<Vec<u8>, Fault> {
    let text = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    let mut file = Editor {
        bytes: text.to_vec(),
        style: style(text).map_err(|stop| explain(text, &stop))?,
        order,
    };
    let done = patch.edits.iter().try_for_each(|edit| file.edit(edit));
    done.map_err(|stop| explain(&file.bytes, &stop))?;
    let mark = patch.edits.iter().rev().find_map(|edit| match edit {
        Edit::ByteOrderMark(there) => Some(*there),
        _ => None,
    });
    if file.bytes == text && mark.is_none() {
        return Ok(bytes.to_vec());
    }
    scan::object(&file.bytes).map_err(|stop| explain(&file.bytes, &stop))?;
    if mark == Some(true) {
        file.bytes.splice(0..0, BYTE_ORDER_MARK.iter().copied());
    }
    Ok(file.bytes)
}

/// The file's own layout, as its first members show it.
fn style(bytes: &[u8]) -> Result<Style, Stop> {
    let object = scan::object(bytes)?;
    let node = Style::node();
    let Some(first) = object.parts.first() else {
        return Ok(node);
    };
    let text = |range: Range<usize>| String::from_utf8_lossy(&bytes[range]).into_owned();
    let lead = text(object.open + 1..first.key.start);
    let lines = lead.rfind('\n').map(|at| {
        let end = if lead[..at].ends_with('\r') {
            "\r\n"
        } else {
            "\n"
        };
        (end.to_owned(), lead[at + 1..].to_owned())
    });
    let colon = text(first.key.end..first.value.start);
    let colon = if colon.contains('\n') {
        node.colon
    } else {
        colon
    };
    let comma = match object.parts.get(1) {
        Some(second) if lines.is_none() => text(first.value.end..second.key.start),
        _ if colon == ":" => ",".to_owned(),
        _ => node.comma,
    };
    Ok(Style {
        lines,
        colon,
        comma,
    })
}

struct Editor<'a> {
    bytes: Vec<u8>,
    style: Style,
    order: &'a [&'a str],
}

impl Editor<'_> {
    fn edit(&mut self, edit: &Edit) -> Result<(), Stop> {
        match edit {
            Edit::Set(field, Some(value)) => self.set(field.key(), value),
            Edit::Set(field, None) => self.remove_member(Place::Top, field.key()),
            Edit::SetKey(key, Some(value)) => self.set(key, value),
            Edit::SetKey(key, None) => self.remove_member(Place::Top, key),
            Edit::SetMetadata(key, Some(value)) => self.set_metadata(key, value),
            Edit::SetMetadata(key, None) => self.remove_member(Place::Metadata, key),
            Edit::AddEdge(field, id) => self.add_edge(*field, id),
            Edit::RemoveEdge(field, id) => self.remove_edge(*field, id),
            Edit::ByteOrderMark(_) => Ok(()), // not the object's; `apply` sees to it
        }
    }

    fn set(&mut self, key: &str, value: &Json) -> Result<(), Stop> {
        let top = scan::object(&self.bytes)?;
        match self.find(&top, key) {
            Some(member) => self.replace(member.value.clone(), value, 1),
            None => self.insert_top(&top, key, value),
        }
        Ok(())
    }

    fn set_metadata(&mut self, key: &str, value: &Json) -> Result<(), Stop> {
        let Some(metadata) = self.object(Place::Metadata)? else {
            let object = format!("{{{}:{value}}}", Json::string(key));
            return self.set("metadata", &Json::raw(object));
        };
        if let Some(member) = self.find(&metadata, key) {
            self.replace(member.value.clone(), value, 2);
        } else {
            let name = Json::string(key);
            let text = format!("{name}{}{}", self.style.colon, self.print(value, 2));
            let parts = spans(&metadata.parts);
            self.append(&(metadata.open..metadata.close), &parts, &text, 2);
        }
        Ok(())
    }

    fn add_edge(&mut self, field: EdgeField, id: &TaskId) -> Result<(), Stop> {
        let value = Json::string(id.as_str());
        let top = scan::object(&self.bytes)?;
        let Some(member) = self.find(&top, field.key()) else {
            self.insert_top(&top, field.key(), &Json::raw(format!("[{value}]")));
            return Ok(());
        };
        let span = member.value.clone();
        let found = edge_ids(&self.text(&span));
        if found.ids.iter().any(|known| known == id.as_str()) {
            return Ok(());
        }
        if !found.clean {
            let ids = found.ids.iter().map(String::as_str);
            self.replace(span, &strings(ids.chain([id.as_str()])), 1);
            return Ok(());
        }
        let array = scan::array_at(&self.bytes, span.start)?;
        self.append(&(array.open..array.close), &array.parts, value.as_str(), 2);
        Ok(())
    }

    fn remove_edge(&mut self, field: EdgeField, id: &TaskId) -> Result<(), Stop> {
        let top = scan::object(&self.bytes)?;
        let Some(member) = self.find(&top, field.key()) else {
            return Ok(());
        };
        let span = member.value.clone();
        let found = edge_ids(&self.text(&span));
        if !found.ids.iter().any(|known| known == id.as_str()) {
            return Ok(());
        }
        if !found.clean {
            let ids = found.ids.iter().map(String::as_str);
            self.replace(span, &strings(ids.filter(|known| *known != id.as_str())), 1);
            return Ok(());
        }
        loop {
            let array = scan::array_at(&self.bytes, span.start)?;
            let names_it = |part: &Range<usize>| decode(&self.text(part)).0 == id.as_str();
            let Some(at) = array.parts.iter().position(names_it) else {
                return Ok(());
            };
            self.cut(&(array.open..array.close), &array.parts, at);
        }
    }

    /// Removes a key, every occurrence of it: an earlier one would come to life otherwise.
    fn remove_member(&mut self, place: Place, key: &str) -> Result<(), Stop> {
        while let Some(object) = self.object(place)? {
            let named = |member: &Member| self.is_named(member, key);
            let Some(at) = object.parts.iter().position(named) else {
                break;
            };
            self.cut(&(object.open..object.close), &spans(&object.parts), at);
        }
        Ok(())
    }

    /// The object that an edit works in; `None` when there is no metadata object.
    fn object(&self, place: Place) -> Result<Option<Container<Member>>, Stop> {
        let top = scan::object(&self.bytes)?;
        match place {
            Place::Top => Ok(Some(top)),
            Place::Metadata => match self.find(&top, "metadata") {
                Some(member) if self.bytes[member.value.start] == b'{' => {
                    scan::object_at(&self.bytes, member.value.start).map(Some)
                }
                _ => Ok(None),
            },
        }
    }

    /// The member of that name: of a duplicate key the last, which is the one that counts.
    fn find<'m>(&self, object: &'m Container<Member>, key: &str) -> Option<&'m Member> {
        let mut members = object.parts.iter().rev();
        members.find(|member| self.is_named(member, key))
    }

    fn is_named(&self, member: &Member, key: &str) -> bool {
        decode(&self.text(&member.key)).0 == key
    }

    fn text(&self, range: &Range<usize>) -> String {
        String::from_utf8_lossy(&self.bytes[range.clone()]).into_owned()
    }

    fn print(&self, value: &Json, depth: usize) -> String {
        print(value, &self.style, depth)
    }

    fn splice(&mut self, range: Range<usize>, text: &str) {
        self.bytes.splice(range, text.bytes());
    }

    /// A value that means the same already is left as it is written.
    fn replace(&mut self, range: Range<usize>, value: &Json, depth: usize) {
        if !Json::raw(self.text(&range)).same_value(value) {
            let text = self.print(value, depth);
            self.splice(range, &text);
        }
    }

    /// Adds a top-level key behind the nearest key that the schema has before it.
    fn insert_top(&mut self, top: &Container<Member>, key: &str, value: &Json) {
        let name = Json::string(key);
        let text = format!("{name}{}{}", self.style.colon, self.print(value, 1));
        let rank = self.order.iter().position(|known| *known == key);
        let before = &self.order[..rank.unwrap_or(self.order.len())];
        let known = |name: &&str| top.parts.iter().rposition(|m| self.is_named(m, name));
        let after = before.iter().rev().find_map(known);
        let parts = spans(&top.parts);
        match after {
            Some(at) => {
                let between = self.between(&(top.open..top.close), &parts, 1);
                let end = parts[at].end;
                self.splice(end..end, &(between + &text));
            }
            None if parts.is_empty() => {
                self.append(&(top.open..top.close), &parts, &text, 1);
            }
            None => {
                let between = self.between(&(top.open..top.close), &parts, 1);
                let start = parts[0].start;
                self.splice(start..start, &(text + &between));
            }
        }
    }

    /// Adds a part at the end of a container whose parts stand at `depth`.
    fn append(
        &mut self,
        brackets: &Range<usize>,
        parts: &[Range<usize>],
        text: &str,
        depth: usize,
    ) {
        match parts.last() {
            Some(last) => {
                let end = last.end;
                let between = self.between(brackets, parts, depth);
                self.splice(end..end, &(between + text));
            }
            None => {
                let (open, close) = (self.style.line(depth), self.style.line(depth - 1));
                let inside = brackets.start + 1..brackets.end;
                self.splice(inside, &format!("{open}{text}{close}"));
            }
        }
    }

    /// What the container puts between two parts, the comma included, by the example of its own.
    fn between(&self, brackets: &Range<usize>, parts: &[Range<usize>], depth: usize) -> String {
        if let [.., before, last] = parts {
            return self.text(&(before.end..last.start));
        }
        match parts.first() {
            Some(first) if self.text(&(brackets.start..first.start)).contains('\n') => {
                format!(",{}", self.style.line(depth))
            }
            _ if self.style.lines.is_some() => ", ".to_owned(),
            _ => self.style.comma.clone(),
        }
    }

    /// Takes one part out of a container, with one of the commas beside it.
    fn cut(&mut self, brackets: &Range<usize>, parts: &[Range<usize>], at: usize) {
        let range = match (
            at.checked_sub(1).map(|before| &parts[before]),
            parts.get(at + 1),
        ) {
            (Some(before), _) => before.end..parts[at].end,
            (None, Some(next)) => parts[at].start..next.start,
            (None, None) => brackets.start + 1..brackets.end,
        };
        self.splice(range, "");
    }
}

/// Which object a key is removed from.
#[derive(Clone, Copy)]
enum Place {
    Top,
    Metadata,
}

fn spans(members: &[Member]) -> Vec<Range<usize>> {
    let whole = |member: &Member| member.key.start..member.value.end;
    members.iter().map(whole).collect()
}

fn strings<'a>(ids: impl Iterator<Item = &'a str>) -> Json {
    let items: Vec<String> = ids.map(|id| Json::string(id).to_string()).collect();
    Json::raw(format!("[{}]", items.join(",")))
}
