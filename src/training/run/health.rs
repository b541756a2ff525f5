//! What is wrong with a run, as far as its figures tell. `docs/training.md` explains each line.

use std::collections::VecDeque;

use super::report::GenerationReport;

/// Generations that are looked at together: single ones have too few games to tell.
const TOGETHER: usize = 10;
/// A run has found its feet by then: random nets play the oddest games.
const FIRST: u32 = 30;

/// Something that is wrong, and what to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alarm {
    /// The figure, as in `metrics.jsonl`.
    pub figure: &'static str,
    /// Its mean over the newest generations.
    pub value: f64,
    /// What it says, and what helps.
    pub advice: &'static str,
}

impl std::fmt::Display for Alarm {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "{} is {:.2}: {}", self.figure, self.value, self.advice)
    }
}

/// A figure and where it is wrong.
struct Line {
    figure: &'static str,
    of: fn(&GenerationReport) -> Option<f64>,
    is_wrong: fn(f64) -> bool,
    advice: &'static str,
}

const LINES: [Line; 8] = [
    Line {
        figure: "policy_entropy",
        of: |report| report.policy_entropy,
        // Of a typical position a search of some ten simulations then sees one move or two, and learns from no other.
        is_wrong: |nats| nats < 0.3,
        advice: "searches look at one or two moves; raise selfplay.search.target_temperature or selfplay.simulations",
    },
    Line {
        figure: "value_loss",
        of: |report| Some(report.value_loss? / report.value_baseline?),
        is_wrong: |share| share > 0.97,
        advice: "as a share of the loss of a value that is the same everywhere; the value knows little more than how \
                 often games are drawn: raise learner.schedule.peak, or look at draws and reasons",
    },
    Line {
        figure: "calibration_error",
        of: |report| Some(report.calibration_error),
        is_wrong: |error| error > 0.15,
        advice: "the searched values are far from the results; lower replay.value_mix or replay.reuse",
    },
    Line {
        figure: "draws",
        of: |report| Some(report.draws),
        is_wrong: |share| share > 0.8,
        advice: "drawn games teach little; raise selfplay.opening_plies",
    },
    Line {
        figure: "first_score",
        of: |report| Some(report.first_score),
        is_wrong: |score| !(0.2..=0.8).contains(&score),
        advice: "one side wins nearly always; raise selfplay.opening_plies",
    },
    Line {
        figure: "reasons.adjudicated",
        of: |report| Some(reason(report, "adjudicated")),
        is_wrong: |share| share > 0.2,
        advice: "many games are broken off; raise selfplay.max_plies",
    },
    Line {
        figure: "reasons.double_pass",
        of: |report| Some(reason(report, "double_pass")),
        is_wrong: |share| share > 0.3,
        advice: "both sides pass the game to its end; raise selfplay.simulations, so that they see what a move gains",
    },
    Line {
        figure: "resign_error",
        of: |report| report.resign_threshold.and(report.resign_error),
        is_wrong: |share| share > 0.15,
        advice: "games are given up that would not be lost; lower selfplay.resign.max_error",
    },
];

/// How far an evaluation may fall behind the best one.
const ELO_LOST: f64 = 150.0;
const WORSE: &str = "behind the best evaluation; the net has become worse: lower learner.schedule.peak, or --branch \
                     from the checkpoint of the best";

fn reason(report: &GenerationReport, name: &str) -> f64 {
    report.reasons.get(name).copied().unwrap_or(0.0)
}

/// Watches the figures of a run.
#[derive(Clone, Debug, Default)]
pub struct Health {
    newest: VecDeque<GenerationReport>,
    best_elo: Option<f64>,
    /// Whether the last evaluation was far behind that.
    is_behind: bool,
    /// Which lines were crossed when they were looked at last.
    wrong: Vec<&'static str>,
}

impl Health {
    /// That of a run which has these figures. What is wrong with them counts as told.
    pub fn after<'a>(reports: impl IntoIterator<Item = &'a GenerationReport>) -> Self {
        let mut health = Health::default();
        for report in reports {
            health.add(report);
        }
        health
    }

    /// Takes the figures of the next generation, and tells what is wrong that was not before.
    pub fn add(&mut self, report: &GenerationReport) -> Vec<Alarm> {
        self.newest.push_back(report.clone());
        if self.newest.len() > TOGETHER {
            self.newest.pop_front();
        }
        let is_ready = report.generation >= FIRST && self.newest.len() == TOGETHER;
        let crossed: Vec<Alarm> =
            LINES.iter().filter(|_| is_ready).filter_map(|line| self.beyond(line)).collect();
        let before = std::mem::replace(&mut self.wrong, crossed.iter().map(|alarm| alarm.figure).collect());
        let new = crossed.into_iter().filter(|alarm| !before.contains(&alarm.figure));
        new.chain(self.fallen_behind(report)).collect()
    }

    /// What is wrong now, whether it was told before or not.
    pub fn present(&self) -> Vec<Alarm> {
        let crossed = LINES.iter().filter(|line| self.wrong.contains(&line.figure));
        let mut alarms: Vec<Alarm> = crossed.filter_map(|line| self.beyond(line)).collect();
        let last_elo = self.newest.iter().rev().find_map(|report| report.elo);
        if let (true, Some(best), Some(elo)) = (self.is_behind, self.best_elo, last_elo) {
            alarms.push(Alarm { figure: "elo", value: best - elo, advice: WORSE });
        }
        alarms
    }

    fn beyond(&self, line: &Line) -> Option<Alarm> {
        let figures: Vec<f64> = self.newest.iter().filter_map(line.of).collect();
        let value = figures.iter().sum::<f64>() / figures.len() as f64;
        (!figures.is_empty() && (line.is_wrong)(value)).then_some(Alarm {
            figure: line.figure,
            value,
            advice: line.advice,
        })
    }

    /// Whether an evaluation is far behind the best, and the one before was not.
    fn fallen_behind(&mut self, report: &GenerationReport) -> Option<Alarm> {
        let elo = report.elo?;
        let best = self.best_elo.map_or(elo, |best| best.max(elo));
        self.best_elo = Some(best);
        let was_behind = std::mem::replace(&mut self.is_behind, elo < best - ELO_LOST);
        (self.is_behind && !was_behind).then_some(Alarm { figure: "elo", value: best - elo, advice: WORSE })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sound(generation: u32) -> GenerationReport {
        GenerationReport {
            generation,
            policy_entropy: Some(2.0),
            value_loss: Some(0.6),
            value_baseline: Some(0.9),
            calibration_error: 0.03,
            draws: 0.2,
            first_score: 0.52,
            reasons: [("checkmate".to_owned(), 0.7), ("adjudicated".to_owned(), 0.1)].into(),
            resign_threshold: Some(0.05),
            resign_error: Some(0.04),
            ..GenerationReport::default()
        }
    }

    type Spoil = fn(&mut GenerationReport);

    /// The figures that are found wrong in forty generations that are spoilt like that.
    fn found(spoil: Spoil) -> Vec<&'static str> {
        let mut health = Health::default();
        let generations = (1..=40).flat_map(|generation| {
            let mut report = sound(generation);
            spoil(&mut report);
            health.add(&report)
        });
        generations.map(|alarm| alarm.figure).collect()
    }

    #[test]
    fn what_is_wrong_stays_present_until_it_is_mended() {
        let mut health = Health::default();
        let mut told = 0;
        for generation in 1..=60 {
            let draws = if generation > 45 { 0.2 } else { 0.95 };
            told += health.add(&GenerationReport { draws, ..sound(generation) }).len();
            let present: Vec<&str> = health.present().iter().map(|alarm| alarm.figure).collect();
            // The mean over the newest ten generations.
            let is_wrong = (FIRST..=46).contains(&generation);
            assert_eq!(present.contains(&"draws"), is_wrong, "{generation}: {present:?}");
        }
        assert!(told > 0);
    }

    #[test]
    fn each_line_is_told_once_when_it_is_crossed() {
        assert_eq!(found(|_| {}), [""; 0]);
        let spoilt: [(Spoil, &str); 8] = [
            (|report| report.policy_entropy = Some(0.2), "policy_entropy"),
            (|report| report.value_loss = Some(0.88), "value_loss"),
            (|report| report.calibration_error = 0.3, "calibration_error"),
            (|report| report.draws = 0.9, "draws"),
            (|report| report.first_score = 0.1, "first_score"),
            (|report| report.reasons = [("adjudicated".into(), 0.5)].into(), "reasons.adjudicated"),
            (|report| report.reasons = [("double_pass".into(), 0.5)].into(), "reasons.double_pass"),
            (|report| report.resign_error = Some(0.4), "resign_error"),
        ];
        for (spoil, figure) in spoilt {
            assert_eq!(found(spoil), [figure]);
        }
        assert_eq!(LINES.len(), spoilt.len());
    }

    #[test]
    fn a_random_net_may_play_odd_games() {
        assert_eq!(found(|report| report.draws = if report.generation < 25 { 1.0 } else { 0.2 }), [""; 0]);
    }

    /// A young net expects draws where there are none, and with `value_mix` such targets lift the loss above the entropy
    /// of the results.
    #[test]
    fn a_value_is_compared_with_its_targets_and_not_with_the_results() {
        let spoil: Spoil = |report| {
            report.draws = 0.0;
            report.value_loss = Some(0.70);
            report.value_baseline = Some(0.85);
        };
        assert_eq!(found(spoil), [""; 0]);
    }

    #[test]
    fn an_evaluation_far_behind_the_best_is_told() {
        let mut health = Health::default();
        let elos = [100.0, 400.0, 300.0, 200.0, 190.0, 390.0, 100.0];
        let told = elos.map(|elo| health.add(&GenerationReport { elo: Some(elo), ..sound(1) }).len());
        assert_eq!(told, [0, 0, 0, 1, 0, 0, 1]);
    }

    #[test]
    fn a_run_that_goes_on_is_compared_with_what_it_was_before() {
        let evaluated = |generation, elo| GenerationReport { elo: Some(elo), ..sound(generation) };
        let told = |health: &Health, elo| health.clone().add(&evaluated(2, elo)).len();
        let good = Health::after(&[evaluated(1, 1000.0)]);
        assert_eq!((told(&good, 900.0), told(&good, 800.0)), (0, 1));
        let behind = Health::after(&[evaluated(0, 1000.0), evaluated(1, 800.0)]);
        assert_eq!(told(&behind, 790.0), 0, "it was told before");

        let drawn = |generation| GenerationReport { draws: 0.95, ..sound(generation) };
        let before: Vec<GenerationReport> = (1..=40).map(drawn).collect();
        assert!(Health::after(&before).add(&drawn(41)).is_empty(), "so was this");
    }

    #[test]
    fn every_line_is_explained() {
        let page = include_str!("../../../docs/training.md");
        for figure in LINES.iter().map(|line| line.figure).chain(["elo"]) {
            assert!(page.contains(&format!("| `{figure}` |")), "{figure}");
        }
    }
}
