//! Nets on their way from the learner to the workers.

use std::time::Duration;

use anyhow::{Context, Result, ensure};
use async_nats::jetstream::object_store::{ObjectMetadata, ObjectStore};
use tokio::{io::AsyncReadExt, time::timeout};

use super::entry::Order;
use crate::{net::ModelFile, store::Container, train::Job};

/// Bytes of a net at most.
const MOST_BYTES: u64 = 1 << 31;
/// Reading the bytes of a net stops after so long without an end.
const LONGEST: Duration = Duration::from_secs(120);

/// The order of a job whose net has these bytes, in items of `item` games.
pub fn order(job: &Job, net: &[u8], item: u32) -> Order {
    let (plan, crc) = (job.plan, crc32fast::hash(net));
    Order {
        id: Order::id_of(job.meta, plan.resign_below, crc),
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
pub async fn put(bucket: &ObjectStore, order: &Order, net: &[u8]) -> Result<()> {
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

/// Gets the net of `order`.
///
/// # Errors
/// Those of the server, and when it is not the net that the order names.
pub async fn get(bucket: &ObjectStore, order: &Order) -> Result<ModelFile> {
    let read = async {
        let object = bucket.get(&order.net).await.context("the net is not on the server")?;
        let size = object.info().size as u64;
        ensure!(size == order.net_bytes && size <= MOST_BYTES, "the net has {size} bytes");
        let mut bytes = Vec::with_capacity(size as usize);
        object.take(size + 1).read_to_end(&mut bytes).await.context("the net cannot be read")?;
        Ok(bytes)
    };
    let bytes = timeout(LONGEST, read).await.context("the net does not come")??;
    ensure!(crc32fast::hash(&bytes) == order.net_crc, "the net on the server is another one");
    ModelFile::from_container(&Container::from_bytes(&bytes)?)
}
