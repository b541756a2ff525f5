//! What a worker may try that has the rights of the documentation and means no good.

use std::time::Duration;

use async_nats::{Client, HeaderMap, jetstream};
use sanki::training::remote::{GenerationOrder, Heartbeat, ORDER, RunSubjects};
use serde_json::{Value, json};
use tokio::time::timeout;

/// An answer would be there by then.
const NO_ANSWER: Duration = Duration::from_millis(100);
/// In all that the hostile worker says.
pub const EVIL: &str = "evil words";
/// A worker whose name is known, and that does not exist.
pub const VICTIM: &str = "anna.victim";

/// The hostile worker's connection, and the run that it is after.
pub struct Hostile {
    pub client: Client,
    pub run: RunSubjects,
    pub order: GenerationOrder,
}

impl Hostile {
    /// Tries once all that a worker has no right to.
    pub async fn attack(&self) {
        self.ask_for_what_is_not_its_own().await;
        self.have_the_server_say_it().await;
        self.lie_under_its_own_name().await;
        self.client.flush().await.unwrap();
    }

    /// Nobody hears what is another's; streams and consumers neither.
    async fn ask_for_what_is_not_its_own(&self) {
        let (games, work) = (self.run.games(), self.run.work());
        let consumer = |stream: &str, name: &str, more: Value| {
            let mut config = json!({"durable_name": name, "name": name, "ack_policy": "explicit"});
            config.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            json!({"stream_name": stream, "config": config})
        };
        let filter = json!({"filter_subject": self.run.games_subject("nobody.nobody")});
        let deliver = json!({"deliver_subject": self.run.games_subject(VICTIM), "ack_policy": "none"});
        let api = [
            (format!("CONSUMER.CREATE.{games}.learner"), consumer(&games, "learner", filter.clone())),
            (format!("CONSUMER.DURABLE.CREATE.{games}.learner"), consumer(&games, "learner", filter)),
            (
                format!("CONSUMER.CREATE.{work}.workers"),
                consumer(&work, "workers", json!({"headers_only": true})),
            ),
            (format!("CONSUMER.CREATE.{work}.mine"), consumer(&work, "mine", json!({}))),
            ("CONSUMER.CREATE.KV_sanki-alive.mine".into(), consumer("KV_sanki-alive", "mine", deliver)),
            (format!("CONSUMER.DELETE.{games}.learner"), json!({})),
            (format!("CONSUMER.DELETE.{work}.workers"), json!({})),
            (format!("CONSUMER.PAUSE.{games}.learner"), json!({"pause_until": "2099-01-01T00:00:00Z"})),
            (format!("CONSUMER.MSG.NEXT.{games}.learner"), json!({"batch": 100})),
            (format!("STREAM.PURGE.{games}"), json!({})),
            (format!("STREAM.DELETE.{games}"), json!({})),
            (format!("STREAM.MSG.GET.{games}"), json!({"seq": 1})),
            (format!("STREAM.UPDATE.{games}"), json!({"name": games, "subjects": ["nothing"]})),
            ("STREAM.CREATE.mine".into(), json!({"name": "mine", "subjects": [format!("{games}.>")]})),
        ];
        for (what, body) in api {
            self.is_not_done(format!("$JS.API.{what}"), body.to_string()).await;
        }
        for subject in [
            self.run.games_subject(VICTIM),
            self.run.sign_subject(VICTIM),
            self.run.sign_subject("learner.here"),
            self.run.work_subject("1"),
            self.run.entry_subject(),
            format!("$KV.sanki-learners.{}", self.run.run()),
            format!("$JS.ACK.{games}.learner.1.1.1.1.0"),
        ] {
            self.is_not_done(subject, EVIL.to_owned()).await;
        }
    }

    /// The server does not answer, or refuses.
    async fn is_not_done(&self, subject: String, body: String) {
        let answer = timeout(NO_ANSWER, self.client.request(subject.clone(), body.into())).await;
        if let Ok(Ok(answer)) = answer {
            let text = String::from_utf8_lossy(&answer.payload).into_owned();
            assert!(text.contains("\"error\""), "{subject}: {text}");
        }
    }

    /// The server's answers do not go to subjects of others.
    async fn have_the_server_say_it(&self) {
        let own = self.run.sign_subject("eve.box");
        let sign = json!({"threads": 1, "program": EVIL}).to_string();
        let mut headers = HeaderMap::new();
        headers.insert(ORDER, self.order.id.as_str());
        self.client.publish_with_headers(own.clone(), headers, sign.into()).await.unwrap();
        self.client.publish("_INBOX.learner.any", EVIL.into()).await.unwrap();
        for target in [
            self.run.games_subject(VICTIM),
            self.run.sign_subject(VICTIM),
            self.run.entry_subject(),
            format!("$JS.API.STREAM.DELETE.{}", self.run.games()),
            format!("$JS.ACK.{}.learner.1.1.1.1.0", self.run.games()),
        ] {
            for source in [
                format!("$JS.API.DIRECT.GET.KV_sanki-alive.{own}"),
                "$JS.API.INFO".to_owned(),
                format!("$JS.API.STREAM.INFO.{}", self.run.games()),
                own.clone(),
            ] {
                self.client.publish_with_reply(source, target.clone(), EVIL.into()).await.unwrap();
            }
        }
    }

    /// What it may write is bounded, and hurts nobody but its user.
    async fn lie_under_its_own_name(&self) {
        let js = jetstream::new(self.client.clone());
        let own = self.run.sign_subject("eve.giant");
        let claim = Heartbeat { threads: u32::MAX, games_per_s: 1e300, ..Heartbeat::default() };
        self.client.publish(own.clone(), serde_json::to_vec(&claim).unwrap().into()).await.unwrap();
        let long = js.publish(own.clone(), vec![b'x'; 10_000].into()).await.unwrap().await;
        assert!(long.is_err(), "a sign of 10,000 bytes is kept");
        let mut headers = HeaderMap::new();
        headers.insert("Nats-Rollup", "all");
        let emptied = js.publish_with_headers(own, headers, "x".into()).await.unwrap().await;
        assert!(emptied.is_err(), "the list of workers can be emptied");
        for number in 0..30_u32 {
            let mut headers = HeaderMap::new();
            headers.insert(ORDER, self.order.id.as_str());
            headers.insert("Nats-Msg-Id", format!("{}/{number}/{VICTIM}", self.order.id));
            let subject = self.run.games_subject(&format!("eve.{number}"));
            self.client.publish_with_headers(subject, headers, EVIL.into()).await.unwrap();
        }
    }
}
