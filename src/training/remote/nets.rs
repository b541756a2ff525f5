//! Nets on their way from the learner to the workers.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use async_nats::jetstream::{
    Context as JetStream,
    object_store::{ObjectMetadata, ObjectStore},
    stream::Stream,
};

use super::run_manifest::GenerationOrder;
use crate::{base::store::Container, net::ModelFile, training::run::Job};

/// A part of a net is waited for so long: a net may take as long as its parts do.
const PART: Duration = Duration::from_secs(30);

/// The order of a job whose net has these bytes, in items of `item` games; `played_by` as in [`GenerationOrder::id_of`].
pub fn order(job: &Job, net: &[u8], item: u32, played_by: &str) -> GenerationOrder {
    let (plan, crc) = (job.plan, crc32fast::hash(net));
    GenerationOrder {
        id: GenerationOrder::id_of(job.meta, plan.resign_below, crc, played_by),
        meta: *job.meta,
        games: plan.games,
        item,
        resign_below: plan.resign_below,
        // Two names in turn: the newest two nets are there, and no more.
        net: format!("net-{}", plan.generation % 2),
        net_bytes: net.len() as u64,
        net_crc: crc,
    }
}

/// Puts the net of `order` into the bucket, unless it is there.
///
/// # Errors
/// Those of the server.
pub async fn put(bucket: &ObjectStore, order: &GenerationOrder, net: &[u8]) -> Result<()> {
    let is_there = |text: Option<String>| text.as_deref() == Some(&order.id);
    if bucket.info(&order.net).await.is_ok_and(|info| !info.deleted && is_there(info.description)) {
        return Ok(());
    }
    let meta = ObjectMetadata {
        name: order.net.clone(),
        description: Some(order.id.clone()),
        ..ObjectMetadata::default()
    };
    let mut bytes = net;
    bucket.put(meta, &mut bytes).await.context("cannot put the net on the server")?;
    Ok(())
}

/// Gets the net of `order`, whose size the worker accepts, from the bucket that is called so.
///
/// Its parts are asked for one by one: to have the server send all of them takes a consumer, which workers may not make.
///
/// # Errors
/// Those of the server, and when it is not the net that the order names.
pub async fn get(js: &JetStream, bucket: &str, order: &GenerationOrder) -> Result<ModelFile> {
    let bytes = read(js, bucket, order).await?;
    ensure!(crc32fast::hash(&bytes) == order.net_crc, "the net on the server is another one");
    ModelFile::from_container(&Container::from_bytes(&bytes)?)
}

async fn read(js: &JetStream, bucket: &str, order: &GenerationOrder) -> Result<Vec<u8>> {
    let store = js.get_object_store(bucket).await.context("there is no bucket of nets")?;
    let info = store.info(&order.net).await.context("the net is not on the server")?;
    ensure!(info.size as u64 == order.net_bytes, "the net has {} bytes", info.size);
    let mut patient = js.clone();
    patient.set_timeout(PART);
    let stream: Stream<()> = patient.get_stream_no_info(format!("OBJ_{bucket}")).await?;
    let subject = format!("$O.{bucket}.C.{}", info.nuid);
    let (mut bytes, mut next) = (Vec::with_capacity(info.size), 1);
    while bytes.len() < info.size {
        let part = stream.direct_get_next_for_subject(&subject, Some(next)).await;
        let part = part.context("the net cannot be read")?;
        ensure!(
            !part.payload.is_empty() && bytes.len() + part.payload.len() <= info.size,
            "a part too large"
        );
        bytes.extend_from_slice(&part.payload);
        next = part.sequence + 1;
    }
    Ok(bytes)
}
