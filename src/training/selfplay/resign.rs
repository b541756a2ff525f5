//! When resigning is right often enough to be allowed.

use super::{
    config::ResignConfig,
    record::{GameRecord, Resigning, SearchDepth},
};
use crate::{games::rules::Reason, search::Wdl};

/// What the games that were played out say of resigning.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Calibration {
    /// A side whose expected score, in `0.0..=1.0`, falls below this would resign.
    pub threshold: f32,
    /// Share of the resignations at this threshold that would have thrown away a draw or a win.
    pub error: f32,
    /// Resignations that this was measured on.
    pub measured: u32,
}

impl Calibration {
    /// Whether resigning at this threshold is right often enough, and that is known well enough.
    pub fn is_allowed(&self, config: &ResignConfig) -> bool {
        self.measured >= config.min_measured.max(1) && self.error <= config.max_error
    }
}

/// Thresholds tried, from the boldest down: an expected score of 10% to 1%.
const THRESHOLDS: [f32; 6] = [0.10, 0.08, 0.06, 0.04, 0.02, 0.01];

/// What resigning would have done in some games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Resignations {
    /// At each threshold: how many resignations there would have been, and how many of them wrong.
    counts: [(u32, u32); THRESHOLDS.len()],
}

impl Resignations {
    /// Counts a game, if it was played out.
    pub fn add(&mut self, game: &GameRecord) {
        for ((measured, wrong), is_wrong) in self.of(game) {
            *measured += 1;
            *wrong += u32::from(is_wrong);
        }
    }

    /// Counts a game no more.
    pub fn remove(&mut self, game: &GameRecord) {
        for ((measured, wrong), is_wrong) in self.of(game) {
            *measured -= 1;
            *wrong -= u32::from(is_wrong);
        }
    }

    /// The counts that a game changes, and whether resigning would have been wrong there.
    fn of(&mut self, game: &GameRecord) -> impl Iterator<Item = (&mut (u32, u32), bool)> {
        let counts = self.counts.iter_mut().zip(THRESHOLDS);
        counts.filter_map(|(count, threshold)| Some((count, would_be_wrong(game, threshold)?)))
    }

    /// The boldest threshold that the games allow, or the most careful one where they allow none; `None` where resigning
    /// is turned off.
    pub fn calibrate(&self, config: &ResignConfig) -> Option<Calibration> {
        if config.max_error == 0.0 {
            return None;
        }
        let mut measured = THRESHOLDS.into_iter().zip(self.counts).map(|(threshold, (measured, wrong))| {
            Calibration { threshold, error: wrong as f32 / measured.max(1) as f32, measured }
        });
        let careful = measured.clone().next_back();
        measured.find(|calibration| calibration.is_allowed(config)).or(careful)
    }
}

/// Whether the first resignation at `threshold` would have been wrong; `None` if neither side would have resigned,
/// or the game's end does not tell.
fn would_be_wrong(game: &GameRecord, threshold: f32) -> Option<bool> {
    if game.resigning != Resigning::PlayedOut || game.reason == Reason::Adjudicated {
        return None;
    }
    let first = game.first_mover();
    let ply = game
        .plies
        .iter()
        .position(|ply| ply.search == SearchDepth::Full && expected_score(ply.root_wdl()) < threshold)?;
    let side = if ply % 2 == 0 { first } else { !first };
    Some(Wdl::of(game.verdict, side) != Wdl::LOSS)
}

/// Expected score in `0.0..=1.0` of the side whose belief this is.
pub(super) fn expected_score(wdl: Wdl) -> f32 {
    wdl.win + 0.5 * wdl.draw
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::rules::{GameId, RuleSet, Side, Verdict},
        training::selfplay::Ply,
    };

    /// A game in which the first player's search says `score` at its first move.
    fn game(score: f32, verdict: Verdict, resigning: Resigning) -> GameRecord {
        let wdl = [(score * 65535.0) as u16, ((1.0 - score) * 65535.0) as u16];
        GameRecord {
            game: GameId::Dobutsu,
            rules: RuleSet::Standard,
            generation: 1,
            index: 0,
            start: "gle/1c1/1C1/ELG[-] w 0 1".into(),
            plies: vec![Ply { mv: 1, search: SearchDepth::Full, wdl, candidates: 0 }],
            candidates: Vec::new(),
            verdict,
            reason: Reason::LionCaptured,
            points: None,
            resigning,
        }
    }

    fn of(games: &[GameRecord]) -> Resignations {
        let mut all = Resignations::default();
        games.iter().for_each(|game| all.add(game));
        all
    }

    #[test]
    fn what_is_removed_counts_no_more() {
        let (few, more) =
            (vec![game(0.03, LOST, Resigning::PlayedOut); 2], game(0.0, Verdict::Draw, Resigning::PlayedOut));
        let mut all = of(&few);
        all.add(&more);
        assert_ne!(all, of(&few));
        all.remove(&more);
        assert_eq!(all, of(&few));
    }

    const LOST: Verdict = Verdict::Win(Side::Second);
    const CONFIG: ResignConfig = ResignConfig { max_error: 0.25, played_out: 0.1, min_measured: 4 };

    #[test]
    fn the_boldest_threshold_within_the_error_is_chosen() {
        let mut games = vec![game(0.03, LOST, Resigning::PlayedOut); 4];
        games.extend(vec![game(0.09, Verdict::Draw, Resigning::PlayedOut); 4]);
        let calibration = of(&games).calibrate(&CONFIG).unwrap();
        assert_eq!(calibration, Calibration { threshold: 0.08, error: 0.0, measured: 4 });
        assert!(calibration.is_allowed(&CONFIG));
    }

    #[test]
    fn nothing_is_allowed_before_enough_was_measured_or_when_it_errs() {
        let measure = |games: Vec<GameRecord>| of(&games).calibrate(&CONFIG).unwrap();
        let few = measure(vec![game(0.0, LOST, Resigning::PlayedOut); 3]);
        assert!(few.measured == 3 && few.error == 0.0 && !few.is_allowed(&CONFIG));
        let wrong = measure(vec![game(0.0, Verdict::Win(Side::First), Resigning::PlayedOut); 9]);
        assert!(wrong.measured == 9 && wrong.error == 1.0 && !wrong.is_allowed(&CONFIG));
        let mut late = game(0.5, Verdict::Win(Side::First), Resigning::PlayedOut);
        late.plies.push(Ply { wdl: [0, 65535], ..late.plies[0] });
        let right = measure(vec![late; 9]);
        assert!(
            right.measured == 9 && right.error == 0.0,
            "the second player would have resigned: {right:?}"
        );
        let open = measure(vec![game(0.0, LOST, Resigning::Open); 9]);
        assert_eq!(open.measured, 0, "only games played out measure anything");
        let off = ResignConfig { max_error: 0.0, ..CONFIG };
        assert_eq!(Resignations::default().calibrate(&off), None);
    }
}
