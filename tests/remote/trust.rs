//! Who may do what. Encrypted connections and files of credentials: who has them takes part, who has not is refused by
//! name. A worker with the accounts of the documentation does nothing but what is its own.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use async_nats::jetstream::{
    self,
    consumer::{AckPolicy, PullConsumer, pull},
};
use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;
use sanki::training::remote::{RunManifest, RunSubjects};
use serde_json::{Value, json};
use tokio_stream::StreamExt;

use super::{
    Process, alone,
    attacks::{EVIL, Hostile, VICTIM},
    hostile::{block_on, first_order},
    learn,
    server::{HOSTILE, NatsServer, streams},
    tiny_run::{essence, finish, refuse, sanki},
    train, worker,
};

const USER: &str = "morgiana:oil%20jar";

/// A certificate for 127.0.0.1, as files, and the server's settings for it.
struct Tls {
    certificate: PathBuf,
    settings: String,
}

impl Tls {
    fn new(folder: &Path) -> Self {
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let [certificate, key] = ["certificate.pem", "key.pem"].map(|name| folder.join(name));
        fs::write(&certificate, made.cert.pem()).unwrap();
        fs::write(&key, made.signing_key.serialize_pem()).unwrap();
        let [cert, key] = [&certificate, &key].map(|path| path.display());
        let settings = format!("tls {{ cert_file: \"{cert}\", key_file: \"{key}\" }}\n");
        Tls { certificate, settings }
    }
}

/// Adds how to enter the server to a command.
fn enter(mut command: Command, url: &str, files: &[(&str, &Path)]) -> Command {
    command.args(["--nats", url]);
    for (option, file) in files {
        command.arg(option).arg(file);
    }
    command
}

/// A learner without players of its own and a worker enter the server; the net is that of a run on one process.
fn one_worker_makes_the_net(folder: &Path, url: &str, files: &[(&str, &Path)]) {
    let (one, many) = (folder.join("one"), folder.join("many"));
    finish(train("dobutsu", &one, &[]));
    let worker = enter(sanki(&["work", "--threads", "1"]), url, files);
    let _worker = Process::start(worker, &folder.join("worker"));
    let mut learner = enter(train("dobutsu", &many, &[]), url, files);
    learner.args(["--workers", "0"]);
    let mut learner = Process::start(learner, &folder.join("learner"));
    assert!(learner.end().success(), "{}", learner.said());
    assert!(essence(&one) == essence(&many));
}

#[test]
fn a_run_over_an_encrypted_connection() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let tls = Tls::new(folder.path());
    let users = "authorization { user: morgiana, password: \"oil jar\" }\n";
    let Some(server) = NatsServer::start_with(&format!("{}{users}", tls.settings)) else { return };
    let url = format!("tls://{USER}@{}", server.host());
    one_worker_makes_the_net(folder.path(), &url, &[("--nats-ca", &tls.certificate)]);

    let work = || sanki(&["work", "--threads", "1"]);
    let unknown = refuse(enter(work(), &url, &[]));
    assert!(
        unknown.contains("cannot connect to tls://127.0.0.1") && unknown.contains("ertificate"),
        "{unknown}"
    );
    let wrong = url.replace("oil", "salt");
    let wrong = refuse(enter(work(), &wrong, &[("--nats-ca", &tls.certificate)]));
    assert!(wrong.contains("authorization violation") && !wrong.contains("salt"), "{wrong}");
}

/// What is signed says of `subject`: who it is and what it may do (NATS's JSON web tokens, version 2).
fn token(issuer: &KeyPair, subject: &KeyPair, claims: Value) -> String {
    let body = json!({
        "jti": subject.public_key(),
        "iat": 1_700_000_000,
        "iss": issuer.public_key(),
        "name": "sanki",
        "sub": subject.public_key(),
        "nats": claims,
    });
    let encode = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
    let signed = format!("{}.{}", encode(&json!({"typ": "JWT", "alg": "ed25519-nkey"})), encode(&body));
    let signature = issuer.sign(signed.as_bytes()).unwrap();
    format!("{signed}.{}", BASE64URL_NOPAD.encode(&signature))
}

/// An account whose streams may hold so many bytes, -1 for any number; the system's own may have none.
fn account(operator: &KeyPair, account: &KeyPair, bytes: i64) -> String {
    let limits = json!({
        "subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1,
        "leaf": -1, "mem_storage": bytes, "disk_storage": bytes, "streams": bytes, "consumer": bytes,
    });
    token(operator, account, json!({"type": "account", "version": 2, "limits": limits}))
}

/// A file of credentials for a new user of `account`.
fn credentials(account: &KeyPair, path: &Path) {
    let user = KeyPair::new_user();
    let claims = json!({"type": "user", "version": 2, "subs": -1, "data": -1, "payload": -1});
    let (token, seed) = (token(account, &user, claims), user.seed().unwrap());
    let text = format!(
        "-----BEGIN NATS USER JWT-----\n{token}\n------END NATS USER JWT------\n\n\
         -----BEGIN USER NKEY SEED-----\n{seed}\n------END USER NKEY SEED------\n"
    );
    fs::write(path, text).unwrap();
}

#[test]
fn a_run_with_files_of_credentials() {
    let _alone = alone();
    let folder = tempfile::tempdir().unwrap();
    let tls = Tls::new(folder.path());
    let (operator, system, ours) = (KeyPair::new_operator(), KeyPair::new_account(), KeyPair::new_account());
    let accounts = [(&system, 0), (&ours, -1)]
        .map(|(key, bytes)| format!("{}: {}\n", key.public_key(), account(&operator, key, bytes)));
    let settings = format!(
        "{}operator: {}\nsystem_account: {}\nresolver: MEMORY\nresolver_preload {{\n{}}}\n",
        tls.settings,
        token(&operator, &operator, json!({"type": "operator", "version": 2})),
        system.public_key(),
        accounts.concat(),
    );
    let Some(server) = NatsServer::start_with(&settings) else { return };
    let [good, bad] = ["good.creds", "bad.creds"].map(|name| folder.path().join(name));
    credentials(&ours, &good);
    credentials(&KeyPair::new_account(), &bad);
    let url = format!("tls://{}", server.host());
    let files = |creds| [("--nats-ca", &*tls.certificate), ("--nats-creds", creds)];
    one_worker_makes_the_net(folder.path(), &url, &files(&good));

    let work = || sanki(&["work", "--threads", "1"]);
    let refused = refuse(enter(work(), &url, &files(&bad)));
    assert!(refused.contains("authorization violation"), "{refused}");
    let missing = refuse(enter(work(), &url, &files(Path::new("nobody.creds"))));
    assert!(missing.contains("nobody.creds"), "{missing}");
}

#[test]
fn a_hostile_worker_changes_nothing_that_is_not_its_own() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (one, many) = (folder.path().join("one"), folder.path().join("many"));
    finish(train("dobutsu", &one, &[]));
    let mut learner = Process::start(learn(&server, "dobutsu", &many, &[]), &folder.path().join("learner"));
    let honest = block_on(async {
        let owner = server.connect().await;
        let (run, entry, order) = first_order(&streams(owner.clone())).await;
        let client = server.connect_as(HOSTILE).await;
        let hostile = Hostile { client, run, order };
        // The inboxes that the hostile worker hears, and all that the account of the run hears.
        let mut eavesdropped = hostile.client.subscribe("_INBOX.>").await.unwrap();
        let mut heard = owner.subscribe(">").await.unwrap();
        owner.flush().await.unwrap();
        hostile.client.flush().await.unwrap();
        let js = streams(owner.clone());
        let consumers = || both_consumers(&js, &hostile.run);
        let before = consumers().await;
        hostile.attack().await;
        assert_eq!(consumers().await, before, "a consumer was changed");
        let honest = Process::start(worker(&server), &folder.path().join("worker"));
        let mut rounds = 1;
        while learner.ended().is_none() {
            hostile.attack().await;
            rounds += 1;
        }
        println!("{rounds} rounds");
        owner.flush().await.unwrap();
        hostile.client.flush().await.unwrap();
        drop((owner.drain().await, hostile.client.drain().await));
        let mut messages = 0;
        while let Ok(Some(message)) = tokio::time::timeout(Duration::from_secs(2), heard.next()).await {
            let subject = &message.subject;
            assert!(!subject.contains(VICTIM), "{subject} was written to");
            // Its requests are heard, and their answers; what is kept is its own.
            let is_kept =
                ["sanki.", "$KV.", "_INBOX.learner."].iter().any(|start| subject.starts_with(start));
            let is_evil = String::from_utf8_lossy(&message.payload).contains(EVIL);
            assert!(!is_kept || !is_evil || subject.contains(".eve."), "{subject} was written to");
            if subject.as_str() == hostile.run.entry_subject() && !message.payload.is_empty() {
                assert_eq!(RunManifest::read(&message.payload).unwrap().session, entry.session);
            }
            messages += 1;
        }
        assert!(messages > 100, "{messages} messages were heard");
        let mut others = 0;
        while let Ok(Some(message)) = tokio::time::timeout(Duration::from_secs(2), eavesdropped.next()).await
        {
            // What it sends to an inbox of its own account is no secret of others.
            if message.payload == EVIL.as_bytes() {
                continue;
            }
            let is_others = |user: &str| message.subject.starts_with(&format!("_INBOX.{user}."));
            assert!(!is_others("learner") && !is_others("anna"), "{} was overheard", message.subject);
            others += 1;
        }
        assert!(others > 0, "nothing was heard");
        honest
    });
    assert!(learner.end().success(), "{}", learner.said());
    assert!(essence(&one) == essence(&many), "another net");
    let said = learner.said();
    assert!(said.contains("user eve is shut out"), "{said}");
    assert!(!said.contains("worker anna") && !said.contains("user anna"), "{said}");
    assert!(honest.said().contains("as anna."), "{}", honest.said());
    let figures = fs::read_to_string(many.join("metrics.jsonl")).unwrap();
    for line in figures.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        // The honest worker's, and one that the hostile one says it is.
        assert!(line["workers"]["threads"].as_u64().unwrap() <= 2, "{line}");
    }
}

/// When the learner's and the workers' consumer were made, and how.
async fn both_consumers(
    js: &jetstream::Context,
    run: &RunSubjects,
) -> Vec<(String, jetstream::consumer::Config)> {
    let mut made = Vec::new();
    for (stream, name) in [(run.games(), "learner"), (run.work(), "workers")] {
        let consumer: PullConsumer = js.get_consumer_from_stream(name, stream).await.unwrap();
        let info = consumer.cached_info();
        made.push((info.created.to_string(), info.config.clone()));
    }
    made
}

/// Whoever has all rights, by mistake or not, does not stop the run by another consumer either.
#[test]
fn consumers_that_were_changed_are_made_anew() {
    let _alone = alone();
    let Some(server) = NatsServer::start() else { return };
    let folder = tempfile::tempdir().unwrap();
    let (one, many) = (folder.path().join("one"), folder.path().join("many"));
    finish(train("dobutsu", &one, &[]));
    let mut learner = Process::start(learn(&server, "dobutsu", &many, &[]), &folder.path().join("learner"));
    block_on(async {
        let js = streams(server.connect().await);
        let (run, ..) = first_order(&js).await;
        for (stream, name) in [(run.games(), "learner"), (run.work(), "workers")] {
            let queue = js.get_stream(&stream).await.unwrap();
            let consumer: PullConsumer = queue.get_consumer(name).await.unwrap();
            let good = consumer.cached_info().config.clone();
            let wrong = || pull::Config {
                durable_name: Some(name.to_owned()),
                ack_policy: AckPolicy::Explicit,
                // Those cannot be changed.
                max_waiting: good.max_waiting,
                max_batch: good.max_batch,
                max_expires: good.max_expires,
                ..pull::Config::default()
            };
            let other = pull::Config { headers_only: true, ack_wait: Duration::from_secs(3600), ..wrong() };
            queue.create_consumer(other).await.unwrap();
            is_made_anew(&queue, name, &good).await;
            queue.delete_consumer(name).await.unwrap();
            is_made_anew(&queue, name, &good).await;
            queue.delete_consumer(name).await.unwrap();
            let elsewhere = queue.cached_info().config.subjects[0].replace('*', "nobody");
            let other = pull::Config { filter_subject: elsewhere, ..wrong() };
            // The learner may have made its own meanwhile: then that one is changed.
            queue.create_consumer(other).await.unwrap();
            is_made_anew(&queue, name, &good).await;
        }
    });
    let _honest = Process::start(worker(&server), &folder.path().join("worker"));
    assert!(learner.end().success(), "{}", learner.said());
    assert!(essence(&one) == essence(&many), "another net");
}

/// Waits until a consumer is as it should be.
async fn is_made_anew(stream: &jetstream::stream::Stream, name: &str, good: &jetstream::consumer::Config) {
    let begin = Instant::now();
    loop {
        let consumer: Result<PullConsumer, _> = stream.get_consumer(name).await;
        if consumer.is_ok_and(|consumer| consumer.cached_info().config == *good) {
            return;
        }
        assert!(begin.elapsed() < Duration::from_secs(30), "the consumer {name} stays as it was made");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}
