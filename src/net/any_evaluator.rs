//! The evaluator of a search that may have no net.

use super::{LoadedNet, NetEvaluator};
use crate::{
    games::encode::Encode,
    search::{Evaluation, Evaluator, PolicyAsked, Query, Wdl},
};

/// An evaluator by a net, or by nothing.
pub enum AnyEvaluator {
    /// By this net.
    Net(NetEvaluator),
    /// Every move is as good as the others, and every position even.
    Even,
}

impl AnyEvaluator {
    /// By `net`; without one every position is even.
    pub fn of<G: Encode>(net: Option<&LoadedNet>) -> Self {
        net.map_or(AnyEvaluator::Even, |net| AnyEvaluator::Net(NetEvaluator::new(net.evaluator(G::SHAPE))))
    }
}

impl<G: Encode> Evaluator<G> for AnyEvaluator {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        match self {
            AnyEvaluator::Net(net) => net.evaluate(queries, out),
            AnyEvaluator::Even => queries.iter().zip(out).for_each(|(query, out)| {
                out.wdl = Wdl::DRAW;
                out.logits.clear();
                out.logits.resize(query.moves.len(), 0.0);
            }),
        }
    }

    fn policy_asked(&self) -> PolicyAsked {
        match self {
            AnyEvaluator::Net(net) => Evaluator::<G>::policy_asked(net),
            AnyEvaluator::Even => PolicyAsked::WithValue,
        }
    }
}
