//! Opening shards: a leaf whose chunk is a shard becomes the leaves of the inner chunks that the selection meets.

use std::rc::Rc;

use super::execution::Execution;
use super::window::{Leaf, LeafTarget, Ready};
use crate::codec::ShardIndex;
use crate::js::JsResult;
use crate::js::fetch::answer::Answered;
use crate::read::Task;
use crate::source::ChunkLocation;

impl Execution<'_> {
    /// Opens a shard with the bytes of its index, or all of its bytes; nothing where the shard is missing.
    pub(super) fn open_with(&mut self, mut leaf: Leaf, answered: Option<Answered>) -> JsResult<()> {
        let source = self.source(&leaf.task);
        let Some(answered) = answered else { return self.open(leaf, &Rc::new(None)) };
        let key = source.identity(&leaf.task);
        // Another read may have decoded it by now.
        let index = match source.indexed(&key) {
            Some(index) => index,
            None => {
                let Some(request) = source.array.index_request(&leaf.task) else { return Ok(()) };
                let cut = answered.is_whole.then(|| source.cut(&request, &answered)).transpose()?;
                let bytes = cut.as_ref().unwrap_or(&answered).bytes.to_vec();
                let index = Rc::new(Some(source.array.decode_index(&leaf.task, &bytes)?));
                // A shard that is missing may be written any time, so that is asked for anew.
                source.keep_index(&key, &index);
                index
            }
        };
        if answered.is_whole {
            leaf.whole = Some(answered);
        }
        self.open(leaf, &index)
    }

    /// Opens a shard with its index; nothing where the shard is missing.
    pub(super) fn open(&mut self, leaf: Leaf, index: &Rc<Option<ShardIndex>>) -> JsResult<()> {
        let source = self.source(&leaf.task);
        let Some(found) = index.as_ref() else {
            let leaf = Leaf { task: leaf.task.missing(), ..leaf };
            self.window.ready.push_back((leaf, Ready::Missing));
            return Ok(());
        };
        let inner = source.array.inner_tasks(&leaf.task, found)?;
        let is_asked_for = |task: &Task| task.location != ChunkLocation::Missing && !source.has(task);
        // The parts are best cut out of one answer where each would bring the whole shard.
        let is_whole_asked = leaf.whole.is_none()
            && source.driver.store().ranges().is_ignored
            && inner.iter().any(is_asked_for);
        match source.array.index_request(&leaf.task).filter(|_| is_whole_asked) {
            Some(request) => self.ask(leaf, &request, LeafTarget::Whole(Rc::clone(index))),
            None => self.begin_inner(inner, leaf.whole.as_ref()),
        }
        Ok(())
    }

    /// Opens a shard all of whose bytes were asked for; where they did not come, its inner chunks are asked for.
    pub(super) fn open_whole(
        &mut self,
        mut leaf: Leaf,
        answered: Option<Answered>,
        index: &Rc<Option<ShardIndex>>,
    ) -> JsResult<()> {
        leaf.whole = answered.filter(|answered| answered.is_whole);
        let inner = match index.as_ref() {
            Some(index) => self.source(&leaf.task).array.inner_tasks(&leaf.task, index)?,
            None => Vec::new(),
        };
        self.begin_inner(inner, leaf.whole.as_ref());
        Ok(())
    }

    fn begin_inner(&mut self, inner: Vec<Task>, whole: Option<&Answered>) {
        // Those that lie deeper are opened before what comes after them.
        for task in self.center_first(inner, |task| task).into_iter().rev() {
            self.window.opened.push_front(Leaf { task, whole: whole.cloned(), chunks: 1 });
        }
    }
}
