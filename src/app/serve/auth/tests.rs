//! Requests that are let in, and others.

use axum::body::Body;

use super::*;

type Headers<'a> = [(&'a str, &'a str)];

fn guard(public: Option<&str>) -> Guard {
    Guard::new("127.0.0.1:7777".parse().unwrap(), public.map(|public| public.parse().unwrap()))
}

fn judge(
    guard: &Guard,
    method: Method,
    address: &str,
    headers: &Headers,
) -> Result<Option<Response>, Refusal> {
    let builder = Request::builder().method(method).uri(address);
    let builder = headers.iter().fold(builder, |builder, (name, value)| builder.header(*name, *value));
    guard.judge(&builder.body(Body::empty()).unwrap())
}

/// Whether a request with the token and these headers is let in.
fn is_let_in(guard: &Guard, method: Method, headers: &Headers) -> bool {
    let cookies: Vec<String> =
        [7777, 8888, 80, 443].map(|port| format!("{COOKIE}{port}={}", guard.token.reveal())).into();
    let cookies = cookies.join("; ");
    let all = [headers, &[("cookie", &cookies[..])]].concat();
    matches!(judge(guard, method, "/", &all), Ok(None))
}

/// Where a request is sent on to, and the cookie that it gets.
fn welcome(guard: &Guard, address: &str, headers: &Headers) -> Option<(String, String)> {
    let response = judge(guard, Method::GET, address, headers).ok()??;
    let header = |name| response.headers()[name].to_str().unwrap().to_owned();
    Some((header(header::LOCATION), header(header::SET_COOKIE)))
}

#[test]
fn nobody_gets_in_without_the_token() {
    let guard = guard(None);
    let host = ("host", "127.0.0.1:7777");
    let good = format!("{COOKIE}7777={}", guard.token.reveal());
    let other_port = format!("{COOKIE}7778={}", guard.token.reveal());
    let is_in =
        |cookie: &str| matches!(judge(&guard, Method::GET, "/", &[host, ("cookie", cookie)]), Ok(None));
    assert!(judge(&guard, Method::GET, "/", &[host]).is_err());
    for cookie in ["sanki-token-7777=0", "sanki-token-7777=", "token=0", "%", &other_port] {
        assert!(!is_in(cookie), "{cookie}");
    }
    // Another page of this host may have set one of the same name.
    for cookie in
        [good.clone(), format!("language=ko; {COOKIE}7777=0; {good}"), format!("{good}; {COOKIE}7777=0")]
    {
        assert!(is_in(&cookie), "{cookie}");
    }
    let several = [host, ("cookie", "sanki-token-7777=0"), ("cookie", &good)];
    assert!(matches!(judge(&guard, Method::GET, "/", &several), Ok(None)), "in one header or in several");
}

#[test]
fn the_token_is_enough_under_any_host() {
    let guard = guard(None);
    for (host, port) in
        [("127.0.0.1:7777", 7777), ("localhost:8888", 8888), ("sanki.lan", 80), ("[::1]:9", 9)]
    {
        let address = format!("/play?net=a&token={}", guard.token.reveal());
        let (on, cookie) = welcome(&guard, &address, &[("host", host)]).unwrap();
        assert_eq!(on, "/play?net=a");
        let pair = format!("{COOKIE}{port}={}", guard.token.reveal());
        assert_eq!(cookie, format!("{pair}; HttpOnly; SameSite=Lax; Path=/"));
        let origin = format!("http://{host}");
        let known = [("host", host), ("cookie", &pair[..]), ("origin", &origin[..])];
        assert!(matches!(judge(&guard, Method::POST, "/", &known), Ok(None)), "{host}");
    }
    for bad in [&[][..], &[("host", "a@127.0.0.1:7777")], &[("host", "")], &[("host", "a"), ("host", "b")]] {
        assert!(!is_let_in(&guard, Method::GET, bad), "{bad:?}");
    }
}

#[test]
fn a_key_leads_to_our_own_pages_only() {
    let guard = guard(None);
    let host = [("host", "127.0.0.1:7777")];
    let on = |address: &str| welcome(&guard, address, &host).map(|(on, _)| on);
    let token = guard.token.reveal();
    assert_eq!(on(&format!("//evil.example/?token={token}")).as_deref(), Some("/"));
    assert_eq!(on(&format!("/?token={token}")).as_deref(), Some("/"));
    assert_eq!(on("/?token=0"), None);
    assert_eq!(on("/?token="), None);
    let once = guard.address_once();
    let (_, once) = once.split_once("7777").unwrap();
    assert_eq!(on(once).as_deref(), Some("/"));
    assert_eq!(on(once), None, "it works once");
    // In a browser that was let in before, it does no harm.
    let pair = format!("{COOKIE}7777={token}");
    assert!(welcome(&guard, once, &[host[0], ("cookie", &pair)]).is_some());
}

#[test]
fn changes_come_from_our_own_pages() {
    let guard = guard(None);
    let host = ("host", "localhost:7777");
    let ours = ("origin", "http://localhost:7777");
    assert!(is_let_in(&guard, Method::POST, &[host, ours]));
    assert!(is_let_in(&guard, Method::POST, &[host, ours, ("sec-fetch-site", "same-origin")]));
    for headers in [
        &[host][..],
        &[host, ("origin", "null")],
        &[host, ("origin", "http://evil.example")],
        &[host, ("origin", "http://127.0.0.1:7777")],
        &[host, ("origin", "http://localhost:7778")],
        &[host, ("origin", "https://localhost:7777")],
        &[host, ours, ("sec-fetch-site", "same-site")],
        &[host, ours, ("sec-fetch-site", "cross-site")],
    ] {
        for method in [Method::POST, Method::PUT, Method::DELETE] {
            assert!(!is_let_in(&guard, method, headers), "{headers:?}");
        }
    }
}

#[test]
fn other_pages_may_link_to_ours_and_no_more() {
    let guard = guard(None);
    let asks = |site, mode, dest| {
        [
            ("host", "localhost:7777"),
            ("sec-fetch-site", site),
            ("sec-fetch-mode", mode),
            ("sec-fetch-dest", dest),
        ]
    };
    for site in ["cross-site", "same-site", "?"] {
        assert!(is_let_in(&guard, Method::GET, &asks(site, "navigate", "document")), "{site}");
        for (mode, dest) in [
            ("navigate", "iframe"),
            ("navigate", "embed"),
            ("no-cors", "image"),
            ("no-cors", "script"),
            ("cors", "empty"),
            ("no-cors", "empty"),
        ] {
            assert!(!is_let_in(&guard, Method::GET, &asks(site, mode, dest)), "{site} {mode} {dest}");
        }
        assert!(!is_let_in(&guard, Method::HEAD, &asks(site, "navigate", "document")), "{site}");
    }
    assert!(is_let_in(&guard, Method::GET, &asks("same-origin", "cors", "empty")));
    assert!(is_let_in(&guard, Method::GET, &asks("none", "navigate", "document")));
}

#[test]
fn a_proxy_must_be_named() {
    let proxied = [("host", "127.0.0.1:7777"), ("x-forwarded-for", "192.0.2.1")];
    assert!(!is_let_in(&guard(None), Method::GET, &proxied));
    for header in ["forwarded", "x-forwarded-proto", "x-real-ip"] {
        assert!(!is_let_in(&guard(None), Method::GET, &[proxied[0], (header, "a")]), "{header}");
    }
    let guard = guard(Some("https://sanki.example"));
    assert!(guard.address().starts_with("https://sanki.example/?token="));
    let secure = ("origin", "https://sanki.example");
    // With the page's name, or with our own address.
    for host in ["sanki.example", "sanki.example:443", "127.0.0.1:7777", "localhost:7777", "10.0.0.3:7777"] {
        assert!(is_let_in(&guard, Method::POST, &[("host", host), proxied[1], secure]), "{host}");
        assert!(!is_let_in(&guard, Method::POST, &[("host", host), ("origin", "http://sanki.example")]));
        assert!(!is_let_in(&guard, Method::POST, &[("host", host), ("origin", "http://127.0.0.1:7777")]));
    }
    for host in ["evil.example", "sanki.example:80", "127.0.0.1:80", "a.sanki.example"] {
        assert!(!is_let_in(&guard, Method::GET, &[("host", host)]), "{host}");
    }
    let (_, cookie) = welcome(&guard, &guard.address()["https://sanki.example".len()..], &proxied).unwrap();
    assert!(cookie.starts_with(&format!("{COOKIE}443=")) && cookie.contains("; Secure"), "{cookie}");
}

#[test]
fn every_refusal_is_told_in_words() {
    let guard = guard(Some("https://sanki.example"));
    for why in ["guard.host", "guard.public", "guard.proxy", "guard.elsewhere", "guard.token"] {
        assert_eq!(guard.refuse(&HeaderMap::new(), why).status(), StatusCode::FORBIDDEN);
    }
}

#[test]
fn the_printed_address_leads_here() {
    let printed = |listening: &str| Guard::new(listening.parse().unwrap(), None).address();
    for (listening, begin) in [
        ("127.0.0.1:7777", "http://127.0.0.1:7777/?token="),
        ("0.0.0.0:7777", "http://127.0.0.1:7777/?token="),
        ("[::]:80", "http://[::1]:80/?token="),
        ("192.168.0.2:7777", "http://192.168.0.2:7777/?token="),
    ] {
        assert!(printed(listening).starts_with(begin), "{listening}");
    }
}
