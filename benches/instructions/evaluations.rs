//! Evaluates positions of xiangqi: `sanki-evaluations ISA PRECISION COUNT`, with a sparse-256-attacks net.

use rand::RngExt;
use sanki::{
    base::rng::{self, Purpose},
    games::{
        encode::{Encode, Inputs},
        rules::{Game, Setup, xiangqi::Xiangqi},
    },
    net::{EncodedQuery, Isa, Model, NativeNet, NetConfig, Precision},
    search::{Evaluation, Query},
};

fn main() {
    let words: Vec<String> = std::env::args().collect();
    let [_, isa, precision, count] = &words[..] else { panic!("sanki-evaluations ISA PRECISION COUNT") };
    let isa: Isa = isa.parse().expect("an instruction set");
    let precision: Precision = precision.parse().expect("a precision");
    let count: usize = count.parse().expect("a number");

    let config: NetConfig = "sparse-256-attacks".parse().expect("a net");
    let model = Model::drawn(&config, Xiangqi::SHAPE, 1);
    let net = NativeNet::with_isa(&model, precision, isa).expect("it has the precision");
    let positions = positions();
    let mut evaluator = net.evaluator(Xiangqi::SHAPE);
    let mut out = [Evaluation::default()];
    let mut sum = 0.0;
    for position in positions.iter().cycle().take(count) {
        evaluator.evaluate_encoded(std::slice::from_ref(position), &mut out);
        sum += f64::from(out[0].wdl.q());
    }
    // So that nothing is left out, and to be compared.
    println!("{sum:.6}");
}

/// A random game's.
fn positions() -> Vec<EncodedQuery> {
    let mut rng = rng::stream(1, Purpose::Bench, &[]);
    let mut game = Xiangqi::start(Xiangqi::ID.rule_sets()[0], Setup::Standard, &mut rng);
    let mut positions = Vec::new();
    for _ in 0..32 {
        let mut query = Query { game: game.clone(), moves: Vec::new(), policy_only: false };
        game.legal_moves(&mut query.moves);
        let mut encoded = EncodedQuery::default();
        encoded.set(&query, Inputs::Attacks);
        positions.push(encoded);
        game.play(query.moves[rng.random_range(0..query.moves.len())]);
        if game.outcome().is_some() {
            break;
        }
    }
    positions
}
