//! The options as they are announced.

use std::time::Duration;

use super::{
    AUTO, EMPTY, EngineSettings, MOST_LINES, MOST_MARGIN, MOST_MEMORY, MOST_PLIES, MOST_THREADS, SEARCHES,
    elo_of_level,
    names::{NAMES, OptionKey},
    rule_sets,
};
use crate::{
    games::rules::{GameId, janggi::Formations},
    net::LEVELS,
    protocol::{Dialect, OptionDeclaration},
    search::{DEFAULT_MEMORY, TimeReserve},
};

/// The options as they are announced, where the usual variant is that of `game`: what `settings` are is the default.
pub fn declarations(dialect: Dialect, game: GameId, settings: &EngineSettings) -> Vec<OptionDeclaration> {
    let place = Dialect::ALL.iter().position(|&it| it == dialect).expect("it is one of all");
    let announced = NAMES.iter().filter(|(_, names)| !names[place].is_empty());
    announced
        .map(|(key, names)| OptionDeclaration {
            name: names[place].to_owned(),
            ..describe(*key, dialect, game, settings)
        })
        .collect()
}

/// The type of an option with its default and range, without its name.
fn describe(key: OptionKey, dialect: Dialect, game: GameId, settings: &EngineSettings) -> OptionDeclaration {
    let play = &settings.play;
    match key {
        OptionKey::Variant => {
            let usual = game.facts().variants.first().map_or("xiangqi", |variant| variant.0);
            combo(usual, GameId::variants().map(|variant| variant.0))
        }
        OptionKey::Rules => {
            let sets = rule_sets();
            combo(AUTO, [AUTO].into_iter().chain(sets.iter().map(|rules| rules.as_str())))
        }
        OptionKey::Setup => {
            let all: Vec<String> = Formations::all().map(|formations| formations.to_string()).collect();
            combo(&Formations::default().to_string(), all.iter().map(String::as_str))
        }
        OptionKey::Weights | OptionKey::BookFile => {
            let kind = if dialect == Dialect::Usi { "filename" } else { "string" };
            let path = if key == OptionKey::Weights { &settings.weights } else { &settings.book };
            let path = path.as_ref().map(|path| path.display().to_string());
            of(kind, path.unwrap_or_else(|| EMPTY.to_owned()))
        }
        OptionKey::Threads => spin(play.threads.unwrap_or(1).into(), 1, MOST_THREADS.into()),
        OptionKey::Hash => spin(play.memory.unwrap_or(DEFAULT_MEMORY).into(), 1, MOST_MEMORY.into()),
        OptionKey::Search => {
            let chosen = SEARCHES.iter().find(|search| play.search == Some(search.1));
            let names = SEARCHES.iter().map(|search| search.0);
            combo(chosen.map_or(AUTO, |search| search.0), [AUTO].into_iter().chain(names))
        }
        OptionKey::MultiPv => spin(1, 1, MOST_LINES as i64),
        OptionKey::Batch => spin(play.batch.unwrap_or(1).into(), 1, MOST_THREADS.into()),
        OptionKey::CPuct => constant(play.c_init),
        OptionKey::Temperature => constant(play.temperature),
        OptionKey::Level => spin(play.level.unwrap_or(LEVELS).into(), 1, LEVELS.into()),
        OptionKey::Elo => {
            let (least, most) = (elo_of_level(1), elo_of_level(LEVELS - 1));
            spin(most.into(), least.into(), most.into())
        }
        OptionKey::Ponder
        | OptionKey::LimitStrength
        | OptionKey::OwnBook
        | OptionKey::ShowWdl
        | OptionKey::MoveStats
        | OptionKey::Milliseconds => of("check", "false".to_owned()),
        OptionKey::MaxMoves => spin(0, 0, MOST_PLIES.into()),
        OptionKey::Overhead => margin(TimeReserve::DEFAULT.overhead),
        OptionKey::ByoyomiMargin => margin(TimeReserve::DEFAULT.byoyomi),
        // Some programs set every option to its default, which must then be none.
        OptionKey::FirstRank => combo(AUTO, [AUTO, "0", "1"]),
        OptionKey::NewGame => OptionDeclaration { kind: "button".to_owned(), ..OptionDeclaration::default() },
    }
}

/// A value of this kind.
fn of(kind: &str, default: String) -> OptionDeclaration {
    OptionDeclaration { kind: kind.to_owned(), default: Some(default), ..OptionDeclaration::default() }
}

/// A whole number.
fn spin(default: u64, least: i64, most: i64) -> OptionDeclaration {
    OptionDeclaration { range: Some((least, most)), ..of("spin", default.to_string()) }
}

/// Milliseconds to be kept back.
fn margin(default: Duration) -> OptionDeclaration {
    spin(default.as_millis() as u64, 0, MOST_MARGIN as i64)
}

/// One of several words.
fn combo<'a>(default: &str, all: impl IntoIterator<Item = &'a str>) -> OptionDeclaration {
    let choices = all.into_iter().map(str::to_owned).collect();
    OptionDeclaration { choices, ..of("combo", default.to_owned()) }
}

/// A constant of the search, which may be left to the net.
fn constant(value: Option<f32>) -> OptionDeclaration {
    of("string", value.map_or_else(|| AUTO.to_owned(), |value| value.to_string()))
}

#[cfg(test)]
mod tests {
    use super::{super::names::key, *};
    use crate::net::PlayTable;

    #[test]
    fn what_is_announced_can_be_read_by_everybody() {
        for dialect in [Dialect::Uci, Dialect::Usi, Dialect::Ucci] {
            let announce = |settings: &EngineSettings| -> Vec<String> {
                let all = declarations(dialect, GameId::Janggi, settings);
                all.iter().map(|option| option.write(dialect)).collect()
            };
            let lines = announce(&EngineSettings::new(PlayTable::default()));
            for line in &lines {
                let words: Vec<&str> = line.split(' ').collect();
                let name = if dialect == Dialect::Ucci { words[1] } else { words[2] };
                assert!(words.iter().position(|&word| word == "type").is_some_and(|at| at > 1), "{line}");
                assert!(key(name).is_some(), "{line}");
                let at = words.iter().position(|&word| word == "default");
                // What is announced as the default can be set.
                if let Some(at) = at {
                    let value = words[at + 1];
                    assert!(
                        EngineSettings::new(PlayTable::default()).set(name, Some(value)).is_ok(),
                        "{line}"
                    );
                }
            }
            let has = |name: &str| lines.iter().any(|line| line.contains(name));
            assert_eq!(has("Variant"), dialect == Dialect::Uci);
            assert_eq!(has("MaxMovesToDraw"), dialect == Dialect::Usi);
            assert_eq!(has("usemillisec"), dialect == Dialect::Ucci);
            // Who sets every option to its default keeps the net that was named.
            let mut settings = EngineSettings::new(PlayTable::default());
            settings.set("WeightsFile", Some("my nets/a.sanki")).expect("a path");
            let named = announce(&settings);
            assert!(named.iter().any(|line| line.ends_with(" default my nets/a.sanki")), "{named:?}");
        }
    }
}
