//! What the other program means: the game, its rules, and how it writes moves.

use super::Session;
use crate::{
    games::rules::{Family, Game, GameId, RuleSet},
    protocol::{Dialect, Notation},
    with_game,
};

impl Session {
    /// The notations in which the other program may write moves, the likeliest first, if it counts ranks as `ranks` does.
    pub(super) fn notations(&self, ranks: Notation) -> Vec<Notation> {
        match (self.output.dialect, self.game().0) {
            (Dialect::Usi, _) => vec![Notation::Shogi],
            (_, game) if game.facts().family == Family::Shogi => vec![Notation::Own],
            // On a small board many texts are moves in both numberings.
            (_, game) if with_game!(game, G => G::RANKS < 10) => vec![self.usual_ranks()],
            (..) => match ranks {
                Notation::RanksFromZero => vec![Notation::RanksFromZero, Notation::Own],
                _ => vec![Notation::Own, Notation::RanksFromZero],
            },
        }
    }

    /// How ranks are counted before any move has shown it.
    pub(super) fn usual_ranks(&self) -> Notation {
        match self.output.dialect {
            Dialect::Ucci => Notation::RanksFromZero,
            Dialect::Uci | Dialect::Usi => self.settings.ranks.unwrap_or(Notation::Own),
        }
    }

    /// The game that is meant, and its rules, by all that was said so far.
    pub(super) fn game(&self) -> (GameId, RuleSet) {
        let usual = match self.output.dialect {
            Dialect::Usi => GameId::Shogi,
            Dialect::Uci | Dialect::Ucci => GameId::Xiangqi,
        };
        let plays = |meant: &(GameId, RuleSet)| self.output.dialect.plays(meant.0);
        let meant = self.settings.variant.filter(plays).or(self.named.filter(plays));
        let game = self.shogi.or(meant.map(|meant| meant.0)).unwrap_or(usual);
        let rules = self.settings.rules.filter(|rules| game.rule_sets().contains(rules));
        let rules = rules.or(meant.filter(|meant| meant.0 == game).map(|meant| meant.1));
        (game, rules.unwrap_or(game.rule_sets()[0]))
    }

    /// Notes what was chosen and is not played: a game that cannot be written in this dialect, rules of another game.
    pub(super) fn note_unplayed(&mut self) {
        let (game, _) = self.game();
        let dialect = self.output.dialect;
        if let Some((chosen, _)) = self.settings.variant.filter(|meant| !dialect.plays(meant.0)) {
            self.note(&format!("{chosen} cannot be played in this protocol: it plays {game}"));
        }
        if let Some(rules) = self.settings.rules.filter(|rules| !game.rule_sets().contains(rules)) {
            self.note(&format!("{game} has no rule set {}: it plays by another", rules.as_str()));
        }
    }
}
