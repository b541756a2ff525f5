//! The style, the scripts and the module, as they are in the program.

use std::sync::LazyLock;

use axum::{
    body::Bytes,
    extract::Path,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use crate::app::{
    report::{self, BOARD_SCRIPT, STEPS_SCRIPT},
    web,
};

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const WASM: &str = "application/wasm";

/// A file of the page.
struct Asset {
    name: &'static str,
    kind: &'static str,
    /// Parts that stand one after the other in it.
    parts: &'static [&'static [u8]],
    /// As `Content-Encoding` names it, where the parts are compressed.
    encoding: Option<&'static str>,
}

const fn script(name: &'static str, parts: &'static [&'static [u8]]) -> Asset {
    Asset { name, kind: JAVASCRIPT, parts, encoding: None }
}

const ASSETS: &[Asset] = &[
    Asset { name: "module.wasm", kind: WASM, parts: &[web::MODULE], encoding: Some("gzip") },
    script("later.js", &[include_bytes!("assets/later.js")]),
    script("board.js", &[BOARD_SCRIPT.as_bytes()]),
    script("steps.js", &[STEPS_SCRIPT.as_bytes()]),
    script("picture.js", &[web::PICTURE_SCRIPT]),
    script("start.js", &[include_bytes!("assets/start.js")]),
    script("new.js", &[include_bytes!("assets/new.js")]),
    script("run.js", &[include_bytes!("assets/run.js")]),
    script("contests.js", &[include_bytes!("assets/contests.js")]),
    script("live.js", &[include_bytes!("assets/live.js")]),
    script("shared.js", &[web::SHARED_SCRIPT.as_bytes()]),
    script("worker.js", &[web::WORKER_SCRIPT.as_bytes()]),
    script("link.js", &[web::LINK_SCRIPT.as_bytes()]),
    script("game.js", &web::GAME_SCRIPTS),
    script("play.js", &web::PLAY_SCRIPTS),
    script("keep.js", &[include_bytes!("assets/keep.js")]),
    script("curve.js", &[include_bytes!("assets/curve.js")]),
    script("review.js", &[include_bytes!("assets/review.js")]),
    script("upload.js", &[include_bytes!("assets/upload.js")]),
];

/// The style of every page. It stands in the page, which need not wait for it then.
pub(super) static STYLE: LazyLock<String> = LazyLock::new(|| {
    [report::STYLE, web::PLAY_STYLE, include_str!("assets/style.css"), include_str!("assets/review.css")]
        .concat()
});

/// What names the style in a content security policy (CSP Level 3, 2.3.1).
pub(super) fn style_source() -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(STYLE.as_bytes())))
}

/// Checksum of all assets: part of their addresses, so that browsers may keep them for good.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = crc32fast::Hasher::new();
    ASSETS.iter().flat_map(|asset| asset.parts).for_each(|part| hasher.update(part));
    format!("{:08x}", hasher.finalize())
});

/// What may be kept for good: its address has a version.
pub(super) const KEEP: &str = "private, max-age=31536000, immutable";

/// Where the asset `name` is.
///
/// # Panics
/// Where there is none.
pub(super) fn address(name: &str) -> String {
    assert!(ASSETS.iter().any(|asset| asset.name == name), "no asset {name}");
    format!("/assets/{}/{name}", *VERSION)
}

/// Gives an asset. An address of another version, from a page that was open before, gives today's.
pub(super) async fn get(Path((_, name)): Path<(String, String)>) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let body = match asset.parts {
        [part] => Bytes::from_static(part),
        parts => Bytes::from(parts.concat()),
    };
    let mut response = body.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, header::HeaderValue::from_static(asset.kind));
    headers.insert(header::CACHE_CONTROL, header::HeaderValue::from_static(KEEP));
    if let Some(encoding) = asset.encoding {
        headers.insert(header::CONTENT_ENCODING, header::HeaderValue::from_static(encoding));
    }
    response
}
