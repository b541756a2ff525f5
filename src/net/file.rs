//! A trained network as a file: what it plays, its shape and its weights.

use std::{
    borrow::Cow,
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, bail, ensure};
use serde::{Deserialize, Serialize};

#[cfg(not(feature = "program"))]
use super::model::NO_TOWERS;
use super::{Model, NetConfig, PlayConfig, PlayTable, Sizes, weights::is_safetensors};
use crate::{
    base::store::{Container, decompress, read_text, read_whole},
    games::{
        encode::{Encode, Shape},
        rules::{GameId, RuleSet},
    },
};

/// The kind of container that models and checkpoints are: a checkpoint has more sections.
pub const KIND: &str = "checkpoint";
/// In a run's folder, the file that names the newest checkpoint.
pub const LATEST: &str = "latest";
/// What that holds at most, in bytes.
pub const MOST_NAME: u64 = 1 << 12;
/// The folder of a run that holds its checkpoints.
pub const CHECKPOINTS: &str = "checkpoints";

/// The section with what the model is, as JSON.
const MODEL: &str = "model";
/// The section with the weights as safetensors, and the one that a compact file has in its place.
const WEIGHTS: &str = "weights";
const COMPACT: &str = "weights.zst";
/// zstd's level for compact files, which are written once and read often.
#[cfg(not(target_family = "wasm"))]
const COMPRESSION: i32 = 19;
/// The same for files that are made while a user waits.
#[cfg(feature = "program")]
const QUICK_COMPRESSION: i32 = 3;

/// Bytes that names and shapes of tensors take at most.
const HEADER: u64 = 1 << 20;

/// What a model is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ModelMeta {
    /// The game it plays.
    pub game: GameId,
    /// The rule set it was trained under.
    pub rules: RuleSet,
    /// [`Encode::ENCODING_VERSION`] of its inputs.
    pub encoding_version: u32,
    /// Sizes of its inputs and outputs.
    pub shape: Shape,
    /// Kind and size of the network, for people; the weights tell it as well.
    pub net: String,
    /// The generation that made it; 0 is untrained.
    pub generation: u32,
    /// Positions that the run had played by then.
    pub positions: u64,
    /// The program's version and commit.
    pub program: String,
    /// How it is to be played, where that is not as usual.
    #[serde(default)]
    pub play: PlayTable,
}

impl ModelMeta {
    /// The bytes that its weights take at most.
    ///
    /// # Errors
    /// When no net has such a description.
    fn weight_bytes(&self) -> Result<u64> {
        let net: NetConfig = self.net.parse().context("its description is damaged")?;
        let Shape { ranks, files, .. } = self.shape;
        let board = ranks.checked_mul(files).filter(|squares| (1..=256).contains(squares));
        ensure!(board.is_some(), "its description is damaged: no board has {ranks} ranks and {files} files");
        let sizes = Sizes::of(&net, &self.shape);
        ensure!(sizes.are_sound(), "its description is damaged: no game has {sizes}");
        net.check_for(&sizes)?;
        #[cfg(not(feature = "program"))]
        ensure!(matches!(net, NetConfig::Sparse(_)), "it is a tower ({net}): {NO_TOWERS}");
        // In single precision, and names and shapes.
        Ok(4 * net.parameters(&sizes) as u64 + HEADER)
    }
}

/// A network and what it plays.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelFile {
    /// What it is.
    pub meta: ModelMeta,
    /// Its weights: in a checkpoint the averaged ones, which play.
    pub model: Model,
}

impl ModelFile {
    /// `model`, which has the sizes of `G`, as one that plays it under `rules` and that no run has trained.
    #[cfg(feature = "program")]
    pub fn untrained<G: Encode>(rules: RuleSet, model: Model) -> Self {
        let meta = ModelMeta {
            game: G::ID,
            rules,
            encoding_version: G::ENCODING_VERSION,
            shape: G::SHAPE,
            net: model.net().to_string(),
            generation: 0,
            positions: 0,
            program: program(),
            play: PlayTable::default(),
        };
        ModelFile { meta, model }
    }

    /// The model's sections, for a container of [`KIND`].
    pub fn to_container(&self) -> Container {
        Container::new(KIND).with(MODEL, self.described()).with(WEIGHTS, self.model.to_bytes())
    }

    /// The model at its smallest, for play and for sharing: the weights in half precision, compressed.
    ///
    /// # Errors
    /// When the system has no memory for it.
    #[cfg(not(target_family = "wasm"))]
    pub fn to_compact(&self) -> Result<Container> {
        self.packed(COMPRESSION)
    }

    #[cfg(not(target_family = "wasm"))]
    fn packed(&self, level: i32) -> Result<Container> {
        let weights = zstd::encode_all(&self.model.to_half_bytes()[..], level).context("zstd failed")?;
        Ok(Container::new(KIND).with(MODEL, self.described()).with(COMPACT, weights))
    }

    /// The bytes of the model at `path`, a file or a run, as [`ModelFile::to_compact`] makes them.
    ///
    /// # Errors
    /// Those of [`ModelFile::read`].
    #[cfg(feature = "program")]
    pub fn smallest(path: &Path) -> Result<Vec<u8>> {
        ModelFile::compact_at(path, COMPRESSION)
    }

    /// The same, made quickly, and somewhat larger.
    ///
    /// # Errors
    /// Those of [`ModelFile::read`].
    #[cfg(feature = "program")]
    pub fn compact(path: &Path) -> Result<Vec<u8>> {
        ModelFile::compact_at(path, QUICK_COMPRESSION)
    }

    /// A file that is compact stays as it is.
    #[cfg(feature = "program")]
    fn compact_at(path: &Path, level: i32) -> Result<Vec<u8>> {
        let bytes = read_whole(&newest(path)?)?;
        let is_compact = |container: &Container| container.section(COMPACT).is_ok();
        match Container::from_bytes(&bytes).and_then(|container| container.of_kind(KIND)) {
            Ok(container) if is_compact(&container) => Ok(bytes),
            _ => Ok(ModelFile::read(path)?.packed(level)?.to_bytes()),
        }
    }

    /// The weights as safetensors, bit for bit, with what they play in the metadata.
    #[cfg(feature = "program")]
    pub fn to_safetensors(&self) -> Vec<u8> {
        let meta = serde_json::to_value(&self.meta).expect("a model's description is plain JSON");
        self.model.to_described(meta)
    }

    fn described(&self) -> Vec<u8> {
        serde_json::to_vec_pretty(&self.meta).expect("a model's description is plain JSON")
    }

    /// Takes the model out of a container.
    ///
    /// # Errors
    /// When a section is missing or does not read, or they do not belong together.
    pub fn from_container(container: &Container) -> Result<Self> {
        let meta: ModelMeta =
            serde_json::from_slice(container.section(MODEL)?).context("its description is damaged")?;
        let most = meta.weight_bytes()?;
        let weights = match container.section(COMPACT) {
            Ok(compact) => decompress(compact, most).context("its weights are damaged")?.into(),
            Err(_) => Cow::from(container.section(WEIGHTS)?),
        };
        let model = Model::from_bytes(&weights).context("its weights are damaged")?;
        ModelFile::of(meta, model)
    }

    /// Reads what [`ModelFile::to_safetensors`] wrote.
    fn from_safetensors(bytes: &[u8]) -> Result<Self> {
        let (model, plays) = Model::from_described(bytes)?;
        let plays = plays.context("its metadata do not say which game it plays")?;
        let meta: ModelMeta = serde_json::from_value(plays).context("its description is damaged")?;
        meta.weight_bytes()?;
        ModelFile::of(meta, model)
    }

    /// Both, if they belong together and can be played as the description says.
    fn of(meta: ModelMeta, model: Model) -> Result<Self> {
        let (described, held) = (Sizes::of(model.net(), &meta.shape), model.sizes());
        ensure!(described == held, "it is described with {described}, its weights have {held}");
        let (game, rules) = (meta.game, meta.rules);
        ensure!(
            game.rule_sets().contains(&rules),
            "its description is damaged: {rules} is no rule set of {game}"
        );
        ensure!(
            meta.net == model.net().to_string(),
            "it is described as a {} net, its weights are of a {} net",
            meta.net,
            model.net()
        );
        meta.play.check().map_err(anyhow::Error::msg).context("its description is damaged")?;
        Ok(ModelFile { meta, model })
    }

    /// Reads a checkpoint or a model: a file, or a run's folder, whose newest checkpoint is taken. The file may also be
    /// safetensors, as this program exports them.
    ///
    /// # Errors
    /// Names the path and what is wrong: missing, foreign, truncated, damaged.
    pub fn read(path: &Path) -> Result<Self> {
        let file = newest(path)?;
        let bytes = read_whole(&file)?;
        let read = if is_safetensors(&bytes) {
            ModelFile::from_safetensors(&bytes)
        } else {
            let container = Container::from_bytes(&bytes).and_then(|container| container.of_kind(KIND));
            container.and_then(|container| ModelFile::from_container(&container))
        };
        read.with_context(|| format!("cannot use {}", file.display()))
    }

    /// How it plays: as `table` says, else as it says itself, else as its game is played.
    pub fn play(&self, table: &PlayTable) -> PlayConfig {
        table.clone().or(&self.meta.play).complete(self.meta.game, self.model.net())
    }

    /// The same for a search that ends at any time: see [`PlayTable::for_any_time`].
    pub fn play_for_any_time(&self, table: &PlayTable) -> PlayConfig {
        let table = table.clone().or(&self.meta.play).for_any_time();
        table.complete(self.meta.game, self.model.net())
    }

    /// Whether it can play `G`.
    ///
    /// # Errors
    /// Says what differs: the game, the encoding's version or its sizes.
    pub fn check<G: Encode>(&self) -> Result<()> {
        ensure!(self.meta.game == G::ID, "the model plays {}, not {}", self.meta.game, G::ID);
        self.check_family::<G>()?;
        ensure!(
            self.meta.shape == G::SHAPE,
            "the model's shape is {:?}, not {:?}",
            self.meta.shape,
            G::SHAPE
        );
        Ok(())
    }

    /// Whether its weights can begin a run of `G`: the same encoding, and the same board where the net is tied to
    /// one.
    ///
    /// # Errors
    /// Says what differs.
    pub fn check_family<G: Encode>(&self) -> Result<()> {
        let ModelMeta { encoding_version, shape, .. } = &self.meta;
        ensure!(
            (G::OLDEST_USABLE..=G::ENCODING_VERSION).contains(encoding_version),
            "the model's encoding has version {encoding_version}, this program's {}",
            G::ENCODING_VERSION
        );
        let [own, games] = [shape, &G::SHAPE].map(|shape| Sizes::of(self.model.net(), shape));
        ensure!(own == games, "the model has {own}, {} has {games}", G::ID);
        Ok(())
    }
}

/// The file that `path` stands for: itself, or a run's newest checkpoint. That is the one that the run names as such
/// or, where it names none that is there, the newest of all.
///
/// # Errors
/// When there is no such file, or the folder is no run.
pub fn newest(path: &Path) -> Result<PathBuf> {
    let cannot_read = |path: &Path| format!("cannot read {}", path.display());
    match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => bail!("there is no file {}", path.display()),
        Err(error) => return Err(error).with_context(|| cannot_read(path)),
        Ok(found) if !found.is_dir() => return Ok(path.to_owned()),
        Ok(_) => {}
    }
    let (latest, folder) = (path.join(LATEST), path.join(CHECKPOINTS));
    let read = match read_text(&latest, MOST_NAME) {
        // What cannot be read now is not known to be damaged.
        Err(error) if !says_nothing(&error) => return Err(error).with_context(|| cannot_read(&latest)),
        read => read,
    };
    let named = read.iter().map(|text| text.trim()).find(|name| generation_of(name).is_some());
    if let Some(file) = named.map(|name| folder.join(name))
        && file.try_exists().with_context(|| cannot_read(&file))?
    {
        return Ok(file);
    }
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let generation = |path: &PathBuf| path.file_name().and_then(|name| generation_of(name.to_str()?));
    let all = entries.map(|entry| entry.path()).filter(|path| generation(path).is_some());
    match (all.max_by_key(generation), read) {
        (Some(file), _) => Ok(file),
        (None, Ok(text)) => {
            bail!("{} names '{}', and there is no checkpoint at all", latest.display(), text.trim())
        }
        (None, Err(error)) => Err(error)
            .with_context(|| format!("{} is no run: cannot read {}", path.display(), latest.display())),
    }
}

/// Whether a file that gave this error is missing or damaged, and not only out of reach for now.
pub fn says_nothing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::InvalidData)
}

/// The generation whose checkpoint is called `name`.
pub fn generation_of(name: &str) -> Option<u32> {
    name.strip_prefix("gen-")?.strip_suffix(".sanki")?.parse().ok()
}

/// This program's version and the commit it was built from.
#[cfg(feature = "program")]
pub fn program() -> String {
    format!("sanki {} ({})", env!("CARGO_PKG_VERSION"), env!("SANKI_COMMIT"))
}
