//! `sanki train --plan CORES`: the settings for a number of worker cores.

use std::io::Write;

use anyhow::Result;
use serde_json::json;

use super::{stdout, tell};
use crate::{
    training::run::{Machine, RunConfig, advise, net_for, rates},
    with_game,
};

/// How long playing and learning are measured, each, in seconds.
const SECONDS: f64 = 3.0;

/// Measures this machine and prints the settings for `cores` worker cores like its own.
pub fn run(config: RunConfig, cores: u32, machine: Machine, json: bool) -> Result<()> {
    let before = config.net.clone();
    let config = RunConfig { net: net_for(&config.net, cores), ..config };
    if !json {
        tell(format!("measures {} ({}), a {} net, for some seconds", config.game, config.rules, config.net));
    }
    let rates = with_game!(config.game, G => rates::<G>(&config, machine, SECONDS)?);
    let advice = advise(&config, &rates, cores);
    let settings = advice.settings(&before, &config);
    let mut out = stdout();
    if json {
        let net = config.net.to_string();
        writeln!(out, "{}", json!({ "net": net, "measured": rates, "advice": advice, "set": settings }))?;
        return Ok(());
    }
    let threads = machine.workers;
    writeln!(out, "this machine: {:.0} positions/s a core of self-play", rates.positions_per_core_s)?;
    writeln!(out, "              {:.0} samples/s of learning; threads: {threads}", rates.samples_per_s)?;
    writeln!(out, "              {:.0} positions/s checked and encoded there", rates.taken_in_per_s)?;
    writeln!(out, "with {cores} worker cores and this machine as the learner:")?;
    writeln!(
        out,
        "              {:.0} positions/s, the learner busy {:.0}% of the time",
        advice.positions_per_s,
        100.0 * advice.learner_busy
    )?;
    if settings.is_empty() {
        writeln!(out, "the settings can stay as they are")?;
    }
    settings.iter().try_for_each(|setting| writeln!(out, "  --set {setting}"))?;
    Ok(())
}
