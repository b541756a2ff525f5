//! The event, the place and the date of a game, which most formats have under names of their own.

use super::Record;

/// Marks between the parts of a date.
const DATE_MARKS: [char; 3] = ['.', '/', '-'];
/// Letters of a date, as in `2012.05.05`.
const DATE: usize = 10;

/// What `record` has under the name of a PGN's tag, a date with `mark` between its parts.
pub(super) fn value(record: &Record, name: &str, mark: char) -> Option<String> {
    let (_, value) = record.tags.iter().find(|(own, _)| own == name)?;
    Some(with_marks(name, value, mark))
}

/// The tag of a record with a value from another format, a date as in PGN; `None` of an empty one.
pub(super) fn tag(name: &str, value: &str) -> Option<(String, String)> {
    let value = value.trim();
    (!value.is_empty()).then(|| (name.to_owned(), with_marks(name, value, '.')))
}

/// Adds a tag. Where one of that name is there already, that stays.
pub(super) fn add(tags: &mut Vec<(String, String)>, (name, value): (String, String)) {
    if tags.iter().all(|(own, _)| *own != name) {
        tags.push((name, value));
    }
}

fn with_marks(name: &str, value: &str, mark: char) -> String {
    if name == "Date" { with_date_marks(value, mark) } else { value.to_owned() }
}

/// `text` with `mark` between year, month and day, if it begins with a date.
fn with_date_marks(text: &str, mark: char) -> String {
    let is_date = text.chars().take(DATE).enumerate().all(|(place, letter)| match place {
        4 | 7 => DATE_MARKS.contains(&letter),
        _ => letter.is_ascii_digit() || letter == '?',
    });
    let Some(rest) = text.get(DATE..).filter(|_| is_date) else { return text.to_owned() };
    format!("{}{rest}", text[..DATE].replace(DATE_MARKS, &mark.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_the_marks_of_the_format() {
        assert_eq!(with_date_marks("2012-05-05", '.'), "2012.05.05");
        assert_eq!(with_date_marks("2012/05/05 10:00:00", '.'), "2012.05.05 10:00:00");
        assert_eq!(with_date_marks("2012.??.??", '/'), "2012/??/??");
        for other in ["", "2012", "2012年5月5日", "A-B", "12345678901", "2012-05-0"] {
            assert_eq!(with_date_marks(other, '.'), other);
        }
        assert_eq!(tag("Event", "  "), None);
    }
}
