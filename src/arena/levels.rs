//! Levels of play: strengths of a net that are equally far apart in Elo.

use std::sync::atomic::AtomicBool;

use anyhow::Result;
use serde::Serialize;

use super::{Competitor, Conditions, Match, MatchConfig, MatchResult, Opening, Player};
use crate::{base::maths::log10, games::rules::Game, net::LIMITED_LEVELS, search::Strength};

/// A match that is won more clearly than this says little of the distance.
const CLEAR: f64 = 0.88;
/// The closest strengths that are told apart.
const FINEST: f32 = 0.25;
/// Levels are at most so many Elo apart.
const WIDEST_STEP: f64 = 110.0;
/// A share of the points that is closer to 0 or 1 counts as this one.
const MOST_LOPSIDED: f64 = 0.01;
/// How often each step of the curve is fitted again.
const SWEEPS: usize = 20_000;
/// How much a step of length 1 is drawn to 0, and a shorter one more: so little that only what no match tells apart feels it.
const RIDGE: f64 = 0.1;

/// What the levels of a net are measured with.
#[derive(Clone, Copy, Debug)]
pub struct LevelsConfig {
    /// The strength of the first level.
    pub first: f32,
    /// The greatest strength that is measured.
    pub last: f32,
    /// Games of each match.
    pub games: u32,
    /// How they are played.
    pub conditions: Conditions,
}

/// A strength, and how many Elo it is above the first.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The number of a [`Strength`].
    pub strength: f32,
    /// Elo above the first point.
    pub elo: f64,
}

/// A match between two strengths.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LevelMatch {
    /// The lower strength.
    pub low: f32,
    /// The higher one.
    pub high: f32,
    /// Games played.
    pub games: u32,
    /// The higher one's share of the points, in `0.0..=1.0`.
    pub score: f64,
    /// How many Elo the higher one is above the lower one.
    pub elo: f64,
    /// Lower end of its 95% interval.
    pub elo_low: f64,
    /// Upper end of its 95% interval.
    pub elo_high: f64,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Levels {
    /// Elo over strength, the weakest first.
    pub curve: Vec<CurvePoint>,
    /// Elo from one level to the next.
    pub step: f64,
    /// The strengths of the levels, the weakest first.
    pub levels: [f32; LIMITED_LEVELS],
    /// The matches between neighbouring levels, the weakest first. Levels that are equally strong play none. Their results
    /// have not moved the levels.
    pub ladder: Vec<LevelMatch>,
}

/// Measures how far strengths are apart, by matches between neighbours, and places the levels on that curve. Neighbouring
/// levels then play each other, twice: the first time the levels are moved by what came out, the second time is the proof.
/// `player` makes a player of a strength; `on_match` hears of each match. `None` when stopped.
///
/// # Errors
/// When a game cannot be played.
pub fn measure_levels<G: Game>(
    config: &LevelsConfig,
    openings: &[Opening<G>],
    player: &(dyn Fn(Strength) -> Box<dyn Player<G>> + Sync),
    stop: &AtomicBool,
    on_match: &mut dyn FnMut(&LevelMatch),
) -> Result<Option<Levels>> {
    let mut play = |low: f32, high: f32| -> Result<Option<LevelMatch>> {
        let found = play(config, openings, player, [low, high], stop)?;
        found.iter().for_each(&mut *on_match);
        Ok(found)
    };
    let Some(mut played) = rough_curve(config, &mut play)? else { return Ok(None) };
    let rough = Levels::on(fit(&played));
    let Some(ladder) = play_ladder(&rough.levels, &mut play)? else { return Ok(None) };
    played.extend(ladder);
    let mut levels = Levels::on(fit(&played));
    let Some(ladder) = play_ladder(&levels.levels, &mut play)? else { return Ok(None) };
    levels.ladder = ladder;
    Ok(Some(levels))
}

/// Plays a match between a lower and a higher strength. `None` when stopped.
type Play<'a> = dyn FnMut(f32, f32) -> Result<Option<LevelMatch>> + 'a;

/// Matches of each whole strength against the next, and closer ones where those say little.
fn rough_curve(config: &LevelsConfig, play: &mut Play<'_>) -> Result<Option<Vec<LevelMatch>>> {
    // The ends of the intervals that are still to be measured, the next one last.
    let mut ends = vec![config.last];
    let mut whole = config.last.ceil() - 1.0;
    while whole > config.first {
        ends.push(whole);
        whole -= 1.0;
    }
    let (mut low, mut played) = (config.first, Vec::new());
    while let Some(&high) = ends.last() {
        let Some(result) = play(low, high)? else { return Ok(None) };
        if result.score > CLEAR && high - low > FINEST {
            ends.push((low + high) / 2.0);
            continue;
        }
        ends.pop();
        played.push(result);
        low = high;
    }
    Ok(Some(played))
}

/// Matches between neighbouring levels.
fn play_ladder(levels: &[f32], play: &mut Play<'_>) -> Result<Option<Vec<LevelMatch>>> {
    let neighbours = levels.windows(2).filter(|pair| pair[0] < pair[1]);
    neighbours.map(|pair| play(pair[0], pair[1])).collect()
}

/// A match of the second of these strengths against the first.
fn play<G: Game>(
    config: &LevelsConfig,
    openings: &[Opening<G>],
    player: &(dyn Fn(Strength) -> Box<dyn Player<G>> + Sync),
    [low, high]: [f32; 2],
    stop: &AtomicBool,
) -> Result<Option<LevelMatch>> {
    let [weaker, stronger] = [low, high].map(Strength::new);
    let (weaker, stronger) = (weaker.map_err(anyhow::Error::msg)?, stronger.map_err(anyhow::Error::msg)?);
    let field = [Competitor::new("higher", || player(stronger)), Competitor::new("lower", || player(weaker))];
    let config = MatchConfig { games: config.games, sprt: None, conditions: config.conditions };
    let mut played = Match::new(config, "higher", Vec::new())?;
    played.play(&field, openings, stop, &mut |_, _| Ok(()))?;
    let MatchResult { games, score, elo, elo_low, elo_high, .. } = played.result();
    Ok(played.is_over().then_some(LevelMatch { low, high, games, score, elo, elo_low, elo_high }))
}

impl LevelMatch {
    /// The difference in Elo, and how much it counts: the inverse of its variance, up to a factor.
    fn weighted(&self) -> (f64, f64) {
        let share = self.score.clamp(MOST_LOPSIDED, 1.0 - MOST_LOPSIDED);
        (-400.0 * log10(1.0 / share - 1.0), f64::from(self.games) * share * (1.0 - share))
    }
}

/// The rising curve that fits the matches best: weighted least squares over the steps between all strengths that have
/// played, none of which is negative, by coordinate descent. A match over several steps that nothing else tells apart is shared
/// out by their lengths. A rating list ([`super::stats`]) would not do: there a strength says nothing of those beside it.
fn fit(played: &[LevelMatch]) -> Vec<CurvePoint> {
    let mut strengths: Vec<f32> = played.iter().flat_map(|played| [played.low, played.high]).collect();
    strengths.sort_by(f32::total_cmp);
    strengths.dedup();
    let place = |strength: f32| strengths.partition_point(|&other| other < strength);
    let matches: Vec<_> = played
        .iter()
        .map(|played| {
            let (elo, weight) = played.weighted();
            (place(played.low)..place(played.high), elo, weight)
        })
        .collect();
    let lengths: Vec<f64> = strengths.windows(2).map(|pair| f64::from(pair[1] - pair[0])).collect();
    let mut steps = vec![0.0; lengths.len()];
    for _ in 0..SWEEPS {
        for step in 0..steps.len() {
            let (mut pull, mut weights) = (0.0, RIDGE / lengths[step]);
            for (span, elo, weight) in matches.iter().filter(|(span, ..)| span.contains(&step)) {
                let others: f64 = steps[span.clone()].iter().sum::<f64>() - steps[step];
                pull += weight * (elo - others);
                weights += weight;
            }
            steps[step] = (pull / weights).max(0.0);
        }
    }
    let mut curve = vec![CurvePoint { strength: strengths[0], elo: 0.0 }];
    for (&strength, step) in strengths[1..].iter().zip(&steps) {
        curve.push(CurvePoint { strength, elo: curve[curve.len() - 1].elo + step });
    }
    curve
}

impl Levels {
    /// Levels on a curve: evenly from its first point to its last, unless that is too far.
    fn on(curve: Vec<CurvePoint>) -> Self {
        let top = curve.last().map_or(0.0, |point| point.elo);
        let step = (top / (LIMITED_LEVELS - 1) as f64).min(WIDEST_STEP);
        let levels = std::array::from_fn(|place| strength_at(&curve, step * place as f64));
        Levels { curve, step, levels, ladder: Vec::new() }
    }
}

/// The strength that has so many Elo on the curve, to the hundredth.
fn strength_at(curve: &[CurvePoint], elo: f64) -> f32 {
    let pair = curve.windows(2).find(|pair| pair[1].elo >= elo);
    let strength = match pair {
        Some([low, high]) if high.elo > low.elo => {
            let share = (elo - low.elo) / (high.elo - low.elo);
            low.strength + (high.strength - low.strength) * share as f32
        }
        Some([low, _]) => low.strength,
        _ => curve.last().map_or(0.0, |point| point.strength),
    };
    (100.0 * strength).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Matches of 200 games whose difference is exactly that.
    fn played(matches: &[(f32, f32, f64)]) -> Vec<LevelMatch> {
        let played = matches.iter().map(|&(low, high, elo)| {
            let score = 1.0 / (1.0 + 10f64.powf(-elo / 400.0));
            LevelMatch { low, high, games: 200, score, elo, elo_low: elo, elo_high: elo }
        });
        played.collect()
    }

    fn elo_of(curve: &[CurvePoint], strength: f32) -> f64 {
        curve.iter().find(|point| point.strength == strength).unwrap().elo
    }

    #[test]
    fn a_curve_goes_through_matches_that_agree() {
        let curve = fit(&played(&[(0.0, 1.0, 200.0), (1.0, 3.0, 100.0), (0.0, 0.25, 150.0)]));
        let expected = [(0.0, 0.0), (0.25, 150.0), (1.0, 200.0), (3.0, 300.0)];
        assert_eq!(curve.len(), 4);
        for (strength, elo) in expected {
            let found = elo_of(&curve, strength);
            assert!((found - elo).abs() < 0.05 * elo + 1.0, "{strength}: {found}, not {elo}");
        }
    }

    #[test]
    fn matches_that_disagree_are_averaged_and_a_curve_never_falls() {
        let curve = fit(&played(&[(0.0, 1.0, 100.0), (0.0, 1.0, 200.0), (1.0, 2.0, -80.0)]));
        assert!((elo_of(&curve, 1.0) - 150.0).abs() < 8.0, "{curve:?}");
        assert_eq!(elo_of(&curve, 2.0), elo_of(&curve, 1.0));
    }

    #[test]
    fn what_one_match_measures_is_shared_out_by_length() {
        let curve = fit(&played(&[(0.0, 4.0, 400.0), (4.0, 5.0, 0.0), (1.0, 1.5, 50.0)]));
        assert!((elo_of(&curve, 1.0) - 100.0).abs() < 15.0, "{curve:?}");
    }

    /// A game of skill in which the curve is known: the level matches of it come out as they should on average.
    #[test]
    fn a_ladder_moves_levels_to_where_they_belong() {
        // Nearly all of the difference lies between 1.4 and 1.6.
        let truth = |strength: f32| {
            40.0 * f64::from(strength) + 500.0 / (1.0 + (-40.0 * (f64::from(strength) - 1.5)).exp())
        };
        let mut play = |low: f32, high: f32| Ok(played(&[(low, high, truth(high) - truth(low))]).pop());
        let conditions = Conditions { max_plies: 1, seed: 1, threads: 1 };
        let config = LevelsConfig { first: 0.0, last: 4.0, games: 200, conditions };
        let mut found = rough_curve(&config, &mut play).unwrap().unwrap();
        let error = |levels: &Levels| -> f64 {
            let steps = levels.levels.windows(2).map(|pair| truth(pair[1]) - truth(pair[0]) - levels.step);
            steps.map(f64::abs).fold(0.0, f64::max)
        };
        let rough = Levels::on(fit(&found));
        found.extend(play_ladder(&rough.levels, &mut play).unwrap().unwrap());
        let fine = Levels::on(fit(&found));
        assert!(error(&fine) < 0.6 * error(&rough), "{} {}", error(&rough), error(&fine));
    }

    fn curve(points: &[(f32, f64)]) -> Vec<CurvePoint> {
        points.iter().map(|&(strength, elo)| CurvePoint { strength, elo }).collect()
    }

    #[test]
    fn levels_are_equally_far_apart_on_the_curve() {
        let found = Levels::on(curve(&[(0.0, 0.0), (1.0, 900.0), (3.0, 900.0), (4.0, 1800.0)]));
        assert_eq!(found.step, 100.0);
        assert_eq!(found.levels[..3], [0.0, 0.11, 0.22]);
        assert_eq!((found.levels[9], found.levels[18]), (1.0, 4.0));
        assert!((found.levels[10] - 3.11).abs() < 1e-6, "{:?}", found.levels);
    }

    #[test]
    fn they_are_not_too_far_apart() {
        let found = Levels::on(curve(&[(0.0, 0.0), (10.0, 9000.0)]));
        assert_eq!(found.step, WIDEST_STEP);
        assert_eq!(found.levels[18], 2.2);
    }
}
