//! A wider sparse net that computes what a narrower one does.

use super::{
    Model, NetConfig,
    config::SparseConfig,
    weights::{Named, TensorSpec},
};

impl Model {
    /// A sparse net of `net`'s width with the function of this one: its new sums have random rows and nothing hangs on
    /// them yet, so that learning goes on where it was. `None` unless both are sparse, want the same inputs, and `net`
    /// is the wider.
    pub fn widened(&self, net: &NetConfig, seed: u64) -> Option<Model> {
        let (NetConfig::Sparse(narrow), NetConfig::Sparse(wide)) = (self.net(), net) else { return None };
        if wide.hidden <= narrow.hidden || wide.inputs != narrow.inputs || net.check().is_err() {
            return None;
        }
        let widen = Widen { narrow, wide };
        let fresh = self.fresh(net, seed);
        let old = Named::new(self.layout(), self.weights());
        let tensors = fresh.layout().split(fresh.weights());
        let weights = tensors.flat_map(|(spec, fresh)| widen.tensor(spec, old.get(&spec.name), fresh));
        let weights = weights.collect();
        Some(fresh.with_weights(weights))
    }
}

struct Widen<'a> {
    narrow: &'a SparseConfig,
    wide: &'a SparseConfig,
}

impl Widen<'_> {
    /// The wide net's tensor from the narrow one's and that of a fresh net.
    fn tensor(&self, spec: &TensorSpec, old: &[f32], fresh: &[f32]) -> Vec<f32> {
        let (narrow, wide) = (self.narrow.gated(), self.wide.gated());
        match spec.name.as_str() {
            // Four blocks of columns: each accumulator's two halves. What is added to new sums stays random.
            name if name.starts_with("accumulators.") => {
                let mut tensor = fresh.to_vec();
                let blocks = tensor.chunks_exact_mut(wide).zip(old.chunks_exact(narrow));
                blocks.for_each(|(wide, old)| wide[..narrow].copy_from_slice(old));
                tensor
            }
            // Rows for what passes the gates: zero for the new gates.
            "value.hidden" => {
                let mut tensor = old.to_vec();
                tensor.resize(fresh.len(), 0.0);
                tensor
            }
            // Columns for what passes the gates.
            "policy.moves" | "policy.planes" | "policy.squares" | "replies.moves" | "replies.planes"
            | "replies.squares" => {
                let mut tensor = vec![0.0; fresh.len()];
                let rows = tensor.chunks_exact_mut(wide).zip(old.chunks_exact(narrow));
                rows.for_each(|(wide, old)| wide[..narrow].copy_from_slice(old));
                tensor
            }
            _ => old.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        net::{EncodedQuery, Model, NativeNet, Precision, testing},
        search::Evaluation,
    };

    const SHAPE: crate::games::encode::Shape = testing::shape(4, 3);

    fn judged(model: &Model, positions: &[EncodedQuery]) -> Vec<Evaluation> {
        let mut out = vec![Evaluation::default(); positions.len()];
        NativeNet::new(model, Precision::Fp32)
            .unwrap()
            .evaluator(SHAPE)
            .evaluate_encoded(positions, &mut out);
        out
    }

    #[test]
    fn a_wider_net_says_the_same() {
        let mut rng = testing::rng(1);
        let positions: Vec<EncodedQuery> = (0..8)
            .map(|_| EncodedQuery {
                features: testing::features(&SHAPE, &mut rng),
                moves: testing::moves(&SHAPE, &mut rng),
                policy_only: false,
            })
            .collect();
        let narrow = testing::model("sparse-32-attacks", &SHAPE, 1);
        let wide = narrow.widened(&"sparse-96-attacks".parse().unwrap(), 2).unwrap();
        assert_eq!(wide.net().to_string(), "sparse-96-attacks");
        for (narrow, wide) in judged(&narrow, &positions).iter().zip(judged(&wide, &positions)) {
            assert!((narrow.wdl.q() - wide.wdl.q()).abs() < 1e-5);
            let logits = narrow.logits.iter().zip(&wide.logits);
            assert!(logits.into_iter().all(|(a, b)| (a - b).abs() < 1e-5));
        }
        // The new sums are not dead: they differ from each other and from zero.
        let added = wide.weights().iter().filter(|weight| **weight != 0.0).count();
        assert!(added > narrow.weights().len(), "{added}");
    }

    #[test]
    fn nothing_else_widens() {
        let widened = |from: &str, to: &str| testing::model(from, &SHAPE, 1).widened(&to.parse().unwrap(), 2);
        for (from, to) in [
            ("sparse-64", "sparse-32"),
            ("sparse-32", "sparse-32"),
            ("1x16", "1x32"),
            ("sparse-32", "sparse-64-attacks"),
        ] {
            assert_eq!(widened(from, to), None, "{from} {to}");
        }
        assert_eq!(widened("1x16", "sparse-32"), None);
    }
}
