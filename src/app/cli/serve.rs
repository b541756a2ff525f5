//! `sanki serve`: the page.

use std::{
    io::Write,
    net::{IpAddr, Ipv4Addr, SocketAddr},
    path::PathBuf,
    sync::atomic::Ordering,
    time::Duration,
};

use anyhow::Result;

use super::{browser, interrupt, players::PlayerSpec, stdout};
use crate::{
    app::serve::{Engines, Folders, Origin, PageServer, ServerOptions},
    arena::EngineSpec,
};

/// How often a wish to end is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// Serve a page on which you train, watch, measure and play in the browser
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The page is at port 7777 of this machine. Open the address that is printed: it has a token, without which nobody \
gets in, not even from this machine. The browser keeps the token until it is closed. Runs and matches that you \
start on the page continue when the server ends, and those that you start in a terminal appear on the page too.

Through a tunnel, or a port that is mapped, put your own host and port before the token:

  ssh -L 8888:localhost:7777 HOST        then open http://localhost:8888/?token=...

With --listen, others on your network can ask for the page as well; it still needs the token. Nothing is encrypted \
then: for other networks put a proxy with TLS in front, and name its address with --public-url.

Engines of other programs are commands that run with your rights. The page starts only those that you name with \
--engine; with --engines it starts any.

Examples:
  sanki serve
  sanki serve --open
  sanki serve --port 8000 --runs ~/nets
  sanki serve --engine \"uci:fairy-stockfish?Threads=2\"
  sanki serve --listen 0.0.0.0
  sanki serve --public-url https://sanki.example")]
pub struct ServeArgs {
    /// The port; 0 chooses a free one
    #[arg(long, default_value = "7777")]
    port: u16,
    /// The address to listen on
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// The address under which a proxy shows the page: https://HOST, without a path
    #[arg(long, value_name = "URL")]
    public_url: Option<Origin>,
    /// Let the page start this engine of another program, as in uci:fairy-stockfish; may be repeated
    #[arg(long, value_name = "ENGINE", value_parser = engine)]
    engine: Vec<String>,
    /// Let the page start any engine of another program: whoever has the token can then run any command as you
    #[arg(long)]
    engines: bool,
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

/// Reads an engine of another program, as `sanki match` takes it.
fn engine(text: &str) -> Result<String, String> {
    if !EngineSpec::is_meant(text) {
        return Err("an engine of another program is uci:COMMAND, usi:COMMAND or ucci:COMMAND".to_owned());
    }
    text.parse::<PlayerSpec>().map(|_| text.to_owned())
}

/// What is said first of all: where the page is.
fn greeting(server: &PageServer, listen: IpAddr) -> String {
    let mut text = format!("Sanki is at {}\n", server.address());
    if server.is_proxied() {
        text.push_str(&format!("The proxy asks for it at http://{}\n", server.listens_at()));
    } else if listen.is_unspecified() {
        text.push_str(
            "From another machine, put the name or the address of this one in the place of the host\n",
        );
    }
    text.push_str("Ctrl-C ends the page; runs and matches that it has started go on\n");
    text
}

/// Runs the command.
pub fn run(args: ServeArgs) -> Result<()> {
    let games = args.games.clone();
    let folders = Folders { runs: args.runs, matches: args.matches, games: args.games };
    let stop = interrupt::flag();
    interrupt::hush();
    let server = PageServer::new(ServerOptions {
        address: SocketAddr::new(args.listen, args.port),
        public: args.public_url,
        engines: Engines { listed: args.engine, any: args.engines },
        folders,
    })?;
    stdout().write_all(greeting(&server, args.listen).as_bytes())?;
    // Kept until the server ends.
    let _opening = args.open.then(|| {
        // Browsers from a snap may read files below the home folder, but not those in /tmp.
        let opening = browser::open(&server.address_once(), &games);
        opening.inspect_err(|error| super::tell(format_args!("warning: cannot open a browser: {error:#}")))
    });
    server.run(async {
        while !stop.load(Ordering::Relaxed) {
            tokio::time::sleep(LOOK).await;
        }
    })
}
