//! Who may ask, and what a browser may do with the answers.
//!
//! A page of somebody else's in the same browser reaches this server too. Its name there would have to lead to us (DNS
//! rebinding), so the name is checked; what changes something must come from our own pages, which browsers tell by
//! `Origin` and `Sec-Fetch-Site` (Fetch standard, 3.2; Fetch Metadata, 2.2).

use std::{
    net::{IpAddr, SocketAddr},
    sync::LazyLock,
};

use axum::{
    extract::{Query, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use rand::RngExt;
use serde::Deserialize;

use super::{assets, language::cookie};

/// The cookie that holds the token.
const COOKIE: &str = "token";
/// Nothing comes from elsewhere, no script stands in a page, no style but that of every page, and no other page shows
/// ours.
static POLICY: LazyLock<HeaderValue> = LazyLock::new(|| {
    let policy = format!(
        "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src {}; img-src 'self' data:; connect-src \
         'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
        assets::style_source()
    );
    HeaderValue::try_from(policy).expect("plain text")
});

/// Who is let in.
#[derive(Clone, Debug)]
pub(super) struct Guard {
    address: SocketAddr,
    /// What must be known where others than this machine can ask.
    token: Option<String>,
}

impl Guard {
    /// For a server at `address`: one that others can reach wants a token.
    pub(super) fn new(address: SocketAddr) -> Self {
        let token = (!address.ip().is_loopback()).then(new_token);
        Guard { address, token }
    }

    /// What stands behind the server's address for whoever is let in.
    pub(super) fn key(&self) -> String {
        self.token.as_ref().map(|token| format!("?token={token}")).unwrap_or_default()
    }

    /// Whether the `Host` of a request is ours. With a token any address is, but no name beside `localhost`: a name
    /// could be anybody's.
    fn is_ours(&self, host: &str) -> bool {
        let Ok(authority) = host.parse::<axum::http::uri::Authority>() else { return false };
        if authority.as_str().contains('@') || authority.port_u16().unwrap_or(80) != self.address.port() {
            return false;
        }
        let name = authority.host().trim_start_matches('[').trim_end_matches(']');
        match name.parse::<IpAddr>() {
            Ok(ip) => ip.is_loopback() || self.token.is_some(),
            Err(_) => name.eq_ignore_ascii_case("localhost"),
        }
    }

    /// Whether a request brings the token, as a cookie.
    fn is_known(&self, headers: &HeaderMap) -> bool {
        self.token
            .as_deref()
            .is_none_or(|token| cookie(headers, COOKIE).is_some_and(|given| is_same(given, token)))
    }
}

/// 128 random bits.
fn new_token() -> String {
    format!("{:032x}", rand::rng().random::<u128>())
}

/// Compares in a time that does not depend on where two texts differ.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// Whether a request comes from one of our own pages, or from no page.
fn is_from_us(headers: &HeaderMap, host: &str) -> bool {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let site = text(HeaderName::from_static("sec-fetch-site"));
    let origin = text(header::ORIGIN);
    // A browser names the origin of whatever changes something.
    site.is_none_or(|site| site == "same-origin" || site == "none")
        && origin.is_some_and(|origin| origin.strip_prefix("http://") == Some(host))
}

#[derive(Deserialize)]
pub(super) struct Given {
    token: Option<String>,
}

/// Lets a request in, or not, and says what the browser may do with the answer.
pub(super) async fn check(State(guard): State<Guard>, request: Request, next: Next) -> Response {
    let mut response = match guard.refusal(&request) {
        Some(refusal) => refusal,
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "same-origin"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert_with(|| POLICY.clone());
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

impl Guard {
    /// Why a request is not let in.
    fn refusal(&self, request: &Request) -> Option<Response> {
        let headers = request.headers();
        let mut hosts = headers.get_all(header::HOST).into_iter();
        let host = match (hosts.next().map(HeaderValue::to_str), hosts.next()) {
            (Some(Ok(host)), None) if self.is_ours(host) => host,
            _ => return Some(refuse("this address is not ours")),
        };
        let is_harmless = matches!(*request.method(), Method::GET | Method::HEAD);
        if !is_harmless && !is_from_us(headers, host) {
            return Some(refuse("another page asks for this"));
        }
        if self.is_known(headers) {
            return None;
        }
        Some(
            self.welcome(request.uri())
                .unwrap_or_else(|| refuse("open the address that the program printed")),
        )
    }

    /// Keeps the token of an address in a cookie, and goes on without it.
    fn welcome(&self, address: &Uri) -> Option<Response> {
        let Query(Given { token: given }) = Query::try_from_uri(address).ok()?;
        let token =
            self.token.as_deref().filter(|token| given.is_some_and(|given| is_same(&given, token)))?;
        let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
        Some(([(header::SET_COOKIE, cookie)], Redirect::to(address.path())).into_response())
    }
}

fn refuse(why: &'static str) -> Response {
    (StatusCode::FORBIDDEN, why).into_response()
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    fn request(method: Method, headers: &[(&str, &str)]) -> Request {
        let builder =
            headers.iter().fold(Request::builder().method(method).uri("/"), |builder, (name, value)| {
                builder.header(*name, *value)
            });
        builder.body(Body::empty()).unwrap()
    }

    fn is_let_in(guard: &Guard, method: Method, headers: &[(&str, &str)]) -> bool {
        guard.refusal(&request(method, headers)).is_none()
    }

    #[test]
    fn only_our_own_names_are_answered() {
        let guard = Guard::new("127.0.0.1:7777".parse().unwrap());
        for host in ["127.0.0.1:7777", "localhost:7777", "LOCALHOST:7777", "[::1]:7777"] {
            assert!(is_let_in(&guard, Method::GET, &[("host", host)]), "{host}");
        }
        for host in [
            "evil.example:7777",
            "127.0.0.1",
            "127.0.0.1:80",
            "192.168.0.2:7777",
            "a@127.0.0.1:7777",
            "",
            "localhost.evil.example:7777",
        ] {
            assert!(!is_let_in(&guard, Method::GET, &[("host", host)]), "{host}");
        }
        assert!(!is_let_in(&guard, Method::GET, &[]));
        assert!(!is_let_in(&guard, Method::GET, &[("host", "localhost:7777"), ("host", "evil.example")]));
    }

    #[test]
    fn changes_come_from_our_own_pages() {
        let guard = Guard::new("127.0.0.1:7777".parse().unwrap());
        let host = ("host", "localhost:7777");
        let ours = ("origin", "http://localhost:7777");
        assert!(is_let_in(&guard, Method::POST, &[host, ours]));
        assert!(is_let_in(&guard, Method::POST, &[host, ours, ("sec-fetch-site", "same-origin")]));
        for headers in [
            &[host][..],
            &[host, ("origin", "null")],
            &[host, ("origin", "http://evil.example")],
            &[host, ("origin", "http://127.0.0.1:7777")],
            &[host, ours, ("sec-fetch-site", "same-site")],
            &[host, ours, ("sec-fetch-site", "cross-site")],
        ] {
            assert!(!is_let_in(&guard, Method::POST, headers), "{headers:?}");
            assert!(!is_let_in(&guard, Method::PUT, headers), "{headers:?}");
            assert!(!is_let_in(&guard, Method::DELETE, headers), "{headers:?}");
        }
    }

    #[test]
    fn others_need_the_token() {
        let guard = Guard::new("0.0.0.0:7777".parse().unwrap());
        let token = guard.token.clone().unwrap();
        let host = ("host", "192.168.0.2:7777");
        assert!(!is_let_in(&guard, Method::GET, &[host]));
        assert!(!is_let_in(&guard, Method::GET, &[host, ("cookie", "token=0")]));
        let known = format!("language=ko; token={token}");
        assert!(is_let_in(&guard, Method::GET, &[host, ("cookie", &known)]));
        assert!(!is_let_in(&guard, Method::GET, &[("host", "evil.example:7777"), ("cookie", &known)]));
        let welcome = guard.welcome(&format!("/play{}", guard.key()).parse().unwrap()).unwrap();
        assert_eq!(welcome.status(), StatusCode::SEE_OTHER);
        assert!(guard.welcome(&"/play?token=0".parse().unwrap()).is_none());
        assert!(Guard::new("127.0.0.1:7777".parse().unwrap()).key().is_empty());
    }
}
