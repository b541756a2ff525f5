//! The address of a server, and a connection that comes back.

use std::{
    fmt,
    net::IpAddr,
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::{Context, Result, bail, ensure};
use async_nats::{Client, ConnectOptions, Event, jetstream};
use data_encoding::BASE64URL_NOPAD;
use percent_encoding::percent_decode_str;
use serde::Deserialize;

use super::names::to_name;
use crate::base::store::{printable, read_text};

/// A request without an answer within this time is made again.
pub const PATIENCE: Duration = Duration::from_secs(5);
/// The user of a server that asks for none.
const GUEST: &str = "guest";
/// Bytes of a file of credentials at most.
const MOST_CREDENTIALS: u64 = 1 << 16;
/// The longest pause between two attempts to connect again.
const LONGEST_PAUSE: Duration = Duration::from_secs(2);

/// A NATS server and how to enter it. Nothing that prints it shows a password.
#[derive(Clone)]
pub struct NatsServer {
    /// Without user and password.
    url: String,
    user: Option<(String, String)>,
    credentials: Option<PathBuf>,
    authority: Option<PathBuf>,
}

impl NatsServer {
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
        Ok(NatsServer { url, user: user.transpose()?, credentials, authority })
    }

    /// Whether user and password, or credentials, would go to another machine unencrypted.
    pub fn is_exposed(&self) -> bool {
        let has_secret = self.user.is_some() || self.credentials.is_some();
        has_secret && !self.is_encrypted() && !is_this_machine(self.url.trim_start_matches("nats://"))
    }

    fn is_encrypted(&self) -> bool {
        self.url.starts_with("tls:") || self.authority.is_some()
    }

    /// The user that enters, as a name.
    ///
    /// # Errors
    /// When the credentials cannot be read, or have no user.
    fn user(&self) -> Result<String> {
        let user = match (&self.credentials, &self.user) {
            (Some(file), _) => {
                let place = || format!("cannot use the credentials {}", file.display());
                user_of_credentials(file).with_context(place)?
            }
            (None, Some((user, _))) => to_name(user),
            (None, None) => String::new(),
        };
        Ok(if user.is_empty() { GUEST.to_owned() } else { user })
    }

    /// Connects, as `name`. The connection comes back by itself when it was lost.
    ///
    /// # Errors
    /// When the server cannot be reached now, refuses us, or is too old.
    pub async fn connect(&self, name: &str) -> Result<Link> {
        let (lives, user) = (Arc::new(AtomicU64::new(0)), self.user()?);
        let mut options = ConnectOptions::new()
            .name(name)
            // A server can let each user hear its own inboxes only.
            .custom_inbox_prefix(format!("_INBOX.{user}"))
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
        options = options.require_tls(self.is_encrypted());
        if !self.is_encrypted() {
            // Those that the server names may be other machines.
            options = options.ignore_discovered_servers();
        }
        let client = options.connect(&self.url).await;
        let client = client.with_context(|| format!("cannot connect to {self}"))?;
        let info = client.server_info();
        if let Some(why) = outdated(&info.version) {
            bail!("{self} is nats-server {}: {why}", printable(&info.version));
        }
        let is_open = !info.auth_required && !is_this_machine(self.url.trim_start_matches("nats://"));
        if is_open {
            tracing::warn!("{self} asks for no password: whoever reaches it can take part, and stop runs");
        }
        let mut js = jetstream::new(client.clone());
        js.set_timeout(PATIENCE);
        Ok(Link { client, js, user, lives })
    }
}

fn decode(text: &str) -> Result<String> {
    let decoded = percent_decode_str(text).decode_utf8();
    Ok(decoded.ok().context("user or password is no UTF-8")?.into_owned())
}

/// What is wrong with a server of this version, if something is.
fn outdated(version: &str) -> Option<&'static str> {
    let mut parts = version.split(['.', '-', '+']).map_while(|part| part.parse::<u32>().ok());
    let mut next = || parts.next().unwrap_or_default();
    match (next(), next(), next()) {
        // 2.9.10 was tried: it answers in words that the client does not know.
        version if version < (2, 10, 0) => Some("2.10.27 or later is needed"),
        version if version < (2, 10, 27) || version == (2, 11, 0) => Some(
            "its users can change each other's streams (CVE-2025-30215); 2.10.27, or 2.11.1 and later, is needed",
        ),
        _ => None,
    }
}

/// Whether `HOST` or `HOST:PORT` is the machine itself.
fn is_this_machine(host: &str) -> bool {
    let address = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    let is_loopback = |text: &str| text.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    address.eq_ignore_ascii_case("localhost") || is_loopback(address) || is_loopback(host)
}

/// The name in a file of credentials: what is signed there says of its user (NATS's JSON web tokens, version 2).
fn user_of_credentials(file: &Path) -> Result<String> {
    #[derive(Deserialize)]
    struct Claims {
        name: String,
    }
    let text = read_text(file, MOST_CREDENTIALS)?;
    let mut lines = text.lines().skip_while(|line| !line.contains("BEGIN NATS USER JWT"));
    let token = lines.nth(1).unwrap_or_default().trim();
    let claims = token.split('.').nth(1).unwrap_or_default();
    let claims = BASE64URL_NOPAD.decode(claims.as_bytes()).ok();
    let claims = claims.and_then(|bytes| serde_json::from_slice::<Claims>(&bytes).ok());
    Ok(to_name(&claims.context("they name no user")?.name))
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

impl fmt::Display for NatsServer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

impl fmt::Debug for NatsServer {
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
    /// The user that entered, as a name.
    pub user: String,
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
        let server = NatsServer::new("nats://me:se%40cret@host.example:4222", None, None).unwrap();
        assert_eq!(server.user, Some(("me".into(), "se@cret".into())));
        assert_eq!(server.to_string(), "nats://host.example:4222");
        assert!(!format!("{server:?}").contains("cret"));
        for bad in
            ["ws://me:secret@host", "nats://me:secret@", "nats://me:secret@ho st", "nats://me:%ff@host"]
        {
            let error = format!("{:#}", NatsServer::new(bad, None, None).unwrap_err());
            assert!(!error.contains("secret"), "{error}");
        }
        assert!(NatsServer::new("host", None, None).unwrap().user.is_none());
        assert!(
            NatsServer::new("nats://secret@host", None, None).unwrap_err().to_string().contains("without")
        );
    }

    #[test]
    fn a_secret_goes_to_other_machines_encrypted_only() {
        let exposed = |url: &str| NatsServer::new(url, None, None).unwrap().is_exposed();
        for url in
            ["192.168.1.2", "nats.example.org:4222", "[fe80::1]:4222", "localhost.example.org", "0.0.0.0"]
        {
            assert!(exposed(&format!("nats://me:secret@{url}")), "{url}");
            assert!(exposed(&format!("me:secret@{url}")), "{url}");
            assert!(!exposed(&format!("tls://me:secret@{url}")), "{url}");
            assert!(!exposed(&format!("nats://{url}")), "{url}");
            let creds =
                |ca: Option<PathBuf>| NatsServer::new(url, Some("a.creds".into()), ca).unwrap().is_exposed();
            assert!(creds(None) && !creds(Some("ca.pem".into())), "{url}");
        }
        for url in ["127.0.0.1", "127.9.9.9:4222", "localhost:4222", "LocalHost", "[::1]:4222", "[::1]"] {
            assert!(!exposed(&format!("nats://me:secret@{url}")), "{url}");
        }
    }

    #[test]
    fn servers_with_a_known_hole_are_too_old() {
        for old in ["2.10.26", "2.10.0", "2.11.0", "2.11.0-RC.1"] {
            assert!(outdated(old).unwrap().contains("CVE-2025-30215"), "{old}");
        }
        for older in ["2.9.25", "1.4.1", "0.0.0", "", "nonsense"] {
            assert!(outdated(older).unwrap().contains("2.10.27 or later is needed"), "{older}");
        }
        for good in ["2.10.27", "2.10.28-RC.1", "2.11.1", "2.12.0", "2.15.1", "3.0.0"] {
            assert_eq!(outdated(good), None, "{good}");
        }
    }

    #[test]
    fn the_user_of_a_connection_is_a_name() {
        let user = |url: &str| NatsServer::new(url, None, None).unwrap().user().unwrap();
        assert_eq!(user("nats://a.b%3E:secret@127.0.0.1"), "a-b-");
        assert_eq!(user("nats://127.0.0.1"), GUEST);
        let file = tempfile::NamedTempFile::new().unwrap();
        let claims = BASE64URL_NOPAD.encode(br#"{"name": "anna k", "sub": "UX"}"#);
        let text =
            format!("-----BEGIN NATS USER JWT-----\nhead.{claims}.sign\n------END NATS USER JWT------\n");
        std::fs::write(file.path(), text).unwrap();
        let with = |file: &Path| NatsServer::new("127.0.0.1", Some(file.to_owned()), None).unwrap().user();
        assert_eq!(with(file.path()).unwrap(), "anna-k");
        std::fs::write(file.path(), "nothing").unwrap();
        let error = format!("{:#}", with(file.path()).unwrap_err());
        assert!(error.contains("name no user") && error.contains(&*file.path().to_string_lossy()), "{error}");
    }
}
