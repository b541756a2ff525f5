//! Where a page comes from: scheme, host and port, as browsers compare them (HTML standard, 7.5).

use std::{fmt, net::IpAddr, str::FromStr};

use axum::http::{
    Uri,
    uri::{Authority, PathAndQuery},
};

/// The origin of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    is_secure: bool,
    /// In lower case; an IPv6 address in brackets.
    host: String,
    port: u16,
}

/// A text that is no [`Origin`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no address for the page: it is https://HOST, http://HOST, or one with a port, without a path"
)]
pub struct BadOrigin(String);

impl FromStr for Origin {
    type Err = BadOrigin;

    fn from_str(text: &str) -> Result<Self, BadOrigin> {
        let read = || {
            let uri: Uri = text.parse().ok()?;
            let is_secure = match uri.scheme_str()? {
                "https" => true,
                "http" => false,
                _ => return None,
            };
            let is_root = uri.path_and_query().is_none_or(|path| path == &PathAndQuery::from_static("/"));
            // A fragment is no part of what is parsed.
            let is_plain = is_root && !text.contains('#');
            is_plain.then(|| Origin::of_authority(is_secure, uri.authority()?)).flatten()
        };
        read().ok_or_else(|| BadOrigin(text.to_owned()))
    }
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let scheme = if self.is_secure { "https" } else { "http" };
        write!(f, "{scheme}://{}", self.host)?;
        if self.port == usual_port(self.is_secure) { Ok(()) } else { write!(f, ":{}", self.port) }
    }
}

impl Origin {
    /// That of a page that was asked for over HTTP with `host` in the `Host` header.
    pub(in crate::app::serve) fn of_host(host: &str) -> Option<Self> {
        Origin::of_authority(false, &host.parse().ok()?)
    }

    /// Without a name of a user, which no page has.
    fn of_authority(is_secure: bool, authority: &Authority) -> Option<Self> {
        let host = authority.host();
        if host.is_empty() || authority.as_str().contains('@') {
            return None;
        }
        let rest = &authority.as_str()[host.len()..];
        let port = match rest.strip_prefix(':') {
            None => usual_port(is_secure),
            Some(port) => port.parse().ok()?,
        };
        Some(Origin { is_secure, host: host.to_ascii_lowercase(), port })
    }

    /// Whether it is reached through TLS.
    pub(in crate::app::serve) fn is_secure(&self) -> bool {
        self.is_secure
    }

    /// The port.
    pub(in crate::app::serve) fn port(&self) -> u16 {
        self.port
    }

    /// Whether both have one host and port, whatever the scheme of each is.
    pub(in crate::app::serve) fn is_at(&self, host: &str) -> bool {
        let host = host.parse().ok().and_then(|host| Origin::of_authority(self.is_secure, &host));
        host.is_some_and(|host| host == *self)
    }

    /// Whether the host is an address or `localhost`, and no name that could be anybody's.
    pub(in crate::app::serve) fn is_nameless(&self) -> bool {
        let host = self.host.trim_start_matches('[').trim_end_matches(']');
        host == "localhost" || host.parse::<IpAddr>().is_ok()
    }
}

fn usual_port(is_secure: bool) -> u16 {
    if is_secure { 443 } else { 80 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_read_as_browsers_write_them() {
        for (text, shown) in [
            ("https://sanki.example", "https://sanki.example"),
            ("https://Sanki.Example:443/", "https://sanki.example"),
            ("http://sanki.example:443", "http://sanki.example:443"),
            ("http://[::1]:7777", "http://[::1]:7777"),
            ("http://127.0.0.1:80", "http://127.0.0.1"),
        ] {
            assert_eq!(text.parse::<Origin>().map(|origin| origin.to_string()), Ok(shown.to_owned()));
        }
        for bad in [
            "",
            "null",
            "sanki.example",
            "ftp://sanki.example",
            "https://",
            "https://a@sanki.example",
            "https://sanki.example/page",
            "https://sanki.example/?a",
            "https://sanki.example#a",
            "https://sanki.example:",
            "https://sanki.example:99999",
        ] {
            assert_eq!(bad.parse::<Origin>(), Err(BadOrigin(bad.to_owned())));
        }
    }

    #[test]
    fn hosts_have_the_port_of_their_scheme() {
        let page: Origin = "https://sanki.example".parse().unwrap();
        assert!(page.is_at("sanki.example") && page.is_at("SANKI.example:443"));
        for other in ["sanki.example:80", "sanki.example:444", "a.sanki.example", "", "a@sanki.example"] {
            assert!(!page.is_at(other), "{other}");
        }
        assert_eq!(Origin::of_host("localhost:8888").unwrap().to_string(), "http://localhost:8888");
        assert_eq!(Origin::of_host("localhost").unwrap().port(), 80);
        for bad in ["", "a@127.0.0.1:7777", "[::1", "a b", "a:b"] {
            assert_eq!(Origin::of_host(bad), None, "{bad}");
        }
    }

    #[test]
    fn addresses_are_no_names() {
        let is_nameless = |host: &str| Origin::of_host(host).unwrap().is_nameless();
        assert!(["127.0.0.1:7777", "[::1]:7777", "LOCALHOST", "192.168.0.2"].into_iter().all(is_nameless));
        assert!(!["localhost.evil.example", "sanki", "1.2.3"].into_iter().any(is_nameless));
    }
}
