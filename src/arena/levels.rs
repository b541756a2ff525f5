//! Levels of play: strengths of a net that are equally far apart in Elo.

use std::sync::atomic::AtomicBool;

use anyhow::Result;
use serde::Serialize;

use super::{Competitor, Conditions, Match, MatchConfig, MatchResult, Opening, Player};
use crate::{games::rules::Game, net::LIMITED_LEVELS, search::Strength};

/// A match that is won more clearly than this says little of the distance.
const CLEAR: f64 = 0.88;
/// The closest strengths that are told apart.
const FINEST: f32 = 0.25;
/// Levels are at most so many Elo apart.
const WIDEST_STEP: f64 = 130.0;

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

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Levels {
    /// Elo over strength, the weakest first.
    pub curve: Vec<CurvePoint>,
    /// Elo from one level to the next.
    pub step: f64,
    /// The strengths of the levels, the weakest first.
    pub levels: [f32; LIMITED_LEVELS],
}

/// Measures how far strengths are apart, by matches between neighbours, and places the levels on that curve. `player` makes
/// a player of a strength; `on_match` hears of each match, of the stronger player's view. `None` when stopped.
///
/// # Errors
/// When a game cannot be played.
pub fn measure_levels<G: Game>(
    config: &LevelsConfig,
    openings: &[Opening<G>],
    player: &(dyn Fn(Strength) -> Box<dyn Player<G>> + Sync),
    stop: &AtomicBool,
    on_match: &mut dyn FnMut([f32; 2], &MatchResult),
) -> Result<Option<Levels>> {
    let mut curve = vec![CurvePoint { strength: config.first, elo: 0.0 }];
    // The intervals that are still to be measured, the next one last.
    let mut ends: Vec<f32> = Vec::new();
    let mut whole = config.first.floor() + 1.0;
    while whole < config.last {
        ends.push(whole);
        whole += 1.0;
    }
    ends.push(config.last);
    ends.reverse();
    while let Some(&high) = ends.last() {
        let CurvePoint { strength: low, elo } = curve[curve.len() - 1];
        let Some(result) = play(config, openings, player, [low, high], stop)? else { return Ok(None) };
        on_match([low, high], &result);
        if result.score > CLEAR && high - low > FINEST {
            ends.push((low + high) / 2.0);
            continue;
        }
        ends.pop();
        // A curve rises: what is measured the other way round is noise.
        curve.push(CurvePoint { strength: high, elo: elo + result.elo.max(0.0) });
    }
    Ok(Some(Levels::on(curve)))
}

/// A match of the second of these strengths against the first.
fn play<G: Game>(
    config: &LevelsConfig,
    openings: &[Opening<G>],
    player: &(dyn Fn(Strength) -> Box<dyn Player<G>> + Sync),
    strengths: [f32; 2],
    stop: &AtomicBool,
) -> Result<Option<MatchResult>> {
    let [low, high] = strengths.map(Strength::new);
    let (low, high) = (low.map_err(anyhow::Error::msg)?, high.map_err(anyhow::Error::msg)?);
    let field = [Competitor::new("higher", || player(high)), Competitor::new("lower", || player(low))];
    let config = MatchConfig { games: config.games, sprt: None, conditions: config.conditions };
    let mut played = Match::new(config, "higher", Vec::new())?;
    played.play(&field, openings, stop, &mut |_, _| Ok(()))?;
    Ok(played.is_over().then(|| played.result()))
}

impl Levels {
    /// Levels on a curve: evenly from its first point to its last, unless that is too far.
    fn on(curve: Vec<CurvePoint>) -> Self {
        let top = curve.last().map_or(0.0, |point| point.elo);
        let step = (top / (LIMITED_LEVELS - 1) as f64).min(WIDEST_STEP);
        let levels = std::array::from_fn(|place| strength_at(&curve, step * place as f64));
        Levels { curve, step, levels }
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
        assert_eq!(found.levels[18], 2.6);
    }
}
