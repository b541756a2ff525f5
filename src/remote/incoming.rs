//! Finished games as they come in, a few at a time.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use async_nats::jetstream::{
    Message,
    consumer::{PullConsumer, pull::Batch},
};
use tokio::time::timeout;
use tokio_stream::StreamExt;

use super::server::PATIENCE;

/// Games that are checked and written together at most.
const TOGETHER: usize = 512;
/// How long the first of them is waited for, and each of the others.
const FIRST: Duration = Duration::from_millis(100);
const NEXT: Duration = Duration::from_millis(2);

/// What was asked of the server, and when; a request that nobody answers is made again.
#[derive(Default)]
pub(super) struct Incoming(Option<(Batch, Instant)>);

impl Incoming {
    /// What comes within [`FIRST`], and right behind it; nothing, as often as not.
    ///
    /// # Errors
    /// When the server fails.
    pub async fn next(&mut self, games: &PullConsumer) -> Result<Vec<Message>> {
        self.0.take_if(|(_, since)| since.elapsed() >= 2 * PATIENCE);
        let (batch, _) = match &mut self.0 {
            Some(requested) => requested,
            none => {
                let batch = games.batch().max_messages(TOGETHER).expires(PATIENCE).messages().await?;
                none.insert((batch, Instant::now()))
            }
        };
        let mut messages = Vec::new();
        while messages.len() < TOGETHER {
            match timeout(if messages.is_empty() { FIRST } else { NEXT }, batch.next()).await {
                Ok(Some(message)) => messages.push(message.map_err(|error| anyhow!(error))?),
                Ok(None) => {
                    self.0 = None;
                    break;
                }
                Err(_) => break,
            }
        }
        Ok(messages)
    }
}
