//! The page asked from elsewhere: by other pages in the browser, through tunnels and proxies, and with the engines of
//! other programs.

use std::fs;

use super::served::{Served, make_match};

/// Sends a request that ends its connection.
fn ask(served: &Served, line: &str, headers: &str) -> super::served::Answer {
    served.ask(&format!("{line} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: 0\r\n\r\n"))
}

#[test]
fn another_page_measures_nothing() {
    let served = Served::new();
    let known = served.known();
    let expect = "/new/expect";
    for site in ["cross-site", "same-site"] {
        let foreign =
            format!("{known}Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: no-cors\r\nSec-Fetch-Dest: image\r\n");
        assert_eq!(ask(&served, &format!("GET {expect}"), &foreign).status, 403, "{site}");
        let foreign = format!("{known}Origin: http://evil.example\r\nSec-Fetch-Site: {site}\r\n");
        assert_eq!(ask(&served, &format!("POST {expect}"), &foreign).status, 403, "{site}");
    }
    // Browsers that are old, or see no secure page, do not say where a request comes from.
    assert_eq!(ask(&served, &format!("GET {expect}"), &known).status, 405);
    let ours = format!("{known}Origin: http://{}\r\nSec-Fetch-Site: same-origin\r\n", served.host);
    let order = |order: &str| {
        let length = order.len();
        served.ask(&format!(
            "POST /new/expect HTTP/1.1\r\n{ours}Connection: close\r\nContent-Type: application/json\r\n\
             Content-Length: {length}\r\n\r\n{order}"
        ))
    };
    let answer = order(r#"{"game":"dobutsu","minutes":1,"cores":1}"#);
    assert!(answer.status == 200 && answer.text.contains("positions_per_s"), "{}", answer.text);
}

#[test]
fn another_page_may_link_to_this_one() {
    let served = Served::new();
    let visit = "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: ";
    let known = served.known();
    assert_eq!(ask(&served, "GET /review", &format!("{known}{visit}document\r\n")).status, 200);
    assert_eq!(ask(&served, "GET /review", &format!("{known}{visit}iframe\r\n")).status, 403);
}

#[test]
fn redirects_stay_here() {
    let served = Served::new();
    let known = served.known();
    let on = |line: &str| ask(&served, line, &known).header("location").map(str::to_owned);
    assert_eq!(on(&format!("GET //evil.example/?token={}", served.token)).as_deref(), Some("/"));
    let back = |page: &str| {
        let answer = ask(&served, "GET /language/en", &format!("{known}Referer: {page}\r\n"));
        answer.header("location").map(str::to_owned)
    };
    for page in
        ["http://a//evil.example", "http://a/\t/evil.example", "http://a/\\evil.example", "//evil.example"]
    {
        assert_eq!(back(page).as_deref(), Some("/"), "{page}");
    }
    assert_eq!(back(&format!("http://{}/review?from=1", served.host)).as_deref(), Some("/review?from=1"));
    assert_eq!(on("GET /language/en?back=/review").as_deref(), Some("/"));
    // The address of a refusal takes orders alone; whoever goes back there gets to the page of what the order was for.
    for (order, page) in [
        ("/contests/match", "/contests"),
        ("/contests/ladder", "/contests"),
        ("/contests/m/stop", "/contests/m"),
        ("/contests/a%20b~m/go-on", "/contests/a%20b~m"),
        ("/runs/%2F%2Fevil.example/extend", "/runs/%2F%2Fevil.example"),
        ("/runs/r/cool-down?generations=2", "/runs/r"),
    ] {
        let answer = ask(&served, &format!("GET {order}"), &known);
        assert_eq!((answer.status, answer.header("location")), (303, Some(page)), "{order}");
    }
    let answer = ask(&served, "GET /review/files", &known);
    assert!(answer.status == 405 && answer.text.contains("There is no such page"), "{}", answer.text);
    let own = format!("{known}Origin: http://{}\r\n", served.host);
    assert_eq!(ask(&served, "PUT /contests/match", &own).status, 405);
}

#[test]
fn the_token_is_enough_behind_a_tunnel() {
    let served = Served::new();
    assert_eq!(ask(&served, "GET /", "Host: localhost:8888\r\n").status, 403);
    for host in ["localhost:8888", "127.0.0.1:1", "sanki.lan", "[::1]:8888"] {
        let cookie = served.cookie(host);
        let known = format!("Host: {host}\r\nCookie: {cookie}\r\n");
        assert_eq!(ask(&served, "GET /", &known).status, 200, "{host}");
        let choose = format!("{known}Origin: http://{host}\r\nSec-Fetch-Site: same-origin\r\n");
        assert_eq!(ask(&served, "POST /contests/none/stop", &choose).status, 404, "{host}");
        let foreign = format!("{known}Origin: http://{}\r\n", served.host);
        assert_eq!(ask(&served, "POST /contests/none/stop", &foreign).status, 403, "{host}");
    }
}

#[test]
fn a_proxy_with_tls_is_named() {
    let direct = Served::new();
    let forwarded = format!("{}X-Forwarded-For: 192.0.2.1\r\n", direct.known());
    let answer = ask(&direct, "GET /", &forwarded);
    assert!(answer.status == 403 && answer.text.contains("--public-url"), "{}", answer.text);

    let served = Served::with(&["--public-url", "https://sanki.example"]);
    assert_eq!(served.host, "sanki.example");
    let line = format!("GET /?token={}", served.token);
    // With the name of the page, or, as some proxies do, with the address of the server.
    for host in ["sanki.example", &served.at] {
        let forwarded = format!("Host: {host}\r\nX-Forwarded-Proto: https\r\nForwarded: for=192.0.2.1\r\n");
        let welcome = ask(&served, &line, &forwarded);
        let cookie = welcome.header("set-cookie").unwrap();
        assert!(cookie.contains("; Secure") && cookie.contains("; HttpOnly"), "{cookie}");
        let known = format!("{forwarded}Cookie: {}\r\n", cookie.split(';').next().unwrap());
        assert_eq!(ask(&served, "GET /", &known).status, 200, "{host}");
        let stop =
            |origin: &str| ask(&served, "POST /contests/none/stop", &format!("{known}Origin: {origin}\r\n"));
        assert_eq!(stop("https://sanki.example").status, 404);
        for origin in ["http://sanki.example", "https://evil.example", &format!("http://{host}")] {
            assert_eq!(stop(origin).status, 403, "{origin}");
        }
    }
    assert_eq!(ask(&served, &line, "Host: evil.example\r\n").status, 403);
}

#[test]
fn two_pages_of_one_host_keep_their_cookies() {
    let [one, two] = [Served::new(), Served::new()];
    let cookies = [&one, &two].map(|served| served.cookie(&served.host));
    let name = |cookie: &str| cookie.split_once('=').expect("a cookie").0.to_owned();
    assert_ne!(name(&cookies[0]), name(&cookies[1]), "one would take the other's place");
    let both = format!("Cookie: {}; {}\r\n", cookies[0], cookies[1]);
    for served in [&one, &two] {
        assert_eq!(ask(served, "GET /", &format!("Host: {}\r\n{both}", served.host)).status, 200);
    }
    // Another server of this host may have left one of the same name.
    let twice = format!("Host: {}\r\nCookie: {}=0; {}\r\n", one.host, name(&cookies[0]), cookies[0]);
    assert_eq!(ask(&one, "GET /", &twice).status, 200);
    let others = format!("Host: {}\r\nCookie: {}\r\n", one.host, cookies[1]);
    assert_eq!(ask(&one, "GET /", &others).status, 403);
}

/// What a form for a match says.
fn form(engine: &str) -> String {
    format!("a=random&b=engine&b_command={engine}&game=dobutsu&amount=2&unit=sims&games=2&cores=1")
}

#[test]
fn engines_need_leave_to_begin_and_to_go_on() {
    const ENGINE: &str = "uci:/no/such/engine";
    let folder = tempfile::tempdir().unwrap();
    make_match(folder.path(), "m");
    let order = format!(
        r#"{{"what":{{"match":{{"players":["random","{ENGINE}"],"game":"dobutsu"}}}},"budget":{{"sims":2}},"games":2,"cores":1}}"#
    );
    fs::create_dir(folder.path().join("matches/.orders")).unwrap();
    fs::write(folder.path().join("matches/.orders/m.json"), order).unwrap();

    let mut served = Served::start(folder, &[], &[]);
    let answer = served.post("/contests/m/go-on", "games=4");
    assert!(answer.status == 400 && answer.text.contains("--engines"), "{}", answer.text);
    for form in [form(ENGINE), format!("a=random&b={ENGINE}&game=dobutsu&amount=2&unit=sims&games=2&cores=1")]
    {
        assert_eq!(served.post("/contests/match", &form).status, 200, "the form again");
    }
    assert!(!served.path("matches/dobutsu-1").exists());
    let page = served.get("/contests").text;
    assert!(page.contains("--engines") && !page.contains("b_command"));

    // From a list: what is on it, and nothing else.
    served = served.again(&["--engine", ENGINE]);
    assert_eq!(served.post("/contests/match", &form("uci:/no/such/engine?a=b")).status, 200);
    assert!(served.get("/contests").text.contains(ENGINE));
    assert_eq!(served.post("/contests/m/go-on", "games=4").status, 303);
    let listed = format!("a=random&b={ENGINE}&game=dobutsu&amount=2&unit=sims&games=2&cores=1");
    assert_eq!(served.post("/contests/match", &listed).status, 303);

    served = served.again(&["--engines"]);
    assert_eq!(served.post("/contests/match", &form("uci:/no/such/engine?a=b")).status, 303);
    served.until("/contests/dobutsu-2", "data-activity=\"failed\"");
}
