//! Games by the names that Fairy-Stockfish gave them.

use super::options::find;
use crate::{
    games::rules::{GameId, RuleSet},
    protocol::OptionDeclaration,
};

/// What the option is called: newer versions of Fairy-Stockfish name it after the dialect.
const OPTIONS: [&str; 3] = ["UCI_Variant", "USI_Variant", "UCCI_Variant"];

/// The option that chooses the variant, where the engine has one.
pub(super) fn option(options: &[OptionDeclaration]) -> Option<&OptionDeclaration> {
    OPTIONS.iter().find_map(|name| find(options, name))
}

/// The variant with these rules, if there is one. Declarations, by whatever count, are beside the matter.
pub(super) fn name(game: GameId, rules: RuleSet) -> Option<&'static str> {
    let rules = if rules == RuleSet::Jsa24 { RuleSet::Csa27 } else { rules };
    game.facts().variants.iter().find(|variant| variant.1 == rules).map(|variant| variant.0)
}

/// The option that names a file with variants of one's own.
pub(super) const FILE_OPTION: &str = "VariantPath";

/// A variant for a game that engines know by other rules, its name and the file that defines it.
///
/// In Fairy-Stockfish 11.1, which Debian has, dobutsu's lion is a king that must not be left en prise, and a move
/// that leaves it so is ignored: the game goes on from another position. Its chick may stay a chick on the last
/// rank, too. Here the lion may be left and taken, one that has reached the last rank wins when it is its turn
/// again, and the chick promotes. Newer versions read this as well.
pub(super) fn own(game: GameId, rules: RuleSet) -> Option<(&'static str, String)> {
    let occurrences = match (game, rules) {
        (GameId::Dobutsu, RuleSet::Standard) => 4,
        (GameId::Dobutsu, RuleSet::Threefold) => 3,
        _ => return None,
    };
    let name = "dobutsu-open";
    let file = format!(
        "[{name}:dobutsu]
king = -
commoner = l
extinctionValue = loss
extinctionPieceTypes = l
flagPiece = l
flagMove = true
mandatoryPiecePromotion = true
nFoldRule = {occurrences}
"
    );
    Some((name, file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_a_variant_under_its_default_rules() {
        for game in GameId::ALL {
            assert!(name(game, game.rule_sets()[0]).is_some(), "{game}");
        }
        assert_eq!(name(GameId::Xiangqi, RuleSet::Wang1994), None);
        assert_eq!(name(GameId::Dobutsu, RuleSet::Threefold), None);
    }
}
