//! How a NATS server is named on the command line.

use std::path::PathBuf;

use super::CliError;
use crate::training::remote::NatsServer;

/// What to do where a secret would be sent in the clear.
const HELP: &str = "tls://HOST encrypts the connection (docs/many-machines.md); in a network where nobody else can \
                    listen, --nats-insecure allows it";

/// A server, and how to enter it.
#[derive(Clone, clap::Args)]
pub struct NatsArgs {
    /// The NATS server that carries games between machines: nats://[USER:PASSWORD@]HOST[:PORT], or tls://…
    #[arg(long, value_name = "URL")]
    nats: Option<String>,
    /// The credentials file that you have from the owner of the server
    #[arg(long, value_name = "FILE", requires = "nats")]
    nats_creds: Option<PathBuf>,
    /// The certificate that signed the server's certificate, if no public authority did
    #[arg(long, value_name = "FILE", requires = "nats")]
    nats_ca: Option<PathBuf>,
    /// Send user and password to another machine unencrypted; for a network where nobody else can listen
    #[arg(long, requires = "nats")]
    nats_insecure: bool,
}

impl std::fmt::Debug for NatsArgs {
    /// Without the address, which may hold a password.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NatsArgs").finish_non_exhaustive()
    }
}

impl NatsArgs {
    /// The server, if one is named.
    ///
    /// # Errors
    /// When the address makes no sense, or a secret would go to another machine unencrypted without `--nats-insecure`.
    pub fn server(&self) -> Result<Option<NatsServer>, CliError> {
        let server = |url: &String| NatsServer::new(url, self.nats_creds.clone(), self.nats_ca.clone());
        let server = self.nats.as_ref().map(server).transpose().map_err(CliError::usage)?;
        match server {
            Some(server) if server.is_exposed() && !self.nats_insecure => {
                let error = format!("user and password would go to {server} unencrypted");
                Err(CliError::usage(error).help(HELP))
            }
            server => Ok(server),
        }
    }
}
