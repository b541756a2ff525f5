//! The threads that judge, and the conversation with each who asks.

use std::{
    io::{self, BufRead},
    num::NonZero,
    panic::{AssertUnwindSafe, catch_unwind},
    process,
    sync::{Arc, atomic::Ordering::Relaxed},
    thread,
};

use anyhow::{Context, Result};

use super::{
    asked::AskedGame,
    client::Client,
    nets::Nets,
    request::{self, BadLine, Order, PositionRequest, ReadLine, RequestedGame},
};
use crate::{
    app::cli::{
        CliError,
        position::{self, Moves},
    },
    arena::analysis::{AnalysisDesk, AnalysisQueue},
    base::store::{LineRead, read_line},
    games::{encode::Encode, notation::Notate},
    with_game,
};

/// Bytes of a line at most: games of any length.
const LONGEST_LINE: usize = 1 << 20;
/// What a panic ends the process with.
const PANICKED: i32 = 101;

/// What all who ask share.
pub(super) struct Service {
    /// The positions that wait.
    pub queue: AnalysisQueue<'static>,
    nets: Nets,
}

impl Service {
    /// With so many threads that judge; they end with the process.
    pub fn start(nets: Nets, threads: NonZero<usize>) -> Result<Arc<Self>> {
        let service = Arc::new(Service { queue: AnalysisQueue::default(), nets });
        for number in 0..threads.get() {
            let service = service.clone();
            let work = move || {
                // An end is better than an answer that never comes.
                if catch_unwind(AssertUnwindSafe(|| service.queue.work())).is_err() {
                    process::exit(PANICKED);
                }
            };
            let thread = thread::Builder::new().name(format!("judge-{number}"));
            thread.spawn(work).context("cannot start a thread")?;
        }
        Ok(service)
    }

    /// Reads what `client` asks until the end, and waits until all is answered.
    ///
    /// # Errors
    /// Those of the input; what was asked before is answered.
    pub fn converse(&self, client: &Arc<Client>, input: impl BufRead) -> io::Result<()> {
        let read = self.hear(client, input);
        client.finish();
        read
    }

    fn hear(&self, client: &Arc<Client>, mut input: impl BufRead) -> io::Result<()> {
        let mut line = Vec::new();
        while client.wait_for_room() {
            match read_line(&mut input, &mut line, LONGEST_LINE)? {
                LineRead::End => return Ok(()),
                LineRead::Cut => {
                    let error = format!("unreadable request: it has more than {LONGEST_LINE} bytes");
                    client.refuse(Default::default(), &CliError::failed(error));
                }
                LineRead::Whole if line.trim_ascii().is_empty() => {}
                LineRead::Whole if client.is_connection() && is_http(&line) => {
                    let error = CliError::failed("this is no web server: a line is a request in JSON");
                    client.refuse(Default::default(), &error);
                    return Ok(());
                }
                LineRead::Whole => self.take(client, &line),
            }
        }
        Ok(())
    }

    /// Takes one line.
    fn take(&self, client: &Arc<Client>, line: &[u8]) {
        let line = position::without_mark(line);
        let ReadLine { id, order, warning } = match request::read(line) {
            Ok(read) => read,
            Err(BadLine { id, error }) => return client.refuse(id, &error),
        };
        warning.into_iter().for_each(|warning| client.warn(&id, warning));
        let done = match order {
            Order::Cancel => {
                client.cancel(&id, &self.queue);
                Ok(())
            }
            Order::Judge(request) => self.judge(client, &id, *request, line.len()),
        };
        if let Err(error) = done {
            client.refuse(id.into(), &error);
        }
    }

    fn judge(
        &self,
        client: &Arc<Client>,
        id: &str,
        request: PositionRequest,
        bytes: usize,
    ) -> Result<(), CliError> {
        let of_the_net = self.nets.named().map(|meta| meta.game);
        let missing = || CliError::failed("game is missing").help("name one, as in \"game\":\"shogi\"");
        let game = request.game.or(of_the_net).ok_or_else(missing)?;
        with_game!(game, G => self.judge_in::<G>(client, id, request, bytes))
    }

    fn judge_in<G: Encode + Notate>(
        &self,
        client: &Arc<Client>,
        id: &str,
        request: PositionRequest,
        bytes: usize,
    ) -> Result<(), CliError> {
        let RequestedGame { start, moves, turns } = request.read_game::<G>(self.nets.named())?;
        let net = self.nets.of::<G>(start.rules())?;
        if let Some(why) = start.unusual() {
            client.warn(id, format!("an unusual position: {why}"));
        }
        let texts = |moves: Option<Moves>| {
            let texts = moves.as_ref().map(Moves::texts).unwrap_or_default();
            texts.into_iter().map(str::to_owned).collect()
        };
        let stop = client.open(id, turns.len(), bytes)?;
        let PositionRequest { effort, lines, priority, allow, avoid, .. } = request;
        let (allow, avoid) = (texts(allow), texts(avoid));
        let asked = Arc::new(AskedGame { id: id.to_owned(), net, start, moves, allow, avoid, effort, lines });
        let places = turns.into_iter().map(|turn| {
            let (asked, client, stop) = (asked.clone(), client.clone(), stop.clone());
            let job = move |desk: &mut AnalysisDesk| {
                if !stop.load(Relaxed) {
                    let answer = asked.answer(turn, desk, &stop);
                    client.answer(&asked.id, &stop, &answer);
                }
            };
            self.queue.push(priority, Box::new(job))
        });
        client.note_places(id, places.collect());
        Ok(())
    }
}

/// Reads each line of `input` as a request for a position, as the service does, and says how many can be answered.
pub(super) fn count_requests(input: &[u8]) -> usize {
    let can_be_answered = |line: &[u8]| match request::read(position::without_mark(line)) {
        Ok(ReadLine { order: Order::Judge(request), .. }) => request
            .game
            .is_some_and(|game| with_game!(game, G => request.read_game::<G>(None).map(|_| ())).is_ok()),
        Ok(ReadLine { order: Order::Cancel, .. }) | Err(_) => false,
    };
    input.split(|&byte| byte == b'\n').filter(|line| can_be_answered(line)).count()
}

/// Whether a line begins a request of a browser: no page is to make this machine work.
fn is_http(line: &[u8]) -> bool {
    let last = line.trim_ascii().rsplit(|&byte| byte == b' ').next();
    last.is_some_and(|last| last.starts_with(b"HTTP/"))
}
