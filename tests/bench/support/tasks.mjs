/** Tasks of a page's thread, by Chromium's own trace. */

/** The longest task of the thread of a tab while `work` is done, in milliseconds: on the clock, and of the processor. */
export async function longestTask(tab, work) {
  await tab.tracing.start({ categories: ["toplevel"] });
  await work();
  const { traceEvents } = JSON.parse(Buffer.from(await tab.tracing.stop()).toString());
  const main = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const threads = new Set(main.map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === "ThreadControllerImpl::RunTask" && threads.has(`${pid} ${tid}`));
  return ["dur", "tdur"].map((time) => Math.max(...tasks.map((task) => task[time] ?? 0)) / 1000);
}

/** The tab that `openPage` opened last. */
export const lastTab = async (page) => (await page.browser.pages()).at(-1);
