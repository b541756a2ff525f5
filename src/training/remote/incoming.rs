//! Finished games as they come in, a few at a time.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};
use async_nats::jetstream::{
    Message,
    consumer::{PullConsumer, pull::Batch},
};
use tokio::time::timeout;
use tokio_stream::StreamExt;

use super::{message::MOST_BYTES, server::PATIENCE};

/// Games that are checked and written together at most.
pub(super) const TOGETHER: usize = 512;
/// Their bytes at most, as they travel; more than one message may have.
const TOGETHER_BYTES: usize = 16 << 20;
const _: () = assert!(TOGETHER_BYTES > 2 * MOST_BYTES);
/// How long the first of them is waited for, and each of the others.
const FIRST: Duration = Duration::from_millis(100);
const NEXT: Duration = Duration::from_millis(2);

/// What was asked of the server, and when; a request without an answer is made again.
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
                let batch = games.batch().max_messages(TOGETHER).max_bytes(TOGETHER_BYTES).expires(PATIENCE);
                let batch = batch.messages().await?;
                none.insert((batch, Instant::now()))
            }
        };
        let mut messages = Vec::new();
        while messages.len() < TOGETHER {
            match timeout(if messages.is_empty() { FIRST } else { NEXT }, batch.next()).await {
                Ok(Some(Ok(message))) => messages.push(message),
                Ok(Some(Err(error))) => {
                    self.0 = None;
                    let error = anyhow!(error);
                    // What has come is not lost: the server would not give it again before its lease is over.
                    if messages.is_empty() && !is_full(&error) {
                        return Err(error);
                    }
                    break;
                }
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

/// Whether the server has ended a request since its next message would be more than the bytes asked for (status 409).
fn is_full(error: &anyhow::Error) -> bool {
    error.to_string().contains("Message Size Exceeds MaxBytes")
}
