/** Processor time of Chromium's processes. */

/** Counter of the processor time of all threads of a browser so far, in milliseconds: of all processes, or of pages alone. */
export async function processorCounter(browser, { pages = false } = {}) {
  const session = await browser.target().createCDPSession();
  return async () => {
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    return processInfo.filter(({ type }) => !pages || type === "renderer").reduce((sum, { cpuTime }) => sum + 1000 * cpuTime, 0);
  };
}
