//! Encrypted connections and files of credentials: who has them takes part, who has not is refused by name.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

use data_encoding::BASE64URL_NOPAD;
use nkeys::KeyPair;
use serde_json::{Value, json};

use super::{
    Process, alone,
    server::NatsServer,
    tiny_run::{essence, finish, refuse, sanki},
    train,
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
