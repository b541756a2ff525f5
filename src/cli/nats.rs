//! How a NATS server is named on the command line.

use std::path::PathBuf;

use super::CliError;
use crate::remote::Server;

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
    /// When the address makes no sense.
    pub fn server(&self) -> Result<Option<Server>, CliError> {
        let server = |url: &String| Server::new(url, self.nats_creds.clone(), self.nats_ca.clone());
        self.nats.as_ref().map(server).transpose().map_err(CliError::usage)
    }
}
