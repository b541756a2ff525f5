//! Who may ask, and what a browser may do with the answers.
//!
//! Every request needs the token, on loopback too: other users of this machine, programs in sandboxes and everybody
//! behind a forwarded port reach the same address as the owner. A browser brings the token once, in the address that
//! the program prints, and then as a cookie. Under which host and port the page is reached does not matter: a page of
//! somebody else's whose name leads to us (DNS rebinding) has no cookie of ours.
//!
//! A foreign page in the owner's browser could still use the cookie, so what such a page asks for is refused, but for a
//! plain link to a page, and what changes something or costs much is never a GET. Browsers tell both by `Origin` and
//! `Sec-Fetch-*` (Fetch standard, 3.2; Fetch Metadata, 2).

mod origin;
mod secret;
#[cfg(test)]
mod tests;

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    sync::{Arc, LazyLock},
};

use axum::{
    extract::{Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use cookie::{Cookie, SameSite};

pub use origin::Origin;
use secret::{OneTime, Secret};

use super::{
    assets,
    language::{cookies, texts_of},
    local::local,
};

/// What the names of the cookies with a token begin with. The port follows: cookies do not know ports, so two pages of
/// one host would take each other's place.
const COOKIE: &str = "sanki-token-";
/// The parts of an address that hold the token, or the code that works once.
const TOKEN: &str = "token";
const CODE: &str = "code";
/// What proxies add of those who ask them, with names that begin so (RFC 7239, and what was usual before).
const FORWARDED: [&str; 3] = ["forwarded", "x-forwarded-", "x-real-ip"];
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
#[derive(Debug)]
pub(super) struct Guard {
    /// Where it listens.
    address: SocketAddr,
    /// The address under which a proxy shows the page, if there is one.
    public: Option<Origin>,
    token: Secret,
    code: OneTime,
}

/// Why a request is refused, as the texts call it.
type Refusal = &'static str;

impl Guard {
    /// For a server at `address`, which a proxy shows as `public`.
    pub(super) fn new(address: SocketAddr, public: Option<Origin>) -> Self {
        Guard { address, public, token: Secret::new(), code: OneTime::default() }
    }

    /// Whether a proxy shows the page.
    pub(super) fn is_proxied(&self) -> bool {
        self.public.is_some()
    }

    /// Where the server listens.
    pub(super) fn listens_at(&self) -> SocketAddr {
        self.address
    }

    /// Where the page is, without its token: the proxy's address, or one that leads to this machine.
    fn place(&self) -> String {
        match &self.public {
            Some(public) => public.to_string(),
            None => {
                let ip = match self.address.ip() {
                    ip if !ip.is_unspecified() => ip,
                    IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
                    IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
                };
                format!("http://{}", SocketAddr::new(ip, self.address.port()))
            }
        }
    }

    /// The address of the page with the token.
    pub(super) fn address(&self) -> String {
        format!("{}/?{TOKEN}={}", self.place(), self.token.reveal())
    }

    /// The address of the page with a new code, which lets in the first who uses it.
    pub(super) fn address_once(&self) -> String {
        format!("{}/?{CODE}={}", self.place(), self.code.issue().reveal())
    }

    /// The origin of the page as the browser of this request sees it.
    ///
    /// # Errors
    /// Where it is none of ours.
    fn origin(&self, headers: &HeaderMap) -> Result<Origin, Refusal> {
        let mut hosts = headers.get_all(header::HOST).into_iter().map(HeaderValue::to_str);
        let (Some(Ok(host)), None) = (hosts.next(), hosts.next()) else { return Err("guard.host") };
        let asked = Origin::of_host(host).ok_or("guard.host")?;
        let Some(public) = &self.public else { return Ok(asked) };
        // Some proxies ask with the name of the page, others with our own address.
        let is_ours = public.is_at(host) || (asked.is_nameless() && asked.port() == self.address.port());
        if is_ours { Ok(public.clone()) } else { Err("guard.public") }
    }

    /// Whether a request brings the token as the cookie of this page; others of that name may stand beside it.
    fn is_known(&self, headers: &HeaderMap, origin: &Origin) -> bool {
        let name = cookie_name(origin);
        cookies(headers).any(|cookie| cookie.name() == name && self.token.is(cookie.value()))
    }

    /// Lets a request in, or gives what is answered instead.
    ///
    /// # Errors
    /// Why it is not let in.
    fn judge(&self, request: &Request) -> Result<Option<Response>, Refusal> {
        let headers = request.headers();
        if self.public.is_none() && headers.keys().any(is_forwarded) {
            return Err("guard.proxy");
        }
        let origin = self.origin(headers)?;
        let is_get = *request.method() == Method::GET;
        if is_foreign(headers) && !(is_get && is_visit(headers)) {
            return Err("guard.elsewhere");
        }
        if !is_get && *request.method() != Method::HEAD && !is_sent_by(headers, &origin) {
            return Err(if self.public.is_some() { "guard.public" } else { "guard.elsewhere" });
        }
        let is_known = self.is_known(headers, &origin);
        if is_get && let Some((key, rest)) = key_of(request.uri()) {
            let is_good = match key {
                Key::Token(given) => self.token.is(given),
                Key::Code(given) => self.code.redeem(given),
            };
            // A browser that was let in before may come with a code that is used up.
            if is_good || is_known {
                return Ok(Some(self.welcome(&origin, &rest)));
            }
        }
        if is_known { Ok(None) } else { Err("guard.token") }
    }

    /// Keeps the token in a cookie, and goes on to `address`, which has none.
    fn welcome(&self, origin: &Origin, address: &str) -> Response {
        // Lax: a link in a mail or a chat leads to a page, and so does the file that opens the browser.
        let cookie = Cookie::build((cookie_name(origin), self.token.reveal()))
            .path("/")
            .http_only(true)
            .same_site(SameSite::Lax)
            .secure(origin.is_secure())
            .build();
        let on = Redirect::to(local(address).unwrap_or("/"));
        ([(header::SET_COOKIE, cookie.to_string())], on).into_response()
    }

    /// Why a request is not let in, in words.
    fn refuse(&self, headers: &HeaderMap, why: Refusal) -> Response {
        let words = texts_of(headers).fill(why, &[("address", &self.place())]);
        (StatusCode::FORBIDDEN, words).into_response()
    }
}

fn cookie_name(origin: &Origin) -> String {
    format!("{COOKIE}{}", origin.port())
}

/// Whether a proxy tells with this header for whom it asks.
fn is_forwarded(name: &HeaderName) -> bool {
    FORWARDED.iter().any(|begin| match begin.ends_with('-') {
        true => name.as_str().starts_with(begin),
        false => name.as_str() == *begin,
    })
}

/// A header's value; one that is no text is none that anybody expects.
fn text<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// Whether a browser says that another page asks, be it of another port of the same host.
fn is_foreign(headers: &HeaderMap) -> bool {
    text(headers, "sec-fetch-site").is_some_and(|site| site != "same-origin" && site != "none")
}

/// Whether somebody goes to a page, in a window of its own.
fn is_visit(headers: &HeaderMap) -> bool {
    text(headers, "sec-fetch-mode") == Some("navigate") && text(headers, "sec-fetch-dest") == Some("document")
}

/// Whether one of our own pages sends this: browsers name the origin of whatever may change something.
fn is_sent_by(headers: &HeaderMap, origin: &Origin) -> bool {
    let sender = text(headers, header::ORIGIN.as_str()).and_then(|sender| sender.parse::<Origin>().ok());
    sender.as_ref() == Some(origin)
}

/// What an address brings to be let in.
enum Key<'a> {
    Token(&'a str),
    Code(&'a str),
}

/// The key in an address, and the address without it.
fn key_of(address: &Uri) -> Option<(Key<'_>, String)> {
    let parts: Vec<(&str, &str)> =
        address.query()?.split('&').map(|part| part.split_once('=').unwrap_or((part, ""))).collect();
    let key = parts.iter().find_map(|&(name, value)| match name {
        TOKEN => Some(Key::Token(value)),
        CODE => Some(Key::Code(value)),
        _ => None,
    })?;
    let rest = parts.iter().filter(|(name, _)| ![TOKEN, CODE].contains(name));
    let rest: Vec<String> = rest.map(|(name, value)| format!("{name}={value}")).collect();
    let mut path = address.path().to_owned();
    if !rest.is_empty() {
        path.push('?');
        path.push_str(&rest.join("&"));
    }
    Some((key, path))
}

/// Lets a request in, or not, and says what the browser may do with the answer.
pub(super) async fn check(State(guard): State<Arc<Guard>>, request: Request, next: Next) -> Response {
    let mut response = match guard.judge(&request) {
        Ok(None) => next.run(request).await,
        Ok(Some(answer)) => answer,
        Err(why) => guard.refuse(request.headers(), why),
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
