use std::fs;

use super::ListState;

/// How much of the screen the panes of a list have, in hundredths; `None` lets the board choose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PaneSizes {
    /// The details beside the board or the graph, of the width.
    pub details: Option<u16>,
    /// The pane below the columns, of the height.
    pub lower: Option<u16>,
}

/// The file in the list's state folder: `details` and `lower`, a dash for the board's choice.
const PANES: &str = "panes";

impl ListState {
    /// The sizes that the person gave the panes of this list.
    pub fn pane_sizes(&self) -> PaneSizes {
        let path = self.folder().map(|folder| folder.join(PANES));
        let text = path.and_then(|path| fs::read_to_string(path).ok());
        let text = text.unwrap_or_default();
        let mut sizes = text.split_whitespace().map(|size| size.parse().ok());
        PaneSizes {
            details: sizes.next().flatten(),
            lower: sizes.next().flatten(),
        }
    }

    /// Remembers them for the next board on this list.
    pub fn keep_pane_sizes(&self, sizes: PaneSizes) {
        let Some(folder) = self.folder() else { return };
        let word = |size: Option<u16>| size.map_or_else(|| "-".to_owned(), |size| size.to_string());
        let text = format!("{} {}\n", word(sizes.details), word(sizes.lower));
        super::replace(&folder.join(PANES), &text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_remembered_per_list() {
        let root = tempfile::tempdir().unwrap();
        let here = ListState::open(Some(root.path()), &root.path().join("a"));
        let there = ListState::open(Some(root.path()), &root.path().join("b"));
        let sizes = PaneSizes {
            details: Some(40),
            lower: None,
        };
        here.keep_pane_sizes(sizes);
        assert_eq!(here.pane_sizes(), sizes);
        assert_eq!(there.pane_sizes(), PaneSizes::default());
        ListState::default().keep_pane_sizes(sizes);
    }
}
