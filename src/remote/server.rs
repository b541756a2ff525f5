//! The address of a server, and a connection that comes back.

use std::{
    fmt,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use async_nats::{Client, ConnectOptions, Event, jetstream};
use percent_encoding::percent_decode_str;

/// Whoever does not answer within this is asked again.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// Servers before this one answer in words that the client does not know (2.9.10 was tried).
const OLDEST: (i64, i64) = (2, 10);
/// The longest pause between two attempts to connect again.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A NATS server and how to enter it. Nothing that prints it shows a password.
#[derive(Clone)]
pub struct Server {
    /// Without user and password.
    url: String,
    user: Option<(String, String)>,
    credentials: Option<PathBuf>,
    authority: Option<PathBuf>,
}

impl Server {
    /// The server at `nats://[USER:PASSWORD@]HOST[:PORT]`, or `tls://…` where the connection must be encrypted.
    /// `credentials` is a file that the server's owner gave out, `authority` a certificate that signed the server's.
    ///
    /// # Errors
    /// When the address makes no sense; the error shows it without the password.
    pub fn new(address: &str, credentials: Option<PathBuf>, authority: Option<PathBuf>) -> Result<Self> {
        let (scheme, rest) = address.split_once("://").unwrap_or(("nats", address));
        let (user, host) = match rest.rsplit_once('@') {
            Some((user, host)) => (Some(user), host),
            None => (None, rest),
        };
        let host = host.strip_suffix('/').unwrap_or(host);
        let url = format!("{scheme}://{host}");
        ensure!(
            matches!(scheme, "nats" | "tls"),
            "'{url}' is no address of a NATS server: nats:// or tls://"
        );
        let is_host = |letter: char| letter.is_ascii_alphanumeric() || "-._:[]".contains(letter);
        ensure!(!host.is_empty() && host.chars().all(is_host), "'{url}' names no NATS server");
        let user = user.map(|user| match user.split_once(':') {
            Some((name, password)) => Ok((decode(name)?, decode(password)?)),
            None => bail!("the address of {url} has a user without a password"),
        });
        Ok(Server { url, user: user.transpose()?, credentials, authority })
    }

    /// Connects, as `name`. The connection comes back by itself when it was lost.
    ///
    /// # Errors
    /// When the server cannot be reached now, or refuses us.
    pub async fn connect(&self, name: &str) -> Result<Link> {
        let lives = Arc::new(AtomicU64::new(0));
        let mut options = ConnectOptions::new()
            .name(name)
            .connection_timeout(PATIENCE)
            .request_timeout(Some(PATIENCE))
            .ping_interval(PATIENCE)
            .reconnect_delay_callback(|attempt| {
                LONGEST_PAUSE.min(Duration::from_millis(50 << attempt.min(8)))
            })
            .event_callback({
                let (lives, url) = (lives.clone(), self.url.clone());
                move |event| {
                    heard(&event, &url, &lives);
                    async {}
                }
            });
        if let Some((user, password)) = &self.user {
            options = options.user_and_password(user.clone(), password.clone());
        }
        if let Some(file) = &self.credentials {
            let place = || format!("cannot use the credentials {}", file.display());
            options = options.credentials_file(file).await.with_context(place)?;
        }
        if let Some(file) = &self.authority {
            ensure!(file.is_file(), "there is no certificate {}", file.display());
            options = options.add_root_certificates(file.clone());
        }
        options = options.require_tls(self.url.starts_with("tls:") || self.authority.is_some());
        let client = options.connect(&self.url).await;
        let client = client.with_context(|| format!("cannot connect to {self}"))?;
        let version = client.server_info().version;
        let is_known = client.is_server_compatible(OLDEST.0, OLDEST.1, 0);
        ensure!(is_known, "{self} is nats-server {version}: {}.{} or later is needed", OLDEST.0, OLDEST.1);
        let mut js = jetstream::new(client.clone());
        js.set_timeout(PATIENCE);
        Ok(Link { client, js, lives })
    }
}

fn decode(text: &str) -> Result<String> {
    let decoded = percent_decode_str(text).decode_utf8();
    Ok(decoded.ok().context("user or password is no UTF-8")?.into_owned())
}

fn heard(event: &Event, url: &str, lives: &AtomicU64) {
    match event {
        Event::Connected => {
            if lives.fetch_add(1, Ordering::Relaxed) > 0 {
                tracing::info!("{url} is back");
            }
        }
        Event::Disconnected => tracing::warn!("the connection to {url} is lost; trying again"),
        other => tracing::info!("{url}: {other}"),
    }
}

impl fmt::Display for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

impl fmt::Debug for Server {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Server({})", self.url)
    }
}

/// A connection to a server.
#[derive(Clone, Debug)]
pub struct Link {
    /// For plain messages.
    pub client: Client,
    /// For streams.
    pub js: jetstream::Context,
    lives: Arc<AtomicU64>,
}

impl Link {
    /// How often it was connected: what watches a stream begins again when this changes.
    pub fn lives(&self) -> u64 {
        self.lives.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_has_the_password() {
        let server = Server::new("nats://me:se%40cret@host.example:4222", None, None).unwrap();
        assert_eq!(server.user, Some(("me".into(), "se@cret".into())));
        assert_eq!(server.to_string(), "nats://host.example:4222");
        assert!(!format!("{server:?}").contains("cret"));
        for bad in
            ["ws://me:secret@host", "nats://me:secret@", "nats://me:secret@ho st", "nats://me:%ff@host"]
        {
            let error = format!("{:#}", Server::new(bad, None, None).unwrap_err());
            assert!(!error.contains("secret"), "{error}");
        }
        assert!(Server::new("host", None, None).unwrap().user.is_none());
        assert!(Server::new("nats://secret@host", None, None).unwrap_err().to_string().contains("without"));
    }
}
