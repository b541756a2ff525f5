//! The starts that have names.

use rand::SeedableRng;

use crate::{
    base::rng::Rng,
    games::{
        notation::sfen,
        records::Record,
        rules::{
            Family, Game, GameId, Handicap, Setup,
            shogi::{Minishogi, Shogi},
        },
    },
};

/// A start with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// Of shogi or minishogi, with all pieces.
    Even(GameId),
    /// Of shogi, with fewer for one side, which moves first.
    Handicap(&'static Handicap),
}

/// Handicaps that not every program knows by their names.
const RARE: [&str; 5] = ["three-piece", "five-piece", "left-five-piece", "seven-piece", "left-seven-piece"];

impl Start {
    /// All of them.
    fn all() -> impl Iterator<Item = Start> {
        let handicaps = GameId::Shogi.facts().handicaps.list;
        let even = [GameId::Shogi, GameId::Minishogi].map(Start::Even);
        even.into_iter().chain(handicaps.iter().map(Start::Handicap))
    }

    /// Its name.
    pub(super) fn name(self) -> &'static str {
        match self {
            Start::Even(GameId::Minishogi) => "5五将棋",
            Start::Even(_) => "平手",
            Start::Handicap(handicap) => handicap.native,
        }
    }

    /// The game that begins so.
    pub(super) fn game(self) -> GameId {
        match self {
            Start::Even(game) => game,
            Start::Handicap(_) => GameId::Shogi,
        }
    }

    /// The position.
    pub(super) fn fen(self) -> String {
        fn even<G: Game>() -> G {
            // The standard set-up draws nothing from the generator.
            G::start(G::ID.rule_sets()[0], Setup::Standard, &mut Rng::seed_from_u64(0))
        }
        match self {
            Start::Even(GameId::Minishogi) => even::<Minishogi>().fen(),
            Start::Even(_) => even::<Shogi>().fen(),
            Start::Handicap(handicap) => even::<Shogi>().with_handicap(handicap).fen(),
        }
    }

    /// Whether one side gives the other odds.
    pub(super) fn is_handicap(self) -> bool {
        matches!(self, Start::Handicap(_))
    }

    /// Whether every program knows it, and needs no board beside it.
    pub(super) fn is_common(self) -> bool {
        !matches!(self, Start::Handicap(handicap) if RARE.contains(&handicap.name))
    }
}

/// Other names of these starts.
const OTHER_NAMES: [(&str, &str); 9] = [
    ("飛落ち", "飛車落ち"),
    ("左香落ち", "香落ち"),
    ("飛角落ち", "二枚落ち"),
    ("右五枚落ち", "五枚落ち"),
    ("七枚落ち", "右七枚落ち"),
    ("五五将棋", "5五将棋"),
    ("五々将棋", "5五将棋"),
    ("55将棋", "5五将棋"),
    ("ミニ将棋", "5五将棋"),
];

/// The start called so, in any width of digits, with 落 or 落ち.
pub(super) fn called(name: &str) -> Option<Start> {
    let letters = name.chars().filter(|letter| !letter.is_whitespace());
    let mut name: String = letters.map(|letter| if letter == '５' { '5' } else { letter }).collect();
    if name.ends_with('落') {
        name.push('ち');
    }
    for (digit, numeral) in
        [("2枚", "二枚"), ("4枚", "四枚"), ("6枚", "六枚"), ("8枚", "八枚"), ("10枚", "十枚")]
    {
        name = name.replace(digit, numeral);
    }
    let other = OTHER_NAMES.into_iter().find(|(other, _)| *other == name).map(|(_, name)| name);
    let name = other.unwrap_or(&name);
    Start::all().find(|start| start.name() == name)
}

/// That of `record`, if it has a name.
pub(super) fn of(record: &Record) -> Option<Start> {
    if record.game.facts().family != Family::Shogi {
        return None;
    }
    let position = |fen: &str| sfen(fen).split(' ').take(3).map(str::to_owned).collect::<Vec<_>>();
    let begun = position(&record.start);
    Start::all().find(|start| start.game() == record.game && position(&start.fen()) == begun)
}
