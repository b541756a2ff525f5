//! What moves: folders that are looked at while somebody watches them, and the streams of events that tell of it.
//!
//! One watcher looks at a folder for everybody who reads one language. It looks each second whether anything has
//! changed, makes the fragment of the page again only then, and ends when its last reader is gone. An event holds the whole
//! fragment and has its checksum as its id: a browser that comes back gets nothing that it has already.

use std::{
    collections::{HashMap, hash_map::DefaultHasher},
    convert::Infallible,
    fs,
    hash::{Hash, Hasher},
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use anyhow::Result;
use axum::{
    http::{HeaderMap, StatusCode},
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use maud::{Markup, html};
use tokio::sync::{Semaphore, watch};
use tokio_stream::{StreamExt, wrappers::WatchStream};

use super::texts::{Language, Texts};

/// How often a folder is looked at.
const LOOK: Duration = Duration::from_secs(1);
/// Streams that are open at once, at most.
const MOST_STREAMS: usize = 256;

/// What is watched, and how it is told of.
pub(super) trait EventSource: Send + Sync + 'static {
    /// Changes with whatever the fragment shows; cheap to find. [`mark`] makes one.
    fn mark(&self) -> u64;

    /// The part of the page: elements with ids, which take the places of those that the page has.
    ///
    /// # Errors
    /// When it cannot be made now. The page keeps what it has, and it is tried again.
    fn fragment(&self) -> Result<Markup>;
}

/// A mark of files, by their lengths and when they were written, and of what else counts.
pub(super) fn mark(files: &[PathBuf], rest: impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    for file in files {
        fs::metadata(file).ok().map(|found| (found.len(), found.modified().ok())).hash(&mut hasher);
    }
    rest.hash(&mut hasher);
    hasher.finish()
}

/// A fragment as it is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Fragment {
    /// Its checksum.
    id: String,
    html: Arc<str>,
}

impl Fragment {
    fn new(markup: Markup) -> Self {
        let html = markup.into_string();
        Fragment { id: format!("{:08x}", crc32fast::hash(html.as_bytes())), html: html.into() }
    }
}

/// A folder, for those who read one language.
type Key = (PathBuf, Language);
type Sender = Arc<watch::Sender<Option<Fragment>>>;
type Open = Arc<Mutex<HashMap<Key, Sender>>>;

/// Everything that is watched now.
pub(super) struct Watches {
    open: Open,
    streams: Arc<Semaphore>,
    look: Duration,
}

impl Default for Watches {
    fn default() -> Self {
        Watches { open: Open::default(), streams: Arc::new(Semaphore::new(MOST_STREAMS)), look: LOOK }
    }
}

impl Watches {
    /// The stream of what `source` tells of `folder`, from now on; `headers` are those of the request. There are
    /// never too many streams: one more is refused, and the browser asks again later.
    pub(super) fn stream(
        &self,
        texts: Texts,
        folder: &Path,
        headers: &HeaderMap,
        source: impl EventSource,
    ) -> Response {
        let Ok(permit) = Arc::clone(&self.streams).try_acquire_owned() else {
            return StatusCode::SERVICE_UNAVAILABLE.into_response();
        };
        let mut seen = headers.get("last-event-id").and_then(|id| id.to_str().ok()).map(str::to_owned);
        let receiver = self.follow((folder.to_owned(), texts.language()), source);
        let events = WatchStream::new(receiver).filter_map(move |fragment| {
            // Held as long as the stream is.
            let _ = &permit;
            let Fragment { id, html } = fragment?;
            let is_new = seen.as_ref() != Some(&id);
            seen = Some(id.clone());
            is_new.then(|| Ok::<_, Infallible>(Event::default().id(id).data(html)))
        });
        Sse::new(events).keep_alive(KeepAlive::default()).into_response()
    }

    /// What is known of `key`, and what will be: from the watcher that is there, or from a new one.
    fn follow(&self, key: Key, source: impl EventSource) -> watch::Receiver<Option<Fragment>> {
        let mut open = lock(&self.open);
        if let Some(sender) = open.get(&key) {
            return sender.subscribe();
        }
        let (sender, receiver) = watch::channel(None);
        let sender = Arc::new(sender);
        open.insert(key.clone(), Arc::clone(&sender));
        tokio::spawn(keep_looking(Arc::clone(&self.open), key, sender, Arc::new(source), self.look));
        receiver
    }
}

/// Watches until the last reader is gone.
async fn keep_looking(open: Open, key: Key, sender: Sender, source: Arc<impl EventSource>, pause: Duration) {
    let mut seen = None;
    loop {
        let source = Arc::clone(&source);
        let looked = tokio::task::spawn_blocking(move || look(&*source, seen)).await;
        if let Ok(Some((mark, fragment))) = looked {
            seen = Some(mark);
            sender.send_if_modified(|last| {
                let is_new = last.as_ref() != Some(&fragment);
                *last = Some(fragment);
                is_new
            });
        }
        tokio::select! {
            () = tokio::time::sleep(pause) => {}
            () = sender.closed() => {}
        }
        // Under the lock: no reader joins between the count and the end.
        let mut open = lock(&open);
        if sender.receiver_count() == 0 {
            open.remove(&key);
            return;
        }
    }
}

/// The fragment, if there is another mark than the one seen.
fn look(source: &impl EventSource, seen: Option<u64>) -> Option<(u64, Fragment)> {
    // Before the fragment is made: what changes meanwhile is found next time.
    let mark = source.mark();
    if seen == Some(mark) {
        return None;
    }
    let made = source.fragment().inspect_err(|error| tracing::debug!("{error:#}"));
    Some((mark, Fragment::new(made.ok()?)))
}

fn lock(open: &Mutex<HashMap<Key, Sender>>) -> MutexGuard<'_, HashMap<Key, Sender>> {
    open.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The part of a page that `live.js` keeps as the stream at `address` tells it, and the note that shows while there is
/// no stream.
pub(super) fn panel(texts: Texts, address: &str, fragment: Markup) -> Markup {
    html! {
        div data-live=(address) {
            p #away role="status" hidden { (texts.text("live.away")) }
            (fragment)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    /// Counts how often it is looked at; the fragment is the number of its change.
    #[derive(Default)]
    struct Numbers {
        looks: AtomicU64,
        change: AtomicU64,
    }

    impl EventSource for Arc<Numbers> {
        fn mark(&self) -> u64 {
            self.looks.fetch_add(1, Ordering::SeqCst);
            self.change.load(Ordering::SeqCst)
        }

        fn fragment(&self) -> Result<Markup> {
            match self.change.load(Ordering::SeqCst) {
                13 => anyhow::bail!("not now"),
                change => Ok(html! { p #number { (change) } }),
            }
        }
    }

    fn quick() -> Watches {
        Watches { look: Duration::from_millis(1), ..Watches::default() }
    }

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let limit = Duration::from_secs(30);
        runtime.block_on(async { tokio::time::timeout(limit, test).await.expect("it hangs") });
    }

    async fn next(receiver: &mut watch::Receiver<Option<Fragment>>) -> String {
        receiver.changed().await.unwrap();
        let fragment = receiver.borrow_and_update().clone();
        fragment.unwrap().html.to_string()
    }

    fn key() -> Key {
        (PathBuf::from("somewhere"), Language::English)
    }

    #[test]
    fn one_watcher_tells_everybody_and_ends_with_the_last() {
        run(async {
            let (watches, numbers) = (quick(), Arc::new(Numbers::default()));
            let mut all: Vec<_> = (0..100).map(|_| watches.follow(key(), Arc::clone(&numbers))).collect();
            for receiver in &mut all {
                assert_eq!(next(receiver).await, "<p id=\"number\">0</p>");
            }
            numbers.change.store(1, Ordering::SeqCst);
            for receiver in &mut all {
                assert_eq!(next(receiver).await, "<p id=\"number\">1</p>");
            }
            assert_eq!(lock(&watches.open).len(), 1);
            drop(all);
            while !lock(&watches.open).is_empty() {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            let looks = numbers.looks.load(Ordering::SeqCst);
            tokio::time::sleep(Duration::from_millis(20)).await;
            assert_eq!(numbers.looks.load(Ordering::SeqCst), looks, "nobody looks any more");
            let mut again = watches.follow(key(), Arc::clone(&numbers));
            assert_eq!(next(&mut again).await, "<p id=\"number\">1</p>");
        });
    }

    #[test]
    fn what_cannot_be_shown_is_tried_again() {
        run(async {
            let (watches, numbers) = (quick(), Arc::new(Numbers::default()));
            numbers.change.store(13, Ordering::SeqCst);
            let mut receiver = watches.follow(key(), Arc::clone(&numbers));
            while numbers.looks.load(Ordering::SeqCst) < 3 {
                tokio::time::sleep(Duration::from_millis(1)).await;
            }
            assert!(!receiver.has_changed().unwrap());
            numbers.change.store(14, Ordering::SeqCst);
            assert_eq!(next(&mut receiver).await, "<p id=\"number\">14</p>");
        });
    }

    #[test]
    fn streams_are_limited_and_closed_ones_do_not_count() {
        run(async {
            let watches = quick();
            let open = |headers: &HeaderMap| {
                let numbers = Arc::new(Numbers::default());
                watches.stream(Texts::new(Language::English), Path::new("x"), headers, numbers)
            };
            let headers = HeaderMap::new();
            let mut streams: Vec<Response> = (0..MOST_STREAMS).map(|_| open(&headers)).collect();
            assert_eq!(open(&headers).status(), StatusCode::SERVICE_UNAVAILABLE);
            assert_eq!(streams.pop().unwrap().status(), StatusCode::OK);
            assert_eq!(open(&headers).status(), StatusCode::OK);
        });
    }

    #[test]
    fn a_browser_that_comes_back_gets_only_what_it_has_not() {
        run(async {
            let (watches, numbers) = (quick(), Arc::new(Numbers::default()));
            let id = Fragment::new(html! { p #number { (0) } }).id;
            let headers = HeaderMap::from_iter([("last-event-id".parse().unwrap(), id.parse().unwrap())]);
            let stream =
                watches.stream(Texts::new(Language::English), Path::new("x"), &headers, Arc::clone(&numbers));
            let mut body = stream.into_body().into_data_stream();
            while numbers.looks.load(Ordering::SeqCst) < 3 {
                // The stream has to be asked, or nothing is filtered.
                let _ = tokio::time::timeout(Duration::from_millis(1), body.next()).await;
            }
            numbers.change.store(1, Ordering::SeqCst);
            let bytes = body.next().await.unwrap().unwrap();
            let event = String::from_utf8(bytes.to_vec()).unwrap();
            assert!(event.contains("data: <p id=\"number\">1</p>"), "{event}");
        });
    }

    #[test]
    fn marks_tell_files_apart() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a");
        let of = |rest: u8| mark(std::slice::from_ref(&file), rest);
        let (none, other) = (of(0), of(1));
        assert_ne!(none, other);
        fs::write(&file, "").unwrap();
        let empty = of(0);
        fs::write(&file, "x").unwrap();
        assert!(none != empty && empty != of(0) && of(0) == of(0));
    }
}
