//! One worker's evaluator: shared weights, own buffers.

use std::sync::Arc;

use super::{
    Tower,
    activations::Activations,
    board::{Pool, StemSums, TowerLogits},
    winograd::Patches,
};
use crate::{
    games::encode::{Features, Inputs, Shape},
    net::{
        EncodedQuery, FeatureEvaluator,
        native::{
            dense::{relu, softmax3},
            format::NumberFormat,
            lanes::{Lanes, floats},
        },
    },
    search::{Evaluation, Wdl},
};

/// Evaluates positions on one kind of board with a [`Tower`].
#[derive(Clone, Debug)]
pub struct TowerEvaluator<F: NumberFormat> {
    net: Arc<Tower<F>>,
    shape: Shape,
    buffers: Buffers<F>,
}

/// Activations; all are overwritten by every evaluation.
#[derive(Clone, Debug)]
struct Buffers<F: NumberFormat> {
    /// What the blocks so far have left.
    tower: Activations<F>,
    /// What a block, or a head, has made of it.
    inner: Activations<F>,
    /// What the block will leave.
    next: Activations<F>,
    patches: Patches<F>,
    /// Twice the lanes of channels.
    pooled: Vec<Lanes>,
    /// Lanes of channels.
    bias: Vec<Lanes>,
    /// One lane.
    wdl: Vec<Lanes>,
}

impl<F: NumberFormat> TowerEvaluator<F> {
    /// An evaluator for boards of `shape`.
    ///
    /// # Panics
    /// When `shape` does not have the network's sizes.
    pub fn new(net: Arc<Tower<F>>, shape: Shape) -> Self {
        assert!(net.fits(&shape), "the net fits the game");
        let board = || Activations::new(shape.squares() * net.lanes);
        let buffers = Buffers {
            tower: board(),
            inner: board(),
            next: board(),
            patches: Patches::new(&shape, net.lanes),
            pooled: vec![Lanes::ZERO; 2 * net.lanes],
            bias: vec![Lanes::ZERO; net.lanes],
            wdl: vec![Lanes::ZERO],
        };
        TowerEvaluator { net, shape, buffers }
    }

    /// Evaluates one position: its value, and one logit for each of the policy indices in `moves`.
    ///
    /// # Panics
    /// When `features` or `moves` do not fit the shape.
    pub fn evaluate_features(&mut self, features: &Features, moves: &[u16], out: &mut Evaluation) {
        self.tower(features);
        self.value(out);
        self.policy(moves, out);
    }

    /// Leaves the tower's output in `tower`.
    fn tower(&mut self, features: &Features) {
        let Self { net, shape, buffers, .. } = self;
        assert_eq!(features.scalars.len(), shape.scalars, "the features fit the game");
        let Buffers { tower, inner, next, patches, pooled, bias, .. } = buffers;
        net.scalars.run(&features.scalars, bias);
        net.isa.run(StemSums { weights: &net.stem, shape, active: &features.active, bias, output: tower });
        for block in &net.blocks {
            net.isa.run(Pool { input: tower.values(), output: pooled });
            block.pool.run(floats(pooled), bias);
            block.first.run(shape, tower, bias, None, patches, inner);
            block.second.run(shape, inner, &block.second_bias, Some(tower), patches, next);
            std::mem::swap(tower, next);
        }
    }

    fn value(&mut self, out: &mut Evaluation) {
        let Self { net, shape, buffers, .. } = self;
        let Buffers { tower, inner, pooled, bias, wdl, .. } = buffers;
        net.value.squares.run(shape, tower, &net.value.squares_bias, None, inner);
        net.isa.run(Pool { input: inner.values(), output: pooled });
        net.value.hidden.run(floats(pooled), bias);
        relu(bias);
        net.value.wdl.run(floats(bias), wdl);
        let [win, draw, loss] = softmax3(wdl);
        out.wdl = Wdl { win, draw, loss };
    }

    fn policy(&mut self, moves: &[u16], out: &mut Evaluation) {
        let Self { net, shape, buffers, .. } = self;
        let Buffers { tower, inner, pooled, bias, .. } = buffers;
        net.isa.run(Pool { input: tower.values(), output: pooled });
        net.policy.pool.run(floats(pooled), bias);
        net.policy.squares.run(shape, tower, bias, None, inner);
        out.logits.clear();
        out.logits.resize(moves.len(), 0.0);
        net.isa.run(TowerLogits {
            squares: inner.values(),
            planes: &net.policy.moves,
            bias: &net.policy.bias,
            count: shape.squares(),
            moves,
            output: &mut out.logits,
        });
    }
}

impl<F: NumberFormat> FeatureEvaluator for TowerEvaluator<F> {
    fn inputs(&self) -> Inputs {
        Inputs::Pieces
    }

    fn evaluate_encoded(&mut self, encoded: &[EncodedQuery], out: &mut [Evaluation]) {
        for (EncodedQuery { features, moves, .. }, out) in encoded.iter().zip(out) {
            self.evaluate_features(features, moves, out);
        }
    }
}
