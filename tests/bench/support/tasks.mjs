/** Tasks of a page's thread, from Chromium's trace. */

/** Names of events in a task that compile WebAssembly. */
const COMPILES = /^wasm\./;

/** The tasks of a tab's thread during `work`, by the trace of some more `categories` of events: `{ wall, processor, compiling, parts }`, in milliseconds, of which `parts` has the events in the task that took longest. */
export async function tasksDuring(tab, work, categories = []) {
  await tab.tracing.start({ categories: ["toplevel", ...categories] });
  await work();
  const { traceEvents } = JSON.parse(Buffer.from(await tab.tracing.stop()).toString());
  const main = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const threads = new Map(main.map(({ pid, tid }) => [`${pid} ${tid}`, []]));
  for (const event of traceEvents) if (event.dur !== undefined) threads.get(`${event.pid} ${event.tid}`)?.push(event);
  return [...threads.values()].flatMap((events) => {
    const inside = events.filter(({ name }) => name !== "ThreadControllerImpl::RunTask").sort((a, b) => a.ts - b.ts);
    return events.filter(({ name }) => name === "ThreadControllerImpl::RunTask").map(({ ts, dur, tdur = 0 }) => {
      const parts = inside.filter((one) => one.ts >= ts && one.ts + one.dur <= ts + dur);
      let compiling = 0;
      let end = 0; // of the compilation that was counted last, in which others may lie
      for (const part of parts.filter(({ name }) => COMPILES.test(name))) {
        if (part.ts < end) continue;
        end = part.ts + part.dur;
        compiling += part.tdur ?? part.dur;
      }
      // The clock of a thread's processor time is coarse on some machines, and then runs ahead of the one on the wall.
      return { wall: dur / 1000, processor: Math.min(dur, tdur) / 1000, compiling: compiling / 1000, parts };
    });
  });
}

/** Longest task of a tab's thread during `work`, in milliseconds: wall time and processor time. */
export async function longestTask(tab, work) {
  const tasks = await tasksDuring(tab, work);
  return ["wall", "processor"].map((time) => Math.max(...tasks.map((task) => task[time])));
}

/** Last tab that `openPage` opened. */
export const lastTab = async (page) => (await page.browser.pages()).at(-1);
