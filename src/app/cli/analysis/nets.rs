//! The nets that judge, each loaded once.

use std::{
    any::Any,
    collections::HashMap,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

use anyhow::Result;

use crate::{
    app::{
        cli::tell,
        engine::{NetChoice, choose_net, net_folders},
    },
    arena::analysis::AnalysisNet,
    games::{
        encode::Encode,
        rules::{GameId, RuleSet},
    },
    net::{ModelFile, ModelMeta},
};

/// The nets of all games that were asked for.
pub(super) struct Nets {
    /// The one that the user names.
    named: Option<ModelFile>,
    /// Where others lie.
    folders: Vec<PathBuf>,
    /// An [`AnalysisNet`] of each game.
    loaded: Mutex<HashMap<GameId, Arc<dyn Any + Send + Sync>>>,
}

impl Nets {
    /// The one at `named`, or those that are found.
    pub fn new(named: Option<&Path>) -> Result<Self> {
        let named = named.map(ModelFile::read).transpose()?;
        Ok(Nets { named, folders: net_folders(), loaded: Mutex::default() })
    }

    /// What the net is that the user names.
    pub fn named(&self) -> Option<&ModelMeta> {
        self.named.as_ref().map(|model| &model.meta)
    }

    /// The net that judges `G`, loaded now if it was not yet. What there is to say of it is said to the user.
    ///
    /// # Errors
    /// When the net that the user names plays another game, or this machine cannot load it.
    pub fn of<G: Encode>(&self, rules: RuleSet) -> Result<Arc<AnalysisNet<G>>> {
        let mut loaded = self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(net) = loaded.get(&G::ID) {
            return Ok(Arc::clone(net).downcast().expect("it was kept under its game"));
        }
        let net = match &self.named {
            Some(model) => AnalysisNet::load(Some(model))?,
            None => {
                let NetChoice { model, notes, .. } = choose_net(G::ID, rules, None, &self.folders);
                notes.iter().for_each(tell);
                AnalysisNet::load(model.as_ref())?
            }
        };
        let net = Arc::new(net);
        loaded.insert(G::ID, Arc::<AnalysisNet<G>>::clone(&net));
        Ok(net)
    }
}
