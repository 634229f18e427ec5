use std::fs;
use std::path::PathBuf;

use super::ListState;

/// The file in the person's state directory, for all lists: `name`, tab, filter on each line.
const FILTERS: &str = "filters";

impl ListState {
    /// The person's saved filters in the order of their names: name and filter. The same for
    /// every list.
    pub fn filters(&self) -> Vec<(String, String)> {
        let text = self.filters_file().and_then(|path| fs::read(path).ok());
        let text = String::from_utf8_lossy(&text.unwrap_or_default()).into_owned();
        let pair = |line: &str| {
            let (name, filter) = line.split_once('\t')?;
            Some((name.to_owned(), filter.to_owned()))
        };
        text.lines().filter_map(pair).collect()
    }

    /// Saves a filter under a name, in the place of one that has the name; an empty filter only
    /// takes the old one away.
    pub fn keep_filter(&self, name: &str, filter: &str) {
        let Some(path) = self.filters_file() else {
            return;
        };
        let plain = |text: &str| text.replace(char::is_control, " ").trim().to_owned();
        let (name, filter) = (plain(name), plain(filter));
        let mut filters = self.filters();
        filters.retain(|(known, _)| *known != name);
        if !filter.is_empty() {
            filters.push((name, filter));
        }
        filters.sort();
        let line = |(name, filter): &(String, String)| format!("{name}\t{filter}\n");
        let text: String = filters.iter().map(line).collect();
        super::replace(&path, &text);
    }

    fn filters_file(&self) -> Option<PathBuf> {
        // The list's folder is `lists/<name>` in the state directory.
        Some(self.folder()?.ancestors().nth(2)?.join(FILTERS))
    }
}

#[cfg(test)]
mod tests {
    use super::ListState;

    #[test]
    fn filters_are_saved_for_every_list_and_replaced_by_name() {
        let root = tempfile::tempdir().unwrap();
        let here = ListState::open(Some(root.path()), &root.path().join("a"));
        let there = ListState::open(Some(root.path()), &root.path().join("b"));
        here.keep_filter("stuck", "is:blocked");
        here.keep_filter("mine\t", "@me\n#high");
        there.keep_filter("stuck", "is:blocked @atlas");
        let pair = |name: &str, filter: &str| (name.to_owned(), filter.to_owned());
        let both = [
            pair("mine", "@me #high"),
            pair("stuck", "is:blocked @atlas"),
        ];
        assert_eq!(here.filters(), both);
        there.keep_filter("stuck", "");
        assert_eq!(here.filters(), both[..1]);
        assert!(ListState::default().filters().is_empty());
    }
}
