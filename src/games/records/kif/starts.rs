//! The starts that have names.

use crate::games::{
    notation::sfen,
    records::Record,
    rules::{Family, GameId},
};

/// A start with a name.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Start {
    pub(super) name: &'static str,
    pub(super) game: GameId,
    pub(super) sfen: &'static str,
    /// Whether every program knows it, and needs no board beside it.
    pub(super) is_common: bool,
}

impl Start {
    /// Whether one side gives the other odds, and moves first.
    pub(super) fn is_handicap(&self) -> bool {
        self.name.ends_with("落ち")
    }
}

const fn shogi(name: &'static str, sfen: &'static str) -> Start {
    Start { name, game: GameId::Shogi, sfen, is_common: true }
}

const fn rare(name: &'static str, sfen: &'static str) -> Start {
    Start { is_common: false, ..shogi(name, sfen) }
}

const STARTS: [Start; 17] = [
    shogi("平手", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1"),
    shogi("香落ち", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    shogi("右香落ち", "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    shogi("角落ち", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    shogi("飛車落ち", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    shogi("飛香落ち", "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    shogi("二枚落ち", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("三枚落ち", "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    shogi("四枚落ち", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("五枚落ち", "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("左五枚落ち", "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    shogi("六枚落ち", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("右七枚落ち", "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    rare("左七枚落ち", "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    shogi("八枚落ち", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    shogi("十枚落ち", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    Start { game: GameId::Minishogi, ..shogi("5五将棋", "rbsgk/4p/5/P4/KGSBR b - 1") },
];

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
pub(super) fn called(name: &str) -> Option<&'static Start> {
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
    STARTS.iter().find(|start| start.name == name)
}

/// That of `record`, if it has a name.
pub(super) fn of(record: &Record) -> Option<&'static Start> {
    if record.game.facts().family != Family::Shogi {
        return None;
    }
    let position = |sfen: &str| sfen.split(' ').take(3).map(str::to_owned).collect::<Vec<_>>();
    let begun = position(&sfen(&record.start));
    STARTS.iter().find(|start| start.game == record.game && position(start.sfen) == begun)
}
