//! How a trained net plays: the settings of its search, in one place.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{NetConfig, Precision};
use crate::{
    games::rules::GameId,
    search::{BadSetting, DEFAULT_MEMORY, GumbelConfig, PuctConfig, SearchConfig, Strength, TreeUse},
};

/// Settings of play as they are given: the table `[play]` of a config, which the checkpoints and exported models of the
/// run carry on, or what stands behind a player's name. What is not given is left to the next table, at last to the
/// defaults of the game.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PlayTable {
    /// The precision in which the net is evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub precision: Option<Precision>,
    /// The search. Without it a sparse net has [`PlaySearch::Auto`], unless something is given that only a tree heeds; a
    /// tower has PUCT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub search: Option<PlaySearch>,
    /// [`PuctConfig::temperature`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
    /// [`PuctConfig::uniform_share`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniform_share: Option<f32>,
    /// [`PuctConfig::root_widening`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub root_widening: Option<u32>,
    /// [`PuctConfig::mate_visits`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate_visits: Option<u32>,
    /// [`PuctConfig::mate_plies`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate_plies: Option<u32>,
    /// [`PuctConfig::c_init`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c_init: Option<f32>,
    /// [`PuctConfig::c_base`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub c_base: Option<f32>,
    /// [`PuctConfig::fpu_reduction`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fpu_reduction: Option<f32>,
    /// Whether what one move's search found serves the next one's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<TreeUse>,
    /// Threads that think about one move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub threads: Option<u32>,
    /// Positions that a thread has evaluated at a time: one on a processor, more on a GPU.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<u32>,
    /// MiB that the tree may take.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<u32>,
    /// The level of a player of limited strength, from 1 to [`LEVELS`], at which nothing is limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u32>,
    /// Its [`Strength`], where it is none of the levels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strength: Option<f32>,
    /// The strengths of the levels, where they are not the game's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub levels: Option<[f32; LIMITED_LEVELS]>,
}

/// The levels below full strength.
pub const LIMITED_LEVELS: usize = 19;

/// The levels of play: the last is full strength.
pub const LEVELS: u32 = LIMITED_LEVELS as u32 + 1;

/// The search of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlaySearch {
    /// In matches alpha-beta at a time limit, where it is far stronger (`docs/search.md`), else PUCT. In engines alpha-beta
    /// at any limit, unless visits are to be reported.
    Auto,
    /// [`SearchConfig::Puct`].
    Puct,
    /// [`SearchConfig::Gumbel`], without noise.
    Gumbel,
    /// [`crate::search::AlphaBeta`]; where a tree is asked for all the same, as by `show --sims`, that is PUCT's.
    AlphaBeta,
}

/// Settings of play, all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayConfig {
    /// The precision in which the net is evaluated.
    pub precision: Precision,
    /// The search.
    pub kind: PlaySearch,
    /// The tree search and its constants.
    pub search: SearchConfig,
    /// Whether the tree is kept between moves.
    pub tree: TreeUse,
    /// Threads that think about one move, at least one.
    pub threads: usize,
    /// Positions that a thread has evaluated at a time, at least one.
    pub batch: usize,
    /// MiB that the tree may take, at least one.
    pub memory: u32,
    /// How strong it is at most, if that is limited; then it searches by alpha-beta, and nothing that is of a tree counts.
    pub strength: Option<Strength>,
}

/// Most threads that a player may be given, and most positions in a batch.
pub const MOST_THREADS: u32 = 1024;
/// Most MiB that a player may be given.
pub const MOST_MEMORY: u32 = 1 << 20;

impl PlayTable {
    /// Reads `key=value&key=value`, as it stands behind a player's name.
    ///
    /// # Errors
    /// Names the key that is unknown or the value that is not valid.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut lines = String::new();
        for pair in text.split('&') {
            let (key, value) = pair.split_once('=').ok_or_else(|| format!("'{pair}' is not key=value"))?;
            let is_number = value.parse::<f64>().is_ok();
            lines += &if is_number { format!("{key} = {value}\n") } else { format!("{key} = {value:?}\n") };
        }
        let table: PlayTable = toml::from_str(&lines).map_err(|error| error.message().to_owned())?;
        table.check()?;
        Ok(table)
    }

    /// The settings of `self`, and those of `other` where it gives none. A level and a strength say the same, so that
    /// either of `self` takes the place of both of `other`.
    pub fn or(self, other: &PlayTable) -> PlayTable {
        let (level, strength) = match (self.level, self.strength) {
            (None, None) => (other.level, other.strength),
            own => own,
        };
        PlayTable {
            precision: self.precision.or(other.precision),
            search: self.search.or(other.search),
            temperature: self.temperature.or(other.temperature),
            uniform_share: self.uniform_share.or(other.uniform_share),
            root_widening: self.root_widening.or(other.root_widening),
            mate_visits: self.mate_visits.or(other.mate_visits),
            mate_plies: self.mate_plies.or(other.mate_plies),
            c_init: self.c_init.or(other.c_init),
            c_base: self.c_base.or(other.c_base),
            fpu_reduction: self.fpu_reduction.or(other.fpu_reduction),
            tree: self.tree.or(other.tree),
            threads: self.threads.or(other.threads),
            batch: self.batch.or(other.batch),
            memory: self.memory.or(other.memory),
            level,
            strength,
            levels: self.levels.or(other.levels),
        }
    }

    /// Whether every value that is given is in its range.
    ///
    /// # Errors
    /// Names the key and its range.
    pub fn check(&self) -> Result<(), String> {
        let counts = [
            ("threads", self.threads, MOST_THREADS),
            ("batch", self.batch, MOST_THREADS),
            ("memory", self.memory, MOST_MEMORY),
            ("level", self.level, LEVELS),
        ];
        for (key, value, most) in counts {
            if let Some(value) = value.filter(|value| !(1..=most).contains(value)) {
                return Err(format!("{key} = {value}: must lie in 1..={most}"));
            }
        }
        self.strength.map(Strength::new).transpose()?;
        let levels = self.levels.unwrap_or_default();
        levels.iter().try_for_each(|&level| Strength::new(level).map(|_| ()))?;
        if !levels.is_sorted() {
            return Err("levels: must rise".to_owned());
        }
        let puct = SearchConfig::Puct(self.puct());
        puct.check().map_err(|BadSetting { key, value, range }| format!("{key} = {value}: must be {range}"))
    }

    /// The same for a search that ends at any time: Gumbel's ends by itself, so that PUCT's takes its place.
    pub fn for_any_time(self) -> PlayTable {
        let search = self.search.map(|search| match search {
            PlaySearch::Gumbel => PlaySearch::Puct,
            other => other,
        });
        PlayTable { search, ..self }
    }

    /// All settings for `game` and a net of this kind.
    pub fn complete(&self, game: GameId, net: &NetConfig) -> PlayConfig {
        match net {
            NetConfig::Sparse(_) if self.is_of_a_tree() => {
                self.complete_in(game, Precision::Int16, PlaySearch::Puct)
            }
            NetConfig::Sparse(_) => self.complete_in(game, Precision::Int16, PlaySearch::Auto),
            NetConfig::Conv(_) => self.complete_in(game, Precision::Auto, PlaySearch::Puct),
        }
    }

    /// All settings for `game` where there is no net.
    pub fn complete_without_net(&self, game: GameId) -> PlayConfig {
        self.complete_in(game, Precision::Fp32, PlaySearch::Puct)
    }

    fn complete_in(&self, game: GameId, precision: Precision, search: PlaySearch) -> PlayConfig {
        let table = self.clone().or(&defaults(game));
        let kind = table.search.unwrap_or(search);
        PlayConfig {
            precision: table.precision.unwrap_or(precision),
            kind,
            search: match kind {
                PlaySearch::Auto | PlaySearch::Puct | PlaySearch::AlphaBeta => {
                    SearchConfig::Puct(table.puct())
                }
                PlaySearch::Gumbel => SearchConfig::Gumbel(GumbelConfig::default()),
            },
            tree: table.tree.unwrap_or(TreeUse::Kept),
            threads: table.threads.unwrap_or(1) as usize,
            batch: table.batch.unwrap_or(1) as usize,
            memory: table.memory.unwrap_or(DEFAULT_MEMORY),
            strength: table.limit(game),
        }
    }

    /// How strong the player is at most; `None` at full strength.
    fn limit(&self, game: GameId) -> Option<Strength> {
        let levels = self.levels.unwrap_or(game.facts().play.levels);
        let of_level = |level: u32| levels.get(level as usize - 1).copied();
        let number = self.strength.or_else(|| self.level.and_then(of_level))?;
        Strength::new(number).ok()
    }

    /// Whether something is given that says nothing to alpha-beta. A batch of one position is what it has anyway:
    /// programs set all options to what they were told is usual.
    fn is_of_a_tree(&self) -> bool {
        let batch = self.batch.filter(|&positions| positions > 1);
        let others = PlayTable {
            precision: None,
            search: None,
            threads: None,
            memory: None,
            level: None,
            strength: None,
            levels: None,
            batch,
            ..self.clone()
        };
        others != PlayTable::default()
    }

    fn puct(&self) -> PuctConfig {
        let usual = PuctConfig::default();
        PuctConfig {
            temperature: self.temperature.unwrap_or(usual.temperature),
            uniform_share: self.uniform_share.unwrap_or(usual.uniform_share),
            root_widening: self.root_widening.unwrap_or(usual.root_widening),
            mate_visits: self.mate_visits.unwrap_or(usual.mate_visits),
            mate_plies: self.mate_plies.unwrap_or(usual.mate_plies),
            c_init: self.c_init.unwrap_or(usual.c_init),
            c_base: self.c_base.unwrap_or(usual.c_base),
            fpu_reduction: self.fpu_reduction.unwrap_or(usual.fpu_reduction),
            ..usual
        }
    }
}

impl fmt::Display for PlayTable {
    /// As it stands behind a player's name, the `?` before it included; nothing where nothing is given.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = toml::to_string(self).map_err(|_| fmt::Error)?;
        for (place, line) in text.lines().enumerate() {
            let pair = line.replace(" = ", "=").replace('"', "");
            write!(f, "{}{pair}", if place == 0 { '?' } else { '&' })?;
        }
        Ok(())
    }
}

/// What a game is played with unless something else is said.
fn defaults(game: GameId) -> PlayTable {
    let play = &game.facts().play;
    PlayTable {
        temperature: Some(play.temperature),
        root_widening: Some(32),
        mate_visits: Some(play.mate_visits),
        mate_plies: Some(5),
        ..PlayTable::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_and_bad_ones_refused() {
        let read = PlayTable::parse("temperature=2&tree=fresh&threads=2&precision=bf16").unwrap();
        assert_eq!((read.temperature, read.tree, read.threads), (Some(2.0), Some(TreeUse::Fresh), Some(2)));
        assert_eq!(read.precision, Some(Precision::Bf16));
        assert_eq!(read.to_string(), "?precision=bf16&temperature=2.0&tree=fresh&threads=2");
        assert_eq!(PlayTable::default().to_string(), "");
        for (bad, word) in [
            ("temperature", "temperature"),
            ("temperature=0", "temperature"),
            ("temperature=warm", "warm"),
            ("threads=0", "threads"),
            ("threads=1000000", "threads"),
            ("warmth=1", "warmth"),
            ("search=betaalpha", "betaalpha"),
            ("memory=-1", "-1"),
            ("level=0", "level"),
            ("level=21", "level"),
            ("strength=-1", "strength"),
            ("strength=nan", "strength"),
        ] {
            let error = PlayTable::parse(bad).unwrap_err();
            assert!(error.contains(word), "{bad}: {error}");
        }
    }

    #[test]
    fn a_level_is_a_strength_of_the_game() {
        let strength = |text: &str, game| {
            PlayTable::parse(text).unwrap().complete(game, &"sparse-128".parse().unwrap()).strength
        };
        for game in GameId::ALL {
            let levels: Vec<_> = (1..LEVELS).map(|level| strength(&format!("level={level}"), game)).collect();
            assert!(levels.is_sorted() && levels[0].is_some(), "{game}: {levels:?}");
            assert_eq!(strength("level=20", game), None, "{game}: full strength");
        }
        assert_eq!(strength("strength=2&level=9", GameId::Shogi), Strength::new(2.0).ok());
        assert_eq!(strength("memory=16", GameId::Shogi), None);
    }

    #[test]
    fn a_level_or_a_strength_that_is_typed_lifts_both_that_a_net_carries() {
        let strength = |typed: &str, carried: &str| {
            let [typed, carried] = [typed, carried].map(|text| PlayTable::parse(text).unwrap());
            typed.or(&carried).complete(GameId::Shogi, &"sparse-128".parse().unwrap()).strength
        };
        let given = |strength| Strength::new(strength).ok();
        assert_eq!(strength("level=20", "strength=2"), None, "full strength");
        assert_eq!(strength("level=9", "strength=2"), strength("level=9", "memory=16"));
        assert_eq!(strength("strength=3", "strength=2&level=9"), given(3.0));
        assert_eq!(strength("memory=16", "strength=2&level=9"), given(2.0));
    }

    #[test]
    fn the_nearer_table_decides() {
        let typed = PlayTable::parse("temperature=2").unwrap();
        let carried = PlayTable::parse("temperature=4&c_init=0.5").unwrap();
        let table = typed.or(&carried);
        assert_eq!((table.temperature, table.c_init, table.memory), (Some(2.0), Some(0.5), None));
        let net = "sparse-128".parse().unwrap();
        let config = table.complete(GameId::Xiangqi, &net);
        let SearchConfig::Puct(puct) = config.search else { panic!("{config:?}") };
        assert_eq!((puct.temperature, puct.c_init), (2.0, 0.5));
        assert_eq!(config.kind, PlaySearch::Puct, "what is said of a tree asks for one");
        assert_eq!(config.precision, Precision::Int16);
        let kind = |text: &str, net: &str| {
            let table = if text.is_empty() { PlayTable::default() } else { PlayTable::parse(text).unwrap() };
            table.complete(GameId::Xiangqi, &net.parse().unwrap()).kind
        };
        assert_eq!(kind("", "sparse-128"), PlaySearch::Auto);
        assert_eq!(kind("memory=64&precision=fp32", "sparse-128"), PlaySearch::Auto);
        assert_eq!(
            [1, 2].map(|batch| kind(&format!("batch={batch}"), "sparse-128")),
            [PlaySearch::Auto, PlaySearch::Puct]
        );
        assert_eq!(kind("search=alphabeta&temperature=2", "sparse-128"), PlaySearch::AlphaBeta);
        assert_eq!(kind("", "4x32"), PlaySearch::Puct);
        let tower = |table: PlayTable| table.complete(GameId::Xiangqi, &"4x32".parse().unwrap()).precision;
        assert_eq!(tower(PlayTable::default()), Precision::Auto);
        assert_eq!(
            tower(PlayTable::parse("precision=fp32").unwrap()),
            Precision::Fp32,
            "what is forced stays"
        );
    }
}
