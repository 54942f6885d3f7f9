/** WebKit's MiniBrowser, driven by WebDriver, with the part of puppeteer's interface that `openPage` uses. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { Builder, Capabilities } from "selenium-webdriver";

import { PATIENCE } from "./chromium.mjs";
import { freePort } from "./ports.mjs";

/** Longest wait for the driver to start. */
const START_MS = 60_000;

/** Script that records uncaught errors of a page. */
const WATCH = `window.thrown = [];
  addEventListener("error", ({ message }) => thrown.push(message));
  addEventListener("unhandledrejection", ({ reason }) => thrown.push(String(reason)));`;

/** Opens a session once the driver answers. */
async function session(port) {
  const options = { binary: process.env.WEBKIT, args: ["--automation"] };
  const capabilities = new Capabilities({ browserName: "MiniBrowser", "webkitgtk:browserOptions": options });
  const deadline = Date.now() + START_MS;
  for (;;) {
    try {
      return await new Builder().usingServer(`http://127.0.0.1:${port}`).withCapabilities(capabilities).build();
    } catch (error) {
      if (error.code !== "ECONNREFUSED" && !/ECONNREFUSED/.test(error.message)) throw error;
      if (Date.now() > deadline) throw error;
      await new Promise((done) => setTimeout(done, 100));
    }
  }
}

/** Starts a virtual display; the server writes its number when it is ready. */
async function display() {
  const server = spawn("Xvfb", ["-displayfd", "1", "-screen", "0", "1280x1024x24"], { stdio: ["ignore", "pipe", "ignore"] });
  const [number] = await once(server.stdout, "data");
  return { server, name: `:${String(number).trim()}` };
}

/** Launches the browser of WEBKIT on a display of its own. */
export async function launch() {
  const port = await freePort();
  const { server, name } = await display();
  // The sandbox needs rights that containers lack.
  const env = { ...process.env, DISPLAY: name, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" };
  const program = spawn("WebKitWebDriver", [`--port=${port}`], { env, stdio: "ignore" });
  const stop = () => [program, server].forEach((process) => process.kill());
  process.once("exit", stop);
  const driver = await session(port);
  await driver.manage().setTimeouts({ script: PATIENCE });
  return {
    async newPage() {
      const listeners = [];
      return {
        setDefaultTimeout: (script) => driver.manage().setTimeouts({ script }),
        on: (event, listener) => event === "pageerror" && listeners.push(listener),
        async goto(url) {
          await driver.get(url);
          await driver.executeScript(WATCH);
        },
        /** Picture of what the window shows, as a PNG in base64. */
        screenshot: () => driver.takeScreenshot(),
        async evaluate(expression) {
          const { value, error, thrown } = await driver.executeAsyncScript(
            `const done = arguments[0];
            const ends = (answer) => done({ ...answer, thrown: thrown.splice(0) });
            Promise.resolve(${expression}).then((value) => ends({ value }), (error) => ends({ error: error + " " + error?.stack }));`,
          );
          for (const reason of thrown) listeners.forEach((listener) => listener(reason));
          if (error) throw new Error(error);
          return value;
        },
      };
    },
    async close() {
      await driver.quit();
      stop();
    },
  };
}
