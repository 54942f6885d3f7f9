/** Headless Firefox, driven as Chromium is. */

import puppeteer from "puppeteer-core";

import { PATIENCE } from "./chromium.mjs";

/** Firefox, from FIREFOX where that is set; its clock shows parts of milliseconds. */
export function launch({ patience = PATIENCE } = {}) {
  const executablePath = process.env.FIREFOX ?? "/usr/bin/firefox-esr";
  const extraPrefsFirefox = { "privacy.reduceTimerPrecision": false };
  return puppeteer.launch({ browser: "firefox", executablePath, headless: true, protocolTimeout: patience, extraPrefsFirefox });
}
