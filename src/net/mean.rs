//! The mean of several nets.

use anyhow::{Result, ensure};

use super::{ModelFile, file::program};
use crate::with_game;

impl ModelFile {
    /// A net whose weights are the means of those of `nets`, and which plays like the first of them. Of nets that were
    /// trained from the same one it mostly is stronger than each (Wortsman et al., "Model soups", 2022); of others it
    /// is useless. What trains an older net on has a newer encoding, which the mean then has.
    ///
    /// # Errors
    /// When `nets` is empty, one cannot be used here, or two are not of one game, rule set and size.
    pub fn mean(nets: &[ModelFile]) -> Result<ModelFile> {
        let [first, others @ ..] = nets else { anyhow::bail!("no net is given") };
        let described = |net: &ModelFile| {
            let meta = &net.meta;
            format!("{} ({}), {}", meta.game, meta.rules, meta.net)
        };
        for net in nets {
            with_game!(net.meta.game, G => net.check::<G>())?;
        }
        for other in others {
            let (one, two) = (described(first), described(other));
            ensure!(one == two, "only nets of one kind have a mean, not those of {one} and of {two}");
            ensure!(first.model.layout() == other.model.layout(), "the nets have different tensors");
        }
        let mut sums: Vec<f64> = first.model.weights().iter().copied().map(f64::from).collect();
        for other in others {
            sums.iter_mut().zip(other.model.weights()).for_each(|(sum, weight)| *sum += f64::from(*weight));
        }
        let means = sums.into_iter().map(|sum| (sum / nets.len() as f64) as f32).collect();
        let most = |number: fn(&ModelFile) -> u64| nets.iter().map(number).max().unwrap_or(0);
        let mut meta = first.meta.clone();
        meta.generation = most(|net| net.meta.generation.into()) as u32;
        meta.positions = most(|net| net.meta.positions);
        meta.encoding_version = most(|net| net.meta.encoding_version.into()) as u32;
        meta.program = program();
        Ok(ModelFile { meta, model: first.model.with_weights(means) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        games::{encode::Encode, rules::RuleSet, rules::dobutsu::Dobutsu},
        net::Model,
    };

    fn net(kind: &str, seed: u64, positions: u64) -> ModelFile {
        let model = Model::init(&kind.parse().unwrap(), Dobutsu::SHAPE, seed);
        let mut net = ModelFile::untrained::<Dobutsu>(RuleSet::Standard, model);
        net.meta.positions = positions;
        net
    }

    #[test]
    fn weights_are_means() {
        let nets = [1, 2, 3].map(|seed| net("sparse-32-attacks", seed, 10 * seed));
        let mean = ModelFile::mean(&nets).unwrap();
        assert_eq!((mean.meta.positions, &mean.meta.net), (30, &nets[0].meta.net));
        for (i, found) in mean.model.weights().iter().enumerate() {
            let sum: f32 = nets.iter().map(|net| net.model.weights()[i]).sum();
            assert!((found - sum / 3.0).abs() < 1e-6, "weight {i}");
        }
        assert_ne!(mean.model.weights(), nets[0].model.weights());
        assert_eq!(ModelFile::mean(&nets[..1]).unwrap().model, nets[0].model);
    }

    /// Such is the mean of an older net and of what was trained from it.
    #[test]
    fn the_newer_encoding_is_that_of_the_mean() {
        let newer = net("sparse-32-attacks", 1, 0);
        let mut older = newer.clone();
        older.meta.encoding_version = Dobutsu::OLDEST_USABLE;
        assert!(older.meta.encoding_version < newer.meta.encoding_version, "there is an older one");
        for nets in [[older.clone(), newer.clone()], [newer, older.clone()]] {
            assert_eq!(ModelFile::mean(&nets).unwrap().meta.encoding_version, Dobutsu::ENCODING_VERSION);
        }
        older.meta.encoding_version -= 1;
        assert!(ModelFile::mean(&[older]).unwrap_err().to_string().contains("encoding"));
    }

    #[test]
    fn nets_of_two_kinds_have_none() {
        let first = net("sparse-32-attacks", 1, 0);
        for other in ["sparse-64-attacks", "sparse-32", "1x16"] {
            let error = ModelFile::mean(&[first.clone(), net(other, 1, 0)]).unwrap_err().to_string();
            assert!(error.contains(other), "{error}");
        }
        let mut other = first.clone();
        other.meta.rules = RuleSet::Threefold;
        assert!(ModelFile::mean(&[first, other]).unwrap_err().to_string().contains("threefold"));
        assert!(ModelFile::mean(&[]).is_err());
    }
}
