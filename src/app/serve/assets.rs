//! The style, the scripts and the module, as they are in the program.

use std::sync::LazyLock;

use axum::{
    body::Bytes,
    extract::Path,
    http::{HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use data_encoding::BASE64;
use sha2::{Digest, Sha256};

use crate::app::{
    report::{self, BOARD_SCRIPTS, STEPS_SCRIPT, Script},
    web,
};

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const WASM: &str = "application/wasm";

/// A file of the page.
struct Asset {
    name: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
    /// As `Content-Encoding` names it, where the bytes are compressed.
    encoding: Option<&'static str>,
}

impl From<Script> for Asset {
    fn from(Script { name, text }: Script) -> Self {
        Asset { name, kind: JAVASCRIPT, bytes: text.as_bytes(), encoding: None }
    }
}

/// The scripts of single screens. They import those of the games to play and of the reports, which stand beside them.
const SCRIPTS: [Script; 11] = [
    Script::new("later.js", include_str!("assets/later.js")),
    Script::new("start.js", include_str!("assets/start.js")),
    Script::new("new.js", include_str!("assets/new.js")),
    Script::new("run.js", include_str!("assets/run.js")),
    Script::new("contests.js", include_str!("assets/contests.js")),
    Script::new("live.js", include_str!("assets/live.js")),
    Script::new("keep.js", include_str!("assets/keep.js")),
    Script::new("curve.js", include_str!("assets/curve.js")),
    Script::new("openings.js", include_str!("assets/openings.js")),
    Script::new("review.js", include_str!("assets/review.js")),
    Script::new("upload.js", include_str!("assets/upload.js")),
];

/// All scripts that import one another.
fn scripts() -> Vec<Script> {
    [&BOARD_SCRIPTS[..], &[STEPS_SCRIPT], &web::SCRIPTS, &SCRIPTS].concat()
}

static ASSETS: LazyLock<Vec<Asset>> = LazyLock::new(|| {
    let module = Asset { name: "module.wasm", kind: WASM, bytes: web::MODULE, encoding: Some("gzip") };
    let worker = Script::new("worker.js", web::WORKER_SCRIPT);
    let scripts = scripts().into_iter().chain([worker]).map(Asset::from);
    [module].into_iter().chain(scripts).collect()
});

/// The style of every page. It stands in the page, which need not wait for it then.
pub(super) static STYLE: LazyLock<String> = LazyLock::new(|| {
    [report::STYLE, web::PLAY_STYLE, include_str!("assets/style.css"), include_str!("assets/review.css")]
        .concat()
});

/// What names the style in a content security policy (CSP Level 3, 2.3.1).
pub(super) fn style_source() -> String {
    format!("'sha256-{}'", BASE64.encode(&Sha256::digest(STYLE.as_bytes())))
}

/// Checksum of all assets: part of their addresses, so that browsers may keep them for good. What a script imports is
/// relative to its own address, and so has the same version.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hasher = crc32fast::Hasher::new();
    ASSETS.iter().for_each(|asset| hasher.update(asset.bytes));
    format!("{:08x}", hasher.finalize())
});

/// How long a browser may keep what stands at an address with the version `asked`: for good where that is `ours`, the one
/// of today, and else not at all.
pub(super) fn kept_for(asked: &str, ours: &str) -> HeaderValue {
    HeaderValue::from_static(if asked == ours { "private, max-age=31536000, immutable" } else { "no-store" })
}

/// Where the asset `name` is.
///
/// # Panics
/// Where there is none.
pub(super) fn address(name: &str) -> String {
    assert!(ASSETS.iter().any(|asset| asset.name == name), "no asset {name}");
    format!("/assets/{}/{name}", *VERSION)
}

/// Gives an asset. An address of another version, from a page that was open before, gives today's.
pub(super) async fn get(Path((version, name)): Path<(String, String)>) -> Response {
    let Some(asset) = ASSETS.iter().find(|asset| asset.name == name) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let mut response = Bytes::from_static(asset.bytes).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    headers.insert(header::CACHE_CONTROL, kept_for(&version, &VERSION));
    if let Some(encoding) = asset.encoding {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::report::broken_imports;

    #[test]
    fn the_scripts_import_what_others_export() {
        assert_eq!(broken_imports(&scripts()), [""; 0]);
    }

    #[test]
    fn only_what_is_of_the_version_in_its_address_is_kept() {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        let kept = |version: &str| {
            let answer = runtime.block_on(get(Path((version.to_owned(), "live.js".to_owned()))));
            assert_eq!(answer.status(), StatusCode::OK);
            answer.headers()[header::CACHE_CONTROL].to_str().unwrap().to_owned()
        };
        assert!(kept(&VERSION).contains("immutable"));
        assert_eq!(kept("zzz"), "no-store");
    }
}
