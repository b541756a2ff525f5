//! A run on dobutsu that learns for a moment.

/// What `sanki` is called with for it.
pub fn arguments(folder: &str) -> Vec<&str> {
    let config = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/dobutsu.toml");
    let mut args = vec!["train", "--config", config, "--out", folder];
    for setting in [
        "budget.generations=2",
        "net={kind='conv',blocks=1,channels=16}",
        "selfplay.precision=fp32",
        "selfplay.positions_per_generation=400",
        "selfplay.simulations=8",
        "learner.batch=32",
        "evaluation.games=4",
        "evaluation.simulations=4",
        "checkpoints.every=1",
    ] {
        args.extend(["--set", setting]);
    }
    args
}
