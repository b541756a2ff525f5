//! Numbers and times as people read them.

use super::texts::Texts;

/// `12,345,678`: spaces that do not break, which every language reads alike (SI brochure, 5.4.4).
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// A share as percent: `12%`.
pub(super) fn percent(share: f64) -> String {
    format!("{:.0}%", 100.0 * share)
}

/// How long something takes, in words: seconds below two minutes, minutes below two hours, hours below two days.
pub(super) fn duration(texts: Texts, seconds: f64) -> String {
    let fill = |key: &str, number: f64| texts.fill(key, &[("number", &format!("{number:.0}"))]);
    match seconds {
        seconds if seconds < 120.0 => fill("times.seconds", seconds),
        seconds if seconds < 7200.0 => fill("times.minutes", seconds / 60.0),
        seconds if seconds < 172_800.0 => fill("times.hours", seconds / 3600.0),
        seconds => fill("times.days", seconds / 86_400.0),
    }
}

#[cfg(test)]
mod tests {
    use super::{super::texts::Language, *};

    #[test]
    fn digits_stand_in_threes() {
        for (number, text) in [(0, "0"), (999, "999"), (1000, "1 000"), (12_345_678, "12 345 678")] {
            assert_eq!(grouped(number).replace('\u{202f}', " "), text);
        }
    }

    #[test]
    fn times_are_told_in_their_unit() {
        let texts = Texts::new(Language::English);
        let told = [59.6, 119.0, 180.0, 7300.0, 200_000.0].map(|seconds| duration(texts, seconds));
        assert_eq!(told, ["60 seconds", "119 seconds", "3 minutes", "2 hours", "2 days"]);
    }
}
