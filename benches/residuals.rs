//! What a net's outputs leave unsaid: by how much its losses fall if each logit gets one more number, which depends on
//! something that the net might not know. What brings nothing here need not become an input or an output of its own.
//!
//! ```text
//! SANKI_RUN=runs/first cargo bench -p sanki-benches --bench residuals
//! ```
//!
//! The net is the newest of the run, the positions are those of its newest records. The numbers are fitted to four of
//! five positions, and the losses are those of the rest, in nats, less the entropy of the targets.

use std::{env, path::Path};

use anyhow::{Context, Result, ensure};
use sanki::{
    games::{
        encode::{Encode, Features},
        rules::Move,
    },
    net::{Backend, EncodedQuery, FeatureEvaluator, ModelFile, Precision},
    search::{Evaluation, Query, Wdl},
    training::{
        replay::check_record,
        run::{RunConfig, saved_config},
        selfplay::{Candidate, GameRecord, SearchDepth, read_sealed_of_any, sealed_path},
    },
    with_game,
};

/// Newest generations whose records are read.
const GENERATIONS: u32 = 8;
/// More kinds of pieces than any game has.
const KINDS: usize = 16;
/// Pieces on the board are counted in steps of so many, up to `STEPS` steps.
const STEP: usize = 4;
const STEPS: usize = 12;

/// One of the answers between which a softmax decides.
struct Answer<F> {
    logit: f32,
    /// Its share of the target.
    target: f32,
    facts: F,
}

/// What there is to know of a move.
#[derive(Clone, Copy)]
struct MoveFacts {
    /// The piece, after the move.
    piece: usize,
    /// Then: 1 if it is attacked, and 2 more if it is defended.
    status: usize,
    /// What it takes, counted from 1; 0 if nothing.
    taken: usize,
    /// The status of that before the move.
    taken_status: usize,
    /// Whether it gives check.
    check: bool,
}

/// What there is to know of a result.
#[derive(Clone, Copy)]
struct ResultFacts {
    /// Won, drawn or lost.
    result: usize,
    /// Pieces on the board, in steps.
    pieces: usize,
    /// Of each side, from that of the side to move, the last kind of piece that is attacked and not defended, counted
    /// from 1; 0 if there is none.
    hanging: [usize; 2],
}

/// All positions of some games, as decisions about the move and about the result.
#[derive(Default)]
struct Decisions {
    moves: Vec<Vec<Answer<MoveFacts>>>,
    results: Vec<Vec<Answer<ResultFacts>>>,
}

/// A net, and the buffers for its answer.
struct Judge {
    net: Box<dyn FeatureEvaluator>,
    encoded: [EncodedQuery; 1],
    answer: [Evaluation; 1],
    after: Features,
}

impl Judge {
    /// Asks the net about a position and all its moves.
    fn judge<G: Encode>(&mut self, query: &Query<G>) {
        self.encoded[0].set(query, self.net.inputs());
        self.net.evaluate_encoded(&self.encoded, &mut self.answer);
    }

    /// The moves of the position judged, as answers of which the search chose among `candidates`.
    fn about_moves<G: Encode>(
        &mut self,
        query: &Query<G>,
        candidates: &[Candidate],
    ) -> Vec<Answer<MoveFacts>> {
        let shares: f32 = candidates.iter().map(|candidate| candidate.share()).sum();
        let answer = |(place, &mv): (usize, &G::Move)| {
            let candidate = candidates.iter().find(|candidate| candidate.mv == mv.bits());
            Answer {
                logit: self.answer[0].logits[place],
                target: candidate.map_or(0.0, |candidate| candidate.share() / shares),
                facts: self.facts(&query.game, place, mv),
            }
        };
        query.moves.iter().enumerate().map(answer).collect()
    }

    /// The results of the position judged, with `kinds` kinds of pieces, as answers of which `target` is right.
    fn about_results(&self, target: Wdl, kinds: usize) -> Vec<Answer<ResultFacts>> {
        let active = &self.encoded[0].features.active;
        let hanging = [0, kinds].map(|first| {
            let planes = active.iter().filter(|f| f.status == 1).map(|f| usize::from(f.plane));
            let of_side = planes.filter(|plane| (first..first + kinds).contains(plane));
            of_side.max().map_or(0, |plane| plane - first + 1)
        });
        let pieces = (active.len() / STEP).min(STEPS - 1);
        let [said, target] = [self.answer[0].wdl, target].map(|wdl| [wdl.win, wdl.draw, wdl.loss]);
        let answers = (0..3).map(|result| Answer {
            logit: said[result].max(1e-6).ln(),
            target: target[result],
            facts: ResultFacts { result, pieces, hanging },
        });
        answers.collect()
    }

    /// What there is to know of the move with number `place` of those judged, which is `mv`.
    fn facts<G: Encode>(&mut self, game: &G, place: usize, mv: G::Move) -> MoveFacts {
        let theirs = G::PLANES / 2;
        let opponents = |features: &Features, square: usize| {
            let found = features
                .active
                .iter()
                .find(|f| usize::from(f.square) == square && usize::from(f.plane) >= theirs);
            found.map(|f| (usize::from(f.plane) - theirs, usize::from(f.status)))
        };
        let to = usize::from(self.encoded[0].moves[place]) % G::SQUARES;
        let taken = opponents(&self.encoded[0].features, to);

        let mut next = game.clone();
        next.play(mv);
        next.features(self.net.inputs(), &mut self.after);
        // The opponent sees the board turned round, and perhaps in the mirror.
        let turned = G::SQUARES - 1 - to;
        let same = game.is_mirrored().unwrap_or(false) == next.is_mirrored().unwrap_or(false);
        let square = if same { turned } else { G::mirror_square(turned) };
        // A pass in janggi leaves the king where it was, and it is found there.
        let (piece, status) = opponents(&self.after, square).expect("what moved stands where it went");
        MoveFacts {
            piece,
            status,
            taken: taken.map_or(0, |(kind, _)| kind + 1),
            taken_status: taken.map_or(0, |(_, status)| status),
            check: next.is_check(),
        }
    }
}

impl Decisions {
    /// Adds all positions of `record` whose policy is taught. `value_mix` is the share of the search's value in the
    /// value target.
    fn add<G: Encode>(&mut self, record: &GameRecord, value_mix: f32, judge: &mut Judge) -> Result<()> {
        check_record::<G>(record)?;
        let mut query =
            Query { game: G::from_fen(record.rules, &record.start)?, moves: Vec::new(), policy_only: false };
        for (ply, candidates) in record.plies() {
            if ply.search == SearchDepth::Full {
                query.moves.clear();
                query.game.legal_moves(&mut query.moves);
                judge.judge(&query);
                self.moves.push(judge.about_moves(&query, candidates));
                let result = Wdl::of(record.verdict, query.game.side_to_move());
                let target = result * (1.0 - value_mix) + ply.root_wdl() * value_mix;
                self.results.push(judge.about_results(target, G::PLANES / 2));
            }
            query.game.play(G::Move::from_bits(ply.mv));
        }
        Ok(())
    }
}

/// One of the added numbers, and how often it is added to a logit.
type Term = (usize, f32);

/// Numbers that are added to logits.
struct Extra {
    numbers: Vec<f32>,
    /// Of the last decision the logits, or their gradient.
    logits: Vec<f32>,
}

impl Extra {
    /// They begin as zeros, which change nothing.
    fn new(count: usize) -> Self {
        Extra { numbers: vec![0.0; count], logits: Vec::new() }
    }

    /// The cross entropy of a decision; leaves its gradient in the logits there.
    fn loss<const N: usize>(&mut self, answers: &[Answer<[Term; N]>]) -> f64 {
        let Extra { numbers, logits } = self;
        logits.clear();
        logits.extend(answers.iter().map(|answer| {
            answer.logit + answer.facts.iter().map(|&(number, times)| numbers[number] * times).sum::<f32>()
        }));
        let max = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let log_sum = max + logits.iter().map(|logit| (logit - max).exp()).sum::<f32>().ln();
        let mut loss = 0.0;
        for (logit, answer) in logits.iter_mut().zip(answers) {
            loss -= f64::from(answer.target * (*logit - log_sum));
            *logit = (*logit - log_sum).exp() - answer.target;
        }
        loss
    }

    /// The mean of the cross entropies.
    fn mean<const N: usize>(&mut self, decisions: &[Vec<Answer<[Term; N]>>]) -> f64 {
        decisions.iter().map(|answers| self.loss(answers)).sum::<f64>() / decisions.len() as f64
    }

    /// Fits the numbers by Adam (Kingma and Ba 2015).
    fn fit<const N: usize>(&mut self, decisions: &[Vec<Answer<[Term; N]>>]) {
        const EPOCHS: usize = 4;
        const BATCH: usize = 512;
        const RATE: f32 = 0.01;
        let (mut mean, mut square) = (vec![0.0; self.numbers.len()], vec![0.0f32; self.numbers.len()]);
        for epoch in 0..EPOCHS {
            let rate = RATE * (1.0 - epoch as f32 / EPOCHS as f32);
            for batch in decisions.chunks(BATCH) {
                let gradient = self.gradient(batch);
                for (i, slope) in gradient.into_iter().enumerate() {
                    mean[i] += 0.1 * (slope - mean[i]);
                    square[i] += 0.01 * (slope * slope - square[i]);
                    self.numbers[i] -= rate * mean[i] / (square[i].sqrt() + 1e-6);
                }
            }
        }
    }

    /// That of the mean cross entropy in the numbers.
    fn gradient<const N: usize>(&mut self, decisions: &[Vec<Answer<[Term; N]>>]) -> Vec<f32> {
        let mut gradient = vec![0.0; self.numbers.len()];
        for answers in decisions {
            self.loss(answers);
            for (answer, slope) in answers.iter().zip(&self.logits) {
                for (number, times) in answer.facts {
                    gradient[number] += slope * times / decisions.len() as f32;
                }
            }
        }
        gradient
    }
}

/// Fits `count` numbers, of which `terms` names those of an answer, and prints what that brings.
fn measure<F, const N: usize>(
    name: &str,
    decisions: &[Vec<Answer<F>>],
    count: usize,
    terms: impl Fn(&Answer<F>) -> [Term; N],
) {
    let with_terms = |answers: &Vec<Answer<F>>| -> Vec<Answer<[Term; N]>> {
        let with_terms =
            |answer: &Answer<F>| Answer { logit: answer.logit, target: answer.target, facts: terms(answer) };
        answers.iter().map(with_terms).collect()
    };
    let decisions: Vec<Vec<Answer<[Term; N]>>> = decisions.iter().map(with_terms).collect();
    let (known, held_out) = decisions.split_at(decisions.len() * 4 / 5);
    let targets = held_out.iter().flatten().map(|answer| f64::from(answer.target));
    let entropy: f64 = targets.filter(|&target| target > 0.0).map(|target| -target * target.ln()).sum();
    let entropy = entropy / held_out.len() as f64;

    let mut extra = Extra::new(count);
    let before = extra.mean(held_out) - entropy;
    extra.fit(known);
    let after = extra.mean(held_out) - entropy;
    println!("| {name} | {before:.4} | {after:.4} | {:+.4} |", after - before);
}

fn report(decisions: &Decisions) {
    let Decisions { moves, results } = decisions;
    println!("\n| a number for each | loss | with it | change |\n| --- | --- | --- | --- |");
    let piece_taken = |f: &MoveFacts| f.piece * KINDS + f.taken;
    let taken_status = |f: &MoveFacts| f.taken * 4 + f.taken_status;
    let piece_status = |f: &MoveFacts| (f.piece * 4 + f.status) * 2 + usize::from(f.taken > 0);
    let piece_check = |f: &MoveFacts| f.piece * 2 + usize::from(f.check);
    let all =
        |f: &MoveFacts| ((piece_taken(f) * 4 + f.taken_status) * 4 + f.status) * 2 + usize::from(f.check);
    let once = |number: usize| [(number, 1.0)];
    measure("piece, and what it takes", moves, KINDS * KINDS, |a| once(piece_taken(&a.facts)));
    measure("what is taken, attacked or defended", moves, KINDS * 4, |a| once(taken_status(&a.facts)));
    measure("piece, and whether it gives check", moves, KINDS * 2, |a| once(piece_check(&a.facts)));
    measure("piece, taking or not, then attacked or defended", moves, KINDS * 8, |a| {
        once(piece_status(&a.facts))
    });
    measure("all of these together", moves, KINDS * KINDS * 32, |a| once(all(&a.facts)));
    measure(
        "result, by what is attacked and not defended, of either side",
        results,
        KINDS * KINDS * 3,
        |a| {
            let [own, opponents] = a.facts.hanging;
            once((own * KINDS + opponents) * 3 + a.facts.result)
        },
    );
    measure("result, by the number of pieces: a shift and a scale", results, 4 * STEPS, |a| {
        let first = a.facts.pieces * 4;
        [(first + a.facts.result, 1.0), (first + 3, a.logit)]
    });
}

fn main() -> Result<()> {
    let Some(folder) = env::var_os("SANKI_RUN") else {
        println!("residuals: skipped, as SANKI_RUN names no run");
        return Ok(());
    };
    // Cargo starts this in the package's folder; the path is meant from the repository's root.
    let folder = &Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let file = ModelFile::read(folder)?;
    let config = saved_config(folder)?.context("it is no run")?;
    let value_mix = RunConfig::parse(&config, &[])?.replay.value_mix;
    let loaded = Backend::Native.load_in(&file.model, Precision::Fp32)?;
    let mut judge = Judge {
        net: loaded.evaluator(file.meta.shape),
        encoded: [EncodedQuery::default()],
        answer: [Evaluation::default()],
        after: Features::default(),
    };
    let mut decisions = Decisions::default();
    let newest = file.meta.generation;
    for generation in newest.saturating_sub(GENERATIONS) + 1..=newest {
        let path = sealed_path(&folder.join("records"), generation);
        for record in read_sealed_of_any(&path).with_context(|| format!("cannot read {}", path.display()))? {
            with_game!(file.meta.game, G => decisions.add::<G>(&record, value_mix, &mut judge))?;
        }
    }
    ensure!(decisions.moves.len() >= 5, "the records teach no policy");
    println!("{}: {} positions of generations up to {newest}", file.meta.game, decisions.moves.len());
    report(&decisions);
    Ok(())
}
