//! The options of an engine by their names.

use crate::protocol::OptionDeclaration;

/// The option called `name`, in upper or lower case.
pub(super) fn find<'a>(options: &'a [OptionDeclaration], name: &str) -> Option<&'a OptionDeclaration> {
    options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

/// The names most like `name`, the closest first.
pub(super) fn closest<'a>(options: &'a [OptionDeclaration], name: &str) -> Vec<&'a str> {
    let name = name.to_ascii_lowercase();
    let mut names: Vec<&str> = options.iter().map(|option| option.name.as_str()).collect();
    names.sort_by_cached_key(|other| distance(&other.to_ascii_lowercase(), &name));
    names.truncate(3);
    names
}

/// The fewest letters to be added, left out or replaced that make one text of the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, &other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn close_names_are_found() {
        let options: Vec<OptionDeclaration> = ["Hash", "Threads", "Skill Level", "MultiPV"]
            .map(|name| OptionDeclaration { name: name.into(), ..OptionDeclaration::default() })
            .into();
        assert_eq!(closest(&options, "thread")[0], "Threads");
        assert_eq!(closest(&options, "Skill_Level")[0], "Skill Level");
        assert!(find(&options, "hash").is_some() && find(&options, "Has").is_none());
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("", "abc"), 3);
    }
}
