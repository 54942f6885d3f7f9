//! Opening shards: a chunk task whose chunk is a shard becomes the chunk tasks of the inner chunks that the selection
//! meets.

use std::rc::Rc;

use super::execution::Execution;
use super::window::{Arrived, ChunkTask, Needed};
use crate::codec::ShardIndex;
use crate::js::JsResult;
use crate::js::stores::request::Answered;
use crate::parts::{Grids, Loaded, later};
use crate::read::{ChunkLocation, Task};

impl Execution<'_> {
    /// Opens a shard with the bytes of its index or with all of its bytes; `None` if the shard is missing.
    pub(super) fn open_with(&mut self, chunk_task: ChunkTask, answered: Option<Answered>) -> JsResult<()> {
        open_with(Loaded::get()?, self, chunk_task, answered)
    }

    /// Opens a shard with its decoded index; `None` if the shard is missing.
    pub(super) fn open(&mut self, chunk_task: ChunkTask, index: &Rc<Option<ShardIndex>>) -> JsResult<()> {
        open(Loaded::get()?, self, chunk_task, index)
    }

    /// Opens a shard that was requested whole; its inner chunks are requested if it did not arrive whole.
    pub(super) fn open_whole(
        &mut self,
        chunk_task: ChunkTask,
        answered: Option<Answered>,
        index: &Rc<Option<ShardIndex>>,
    ) -> JsResult<()> {
        open_whole(Loaded::get()?, self, chunk_task, answered, index)
    }

    fn begin_inner(&mut self, inner: Vec<Task>, whole: Option<&Answered>) {
        // At the front: nested shards are opened before the chunk tasks that follow them.
        for task in self.center_first(inner, |task| task).into_iter().rev() {
            self.window.opened.push_front(ChunkTask { task, whole: whole.cloned(), chunks: 1 });
        }
    }
}

#[later]
fn open_with(
    _: Loaded<Grids>,
    run: &mut Execution<'_>,
    mut chunk_task: ChunkTask,
    answered: Option<Answered>,
) -> JsResult<()> {
    let source = run.source(&chunk_task.task);
    let Some(answered) = answered else { return run.open(chunk_task, &Rc::new(None)) };
    let key = source.identity(&chunk_task.task);
    // Another read may have decoded the index by now.
    let index = match source.indexed(&key) {
        Some(index) => index,
        None => {
            let Some(request) = source.array.index_request(&chunk_task.task) else { return Ok(()) };
            let cut = answered.is_whole.then(|| source.cut(&request, &answered)).transpose()?;
            let bytes = cut.as_ref().unwrap_or(&answered).bytes.to_vec();
            let index = Rc::new(Some(source.array.decode_index(&chunk_task.task, &bytes)?));
            // Only indexes are cached: a missing shard is requested again, as it may be written at any time.
            source.cache_index(&key, &index);
            index
        }
    };
    if answered.is_whole {
        chunk_task.whole = Some(answered);
    }
    run.open(chunk_task, &index)
}

#[later]
fn open(
    _: Loaded<Grids>,
    run: &mut Execution<'_>,
    chunk_task: ChunkTask,
    index: &Rc<Option<ShardIndex>>,
) -> JsResult<()> {
    let source = run.source(&chunk_task.task);
    // A shard of no chunks is filled at once: it may have a million of them.
    let Some(found) = index.as_ref().as_ref().filter(|index| !index.is_empty()) else {
        let chunk_task = ChunkTask { task: chunk_task.task.missing(), ..chunk_task };
        run.window.ready.push_back((chunk_task, Arrived::Missing));
        return Ok(());
    };
    let inner = source.array.inner_tasks(&chunk_task.task, found)?;
    let is_asked_for = |task: &Task| task.location != ChunkLocation::Missing && !source.has(task);
    // A store that ignores ranges would send the whole shard for each inner chunk, so it is requested once.
    let is_whole_asked = chunk_task.whole.is_none()
        && source.driver.store().ranges().is_ignored
        && inner.iter().any(is_asked_for);
    match source.array.index_request(&chunk_task.task).filter(|_| is_whole_asked) {
        Some(request) => run.ask(chunk_task, &request, Needed::Whole(Rc::clone(index))),
        None => run.begin_inner(inner, chunk_task.whole.as_ref()),
    }
    Ok(())
}

#[later]
fn open_whole(
    _: Loaded<Grids>,
    run: &mut Execution<'_>,
    mut chunk_task: ChunkTask,
    answered: Option<Answered>,
    index: &Rc<Option<ShardIndex>>,
) -> JsResult<()> {
    chunk_task.whole = answered.filter(|answered| answered.is_whole);
    let inner = match index.as_ref() {
        Some(index) => run.source(&chunk_task.task).array.inner_tasks(&chunk_task.task, index)?,
        None => Vec::new(),
    };
    run.begin_inner(inner, chunk_task.whole.as_ref());
    Ok(())
}
