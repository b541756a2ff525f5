//! `sanki serve`: the page.

use std::{
    io::{self, Write},
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    process::{Command, Stdio},
    sync::atomic::Ordering,
    time::Duration,
};

use anyhow::Result;

use super::interrupt;
use crate::serve::{Folders, Options, Server};

/// How often a wish to end is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// Serve a page on which you train, watch, measure and play in the browser
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page is at http://127.0.0.1:7777/, and only this machine can reach it. Runs and matches that you start \
on the page continue when the server ends, and those that you start in a terminal appear on the page too. \
With --listen, others on your network can reach it as well, at an address with a token.

Examples:
  sanki serve
  sanki serve --open
  sanki serve --port 8000 --runs ~/nets
  sanki serve --listen 0.0.0.0")]
pub struct Args {
    /// The port; 0 chooses a free one
    #[arg(long, default_value = "7777")]
    port: u16,
    /// The address to listen on; if others can reach it, visitors need a token
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// The folder of the runs
    #[arg(long, value_name = "DIR", default_value = "runs")]
    runs: PathBuf,
    /// The folder of the matches and ladders
    #[arg(long, value_name = "DIR", default_value = "matches")]
    matches: PathBuf,
    /// The folder of the games that are played on the page
    #[arg(long, value_name = "DIR", default_value = "games")]
    games: PathBuf,
    /// Open the page in the browser
    #[arg(long)]
    open: bool,
}

/// Runs the command.
pub fn run(args: Args) -> Result<()> {
    let folders = Folders { runs: args.runs, matches: args.matches, games: args.games };
    let stop = interrupt::flag();
    interrupt::hush();
    let server = Server::new(Options { address: SocketAddr::new(args.listen, args.port), folders })?;
    let address = server.address();
    writeln!(
        io::stdout(),
        "Sanki is at {address}\nCtrl-C ends the page; runs and matches that it has started go on"
    )?;
    if args.open {
        open(&address);
    }
    server.run(async {
        while !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(LOOK).await;
        }
    })
}

/// Opens the page in the browser of the desktop, if there is one.
fn open(address: &str) {
    let (program, before): (&str, &[&str]) = if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let started = Command::new(program)
        .args(before)
        .arg(address)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    if let Err(error) = started {
        super::tell(format_args!("warning: cannot open a browser ({program}: {error})"));
    }
}
