//! `sanki completions` and `sanki man`: what shells and `man` know of the program.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_complete::{Shell, generate};
use clap_mangen::Man;

use super::{Cli, output::Force, stdout};

/// Print a script with which a shell completes commands and options
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sanki completions bash > ~/.local/share/bash-completion/completions/sanki
  sanki completions zsh > ~/.zfunc/_sanki
  sanki completions fish > ~/.config/fish/completions/sanki.fish")]
pub struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

/// Write the man pages, one for each command
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  sanki man -o ~/.local/share/man/man1
  man sanki-train")]
pub struct ManArgs {
    /// The folder to write them to
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    #[command(flatten)]
    force: Force,
}

/// Runs `sanki completions`.
pub fn completions(args: &CompletionsArgs) -> Result<()> {
    let mut text = Vec::new();
    generate(args.shell, &mut Cli::command(), "sanki", &mut text);
    Ok(stdout().write_all(&text)?)
}

/// Runs `sanki man`.
pub fn man(args: &ManArgs) -> Result<()> {
    let ManArgs { output, force } = args;
    fs::create_dir_all(output).with_context(|| format!("cannot make {}", output.display()))?;
    // Without a subcommand `help`, and with names such as sanki-train.
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let pages = pages(&program, output)?;
    for (path, _) in &pages {
        force.check(path)?;
    }
    for (path, text) in &pages {
        force.write(path, text)?;
    }
    writeln!(stdout(), "{} pages in {}", pages.len(), output.display())?;
    Ok(())
}

/// The pages of a command and of those below it, each with its file.
fn pages(command: &clap::Command, folder: &Path) -> Result<Vec<(PathBuf, Vec<u8>)>> {
    let (man, mut text) = (Man::new(command.clone()), Vec::new());
    man.render(&mut text).context("a page cannot be made")?;
    let mut pages = vec![(folder.join(man.get_filename()), text)];
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        pages.extend(self::pages(below, folder)?);
    }
    Ok(pages)
}
