//! Opening shards: a leaf whose chunk is a shard becomes the leaves of the inner chunks that the selection meets.

use std::rc::Rc;

use super::execution::Execution;
use super::window::{Leaf, LeafTarget, Ready};
use crate::codec::ShardIndex;
use crate::js::JsResult;
use crate::js::stores::request::Answered;
use crate::parts::{Grids, Loaded, later};
use crate::read::{ChunkLocation, Task};

impl Execution<'_> {
    /// Opens a shard with the bytes of its index or with all of its bytes; `None` if the shard is missing.
    pub(super) fn open_with(&mut self, leaf: Leaf, answered: Option<Answered>) -> JsResult<()> {
        open_with(Loaded::get()?, self, leaf, answered)
    }

    /// Opens a shard with its decoded index; `None` if the shard is missing.
    pub(super) fn open(&mut self, leaf: Leaf, index: &Rc<Option<ShardIndex>>) -> JsResult<()> {
        open(Loaded::get()?, self, leaf, index)
    }

    /// Opens a shard that was requested whole; its inner chunks are requested if it did not arrive whole.
    pub(super) fn open_whole(
        &mut self,
        leaf: Leaf,
        answered: Option<Answered>,
        index: &Rc<Option<ShardIndex>>,
    ) -> JsResult<()> {
        open_whole(Loaded::get()?, self, leaf, answered, index)
    }

    fn begin_inner(&mut self, inner: Vec<Task>, whole: Option<&Answered>) {
        // At the front: nested shards are opened before the leaves that follow them.
        for task in self.center_first(inner, |task| task).into_iter().rev() {
            self.window.opened.push_front(Leaf { task, whole: whole.cloned(), chunks: 1 });
        }
    }
}

#[later]
fn open_with(
    _: Loaded<Grids>,
    run: &mut Execution<'_>,
    mut leaf: Leaf,
    answered: Option<Answered>,
) -> JsResult<()> {
    let source = run.source(&leaf.task);
    let Some(answered) = answered else { return run.open(leaf, &Rc::new(None)) };
    let key = source.identity(&leaf.task);
    // Another read may have decoded the index by now.
    let index = match source.indexed(&key) {
        Some(index) => index,
        None => {
            let Some(request) = source.array.index_request(&leaf.task) else { return Ok(()) };
            let cut = answered.is_whole.then(|| source.cut(&request, &answered)).transpose()?;
            let bytes = cut.as_ref().unwrap_or(&answered).bytes.to_vec();
            let index = Rc::new(Some(source.array.decode_index(&leaf.task, &bytes)?));
            // Only indexes are kept: a missing shard is requested again, as it may be written at any time.
            source.keep_index(&key, &index);
            index
        }
    };
    if answered.is_whole {
        leaf.whole = Some(answered);
    }
    run.open(leaf, &index)
}

#[later]
fn open(
    _: Loaded<Grids>,
    run: &mut Execution<'_>,
    leaf: Leaf,
    index: &Rc<Option<ShardIndex>>,
) -> JsResult<()> {
    let source = run.source(&leaf.task);
    // A shard of no chunks is filled at once: it may have a million of them.
    let Some(found) = index.as_ref().as_ref().filter(|index| !index.is_empty()) else {
        let leaf = Leaf { task: leaf.task.missing(), ..leaf };
        run.window.ready.push_back((leaf, Ready::Missing));
        return Ok(());
    };
    let inner = source.array.inner_tasks(&leaf.task, found)?;
    let is_asked_for = |task: &Task| task.location != ChunkLocation::Missing && !source.has(task);
    // A store that ignores ranges would send the whole shard for each inner chunk, so it is requested once.
    let is_whole_asked =
        leaf.whole.is_none() && source.driver.store().ranges().is_ignored && inner.iter().any(is_asked_for);
    match source.array.index_request(&leaf.task).filter(|_| is_whole_asked) {
        Some(request) => run.ask(leaf, &request, LeafTarget::Whole(Rc::clone(index))),
        None => run.begin_inner(inner, leaf.whole.as_ref()),
    }
    Ok(())
}

#[later]
fn open_whole(
    _: Loaded<Grids>,
    run: &mut Execution<'_>,
    mut leaf: Leaf,
    answered: Option<Answered>,
    index: &Rc<Option<ShardIndex>>,
) -> JsResult<()> {
    leaf.whole = answered.filter(|answered| answered.is_whole);
    let inner = match index.as_ref() {
        Some(index) => run.source(&leaf.task).array.inner_tasks(&leaf.task, index)?,
        None => Vec::new(),
    };
    run.begin_inner(inner, leaf.whole.as_ref());
    Ok(())
}
