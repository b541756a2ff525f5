//! The options as they are announced.

use std::time::Duration;

use super::{
    AUTO, EMPTY, EngineSettings, MOST_LINES, MOST_MARGIN, MOST_PLIES, SEARCHES, elo_of_level,
    names::{NAMES, OptionKey},
    rule_sets,
};
use crate::{
    games::rules::{GameId, RuleSet, janggi::Formations},
    net::{LEVELS, MOST_MEMORY, MOST_THREADS},
    protocol::{Dialect, OptionDeclaration},
    search::{DEFAULT_MEMORY, TimeReserve},
};

/// The options as they are announced, where `meant` is played as long as none of them is set: what `settings` are is the
/// default. Some programs set every option to its default: then nothing changes.
pub fn declarations(
    dialect: Dialect,
    meant: (GameId, RuleSet),
    settings: &EngineSettings,
) -> Vec<OptionDeclaration> {
    let place = Dialect::ALL.iter().position(|&it| it == dialect).expect("it is one of all");
    let announced = NAMES.iter().filter(|(_, names)| !names[place].is_empty());
    announced
        .map(|(key, names)| OptionDeclaration {
            name: names[place].to_owned(),
            ..describe(*key, dialect, meant, settings)
        })
        .collect()
}

/// The type of an option with its default and range, without its name.
fn describe(
    key: OptionKey,
    dialect: Dialect,
    (game, rules): (GameId, RuleSet),
    settings: &EngineSettings,
) -> OptionDeclaration {
    let play = &settings.play;
    match key {
        OptionKey::Variant => {
            let first = game.facts().variants.first().map(|variant| variant.0);
            let usual = variant(game, rules).or(first).unwrap_or("xiangqi");
            combo(usual, GameId::variants().map(|variant| variant.0))
        }
        OptionKey::Rules => {
            let sets = rule_sets();
            let is_named = match dialect {
                Dialect::Uci => variant(game, rules).is_none(),
                // No variant is announced there, so that nothing else changes the rules.
                Dialect::Usi | Dialect::Ucci => settings.rules.is_some(),
            };
            let usual = if is_named { rules.as_str() } else { AUTO };
            combo(usual, [AUTO].into_iter().chain(sets.iter().map(|rules| rules.as_str())))
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

/// The variant that is this game by these rules, if it has a name.
fn variant(game: GameId, rules: RuleSet) -> Option<&'static str> {
    game.facts().variants.iter().find(|variant| variant.1 == rules).map(|variant| variant.0)
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
                let all = declarations(dialect, (GameId::Janggi, RuleSet::Points), settings);
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

    /// Who sets every option to its default keeps the game and the rules of the net that was named.
    #[test]
    fn the_defaults_are_the_game_and_the_rules_that_are_played() {
        let set_defaults = |dialect: Dialect, meant: (GameId, RuleSet), settings: &EngineSettings| {
            let mut after = settings.clone();
            for option in declarations(dialect, meant, settings) {
                if let Some(default) = &option.default {
                    after.set(&option.name, Some(default)).unwrap_or_else(|why| panic!("{option:?}: {why}"));
                }
            }
            (after.variant, after.rules)
        };
        let new = EngineSettings::new(PlayTable::default());
        for game in GameId::ALL {
            for &rules in game.rule_sets() {
                let (variant, named) = set_defaults(Dialect::Uci, (game, rules), &new);
                let (chosen, of_variant) = variant.expect("it is announced");
                assert_eq!((chosen, named.unwrap_or(of_variant)), (game, rules));
                assert_eq!(set_defaults(Dialect::Usi, (game, rules), &new), (None, None), "left to the net");
            }
        }
        let (_, named) = set_defaults(Dialect::Uci, (GameId::Janggi, RuleSet::Kakao), &new);
        assert_eq!(named, None, "the variant janggimodern says it");
        let mut chosen = new.clone();
        chosen.set("Rules", Some("jsa24")).expect("a rule set");
        let meant = (GameId::Shogi, RuleSet::Jsa24);
        assert_eq!(set_defaults(Dialect::Usi, meant, &chosen), (None, Some(RuleSet::Jsa24)));
    }
}
