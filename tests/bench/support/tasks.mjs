/** Tasks of a page's thread, from Chromium's trace. */

/** Longest task of a tab's thread during `work`, in milliseconds: wall time and processor time. */
export async function longestTask(tab, work) {
  await tab.tracing.start({ categories: ["toplevel"] });
  await work();
  const { traceEvents } = JSON.parse(Buffer.from(await tab.tracing.stop()).toString());
  const main = traceEvents.filter(({ name, args }) => name === "thread_name" && args.name === "CrRendererMain");
  const threads = new Set(main.map(({ pid, tid }) => `${pid} ${tid}`));
  const tasks = traceEvents.filter(({ name, pid, tid }) => name === "ThreadControllerImpl::RunTask" && threads.has(`${pid} ${tid}`));
  return ["dur", "tdur"].map((time) => Math.max(...tasks.map((task) => task[time] ?? 0)) / 1000);
}

/** Last tab that `openPage` opened. */
export const lastTab = async (page) => (await page.browser.pages()).at(-1);
