//! From queries to features and back: what stands between a search and any network.

use crate::{
    games::encode::{Encode, Features, Inputs},
    search::{Evaluation, Evaluator, PolicyAsked, Query},
};

/// A query as a network sees it. A buffer: reused from one call to the next.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EncodedQuery {
    /// The position.
    pub features: Features,
    /// The policy index of each move of the query, in its order.
    pub moves: Vec<u16>,
    /// See [`Query::policy_only`].
    pub policy_only: bool,
}

impl EncodedQuery {
    /// Encodes what `inputs` asks for of `query`.
    pub fn set<G: Encode>(&mut self, query: &Query<G>, inputs: Inputs) {
        query.game.features(inputs, &mut self.features);
        let index = query.game.indexer();
        self.moves.clear();
        // A policy index is less than 256 squares times as many move planes.
        self.moves.extend(query.moves.iter().map(|&mv| index(mv) as u16));
        self.policy_only = query.policy_only;
    }
}

/// Evaluates encoded positions of one game in batches.
pub trait FeatureEvaluator: Send {
    /// `out[i]` answers `encoded[i]`; both are of one length. The buffers of `out` are reused. With
    /// [`NativeNet`](super::NativeNet) not one bit depends on what else is in the batch; burn's
    /// products of matrices may round otherwise at another size.
    fn evaluate_encoded(&mut self, encoded: &[EncodedQuery], out: &mut [Evaluation]);

    /// What it wants positions to be encoded with.
    fn inputs(&self) -> Inputs;

    /// See [`Evaluator::policy_asked`].
    fn policy_asked(&self) -> PolicyAsked {
        PolicyAsked::WithValue
    }
}

/// The evaluator of a search, on top of any that evaluates features.
pub struct NetEvaluator {
    inner: Box<dyn FeatureEvaluator>,
    encoded: Vec<EncodedQuery>,
}

impl NetEvaluator {
    /// Encodes queries for `inner`, which must evaluate positions of the same game.
    pub fn new(inner: Box<dyn FeatureEvaluator>) -> Self {
        NetEvaluator { inner, encoded: Vec::new() }
    }
}

impl<G: Encode> Evaluator<G> for NetEvaluator {
    fn evaluate(&mut self, queries: &[&Query<G>], out: &mut [Evaluation]) {
        if self.encoded.len() < queries.len() {
            self.encoded.resize_with(queries.len(), EncodedQuery::default);
        }
        let encoded = &mut self.encoded[..queries.len()];
        let inputs = self.inner.inputs();
        encoded.iter_mut().zip(queries).for_each(|(encoded, query)| encoded.set(query, inputs));
        self.inner.evaluate_encoded(encoded, out);
    }

    fn policy_asked(&self) -> PolicyAsked {
        self.inner.policy_asked()
    }
}
