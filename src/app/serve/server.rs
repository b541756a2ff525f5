//! The server: what is where, and how it listens.

use std::{
    env,
    future::Future,
    net::{SocketAddr, TcpListener},
    sync::Arc,
};

use anyhow::{Context, Result};
use axum::{
    Router,
    extract::DefaultBodyLimit,
    http::{Method, Uri},
    middleware,
    response::{IntoResponse, Redirect, Response},
    routing::{get, post},
};
use tower_http::{
    catch_panic::CatchPanicLayer,
    compression::{
        CompressionLayer,
        predicate::{DefaultPredicate, NotForContentType, Predicate},
    },
};

use super::{
    assets,
    auth::{self, Guard, Origin},
    download,
    engines::Engines,
    error::PageError,
    explore,
    folders::Folders,
    games, language, listen,
    local::local,
    matches, nets, new_run, play,
    processes::Processes,
    review, run,
    speed::Speeds,
    sse::Watches,
    start,
    state::ServerState,
    texts::Texts,
    uploads, viewer,
};

/// Bytes of a request at most: a record of some ten thousand moves.
const MOST_BYTES: usize = 1 << 20;

/// Where to listen, and what to show.
#[derive(Clone, Debug)]
pub struct ServerOptions {
    /// The address; port 0 takes any that is free.
    pub address: SocketAddr,
    /// The address under which a proxy shows the page, where there is one.
    pub public: Option<Origin>,
    /// Which engines of other programs may be started from the page.
    pub engines: Engines,
    /// What is shown.
    pub folders: Folders,
}

/// A server that listens.
pub struct PageServer {
    listener: TcpListener,
    guard: Arc<Guard>,
    state: Arc<ServerState>,
}

impl PageServer {
    /// Begins to listen.
    ///
    /// # Errors
    /// When the address is not to be had, or the program does not find itself.
    pub fn new(options: ServerOptions) -> Result<Self> {
        let listener = TcpListener::bind(options.address)
            .with_context(|| format!("cannot listen on {}", options.address))?;
        listener.set_nonblocking(true).context("cannot listen")?;
        let address = listener.local_addr().context("cannot listen")?;
        let program = env::current_exe().context("cannot find the program itself")?;
        let state = Arc::new(ServerState {
            folders: options.folders,
            processes: Processes::new(program.clone()),
            engines: options.engines,
            speeds: Speeds::new(program),
            watches: Watches::default(),
        });
        Ok(PageServer { listener, guard: Arc::new(Guard::new(address, options.public)), state })
    }

    /// The address of the page with the token, which lets in all who have it.
    pub fn address(&self) -> String {
        self.guard.address()
    }

    /// Whether a proxy shows the page.
    pub fn is_proxied(&self) -> bool {
        self.guard.is_proxied()
    }

    /// The address and the port at which it listens.
    pub fn listens_at(&self) -> SocketAddr {
        self.guard.listens_at()
    }

    /// The address of the page with a code that lets in the first who uses it, within two minutes.
    pub fn address_once(&self) -> String {
        self.guard.address_once()
    }

    /// Answers until `stop` is done. Streams that are open then are cut.
    ///
    /// # Errors
    /// When the system has no more room for it.
    pub fn run(self, stop: impl Future<Output = ()>) -> Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .context("cannot start the server")?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener).context("cannot listen")?;
            tokio::select! {
                () = listen::serve(listener, router(self.guard, self.state)) => {}
                () = stop => {}
            }
            Ok(())
        })
    }
}

/// Everything that has an address.
fn router(guard: Arc<Guard>, state: Arc<ServerState>) -> Router {
    Router::new()
        .route("/", get(start::show))
        .route("/boards/{version}", get(start::boards))
        .route("/new", get(new_run::show).post(new_run::start))
        .route("/new/expect", post(new_run::expect))
        .route("/runs/{name}", get(run::show))
        .route("/runs/{name}/events", get(run::events))
        .route("/runs/{name}/game", get(run::game))
        .route("/runs/{name}/stop", post(run::stop))
        .route("/runs/{name}/go-on", post(run::go_on))
        .route("/runs/{name}/extend", post(run::extend))
        .route("/runs/{name}/cool-down", post(run::cool_down))
        .route("/runs/{name}/take", get(download::of_run))
        .route("/take/{id}", get(download::of_net))
        .route("/take/{id}/{kind}", get(download::download))
        .route("/language/{code}", get(language::choose))
        .merge(matches::routes())
        .route("/nets/{id}", get(nets::get))
        .route("/assets/{version}/{name}", get(assets::get))
        .route("/games/{id}", get(games::get).put(games::put))
        .route("/play", get(play::show))
        .route("/play/{id}", get(play::show_kept))
        .route("/review", get(review::show))
        .route("/review/files", post(uploads::bring))
        .route("/review/games/{id}", get(viewer::own))
        .route("/review/matches/{name}", get(review::show_match))
        .route("/review/matches/{name}/openings", get(explore::of_match))
        .route("/review/matches/{name}/{number}", get(viewer::of_match))
        .route("/review/runs/{name}", get(review::show_run))
        .route("/review/runs/{name}/openings", get(explore::of_run))
        .route("/review/runs/{name}/{generation}", get(review::show_generation))
        .route("/review/runs/{name}/{generation}/{number}", get(viewer::of_run))
        .fallback(missing)
        .method_not_allowed_fallback(not_so)
        .with_state(state)
        .layer(DefaultBodyLimit::max(MOST_BYTES))
        .layer(CompressionLayer::new().compress_when(worth_packing()))
        .layer(CatchPanicLayer::new())
        .layer(middleware::from_fn_with_state(guard, auth::check))
}

/// What is compressed on its way: pages and scripts. Nets are packed already, and long.
fn worth_packing() -> impl Predicate {
    DefaultPredicate::new().and(NotForContentType::const_new("application/octet-stream"))
}

async fn missing(texts: Texts) -> impl IntoResponse {
    PageError::missing(texts)
}

/// Answers what an address does not take. A form that is refused is shown at the address of its order, and browsers ask for
/// that as for a page: after another language was chosen on it, say. They get the page of what the order was for.
async fn not_so(method: Method, uri: Uri, texts: Texts) -> Response {
    match ordered(uri.path()).and_then(local).filter(|_| method == Method::GET) {
        Some(page) => Redirect::to(page).into_response(),
        None => PageError::not_so(texts).into_response(),
    }
}

/// The page of what an order is for, by the address of the order.
fn ordered(path: &str) -> Option<&str> {
    let is_of_form = ["/contests/", "/runs/"].iter().any(|part| path.starts_with(part));
    path.rsplit_once('/').map(|(page, _)| page).filter(|_| is_of_form)
}
