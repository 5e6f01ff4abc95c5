// What many scenarios do.

import assert from "node:assert/strict";
import { openPage } from "./support.mjs";

/** A machine under load is slow, not wrong. */
export const PATIENCE = { timeout: 30_000 };
/** Chromium tells of every failed request; these scenarios make them fail. */
export const NETWORK = [/Failed to load resource/];

export const square = (name) => `[data-square="${name}"]`;
export const headline = (page) => page.locator(".headline .verdict").innerText();
export const moves = (page) => page.locator(".moves .move").evaluateAll((buttons) => buttons.map((button) => button.dataset.move));
export const discs = async (page) => [await page.locator('[data-count="black"] b').innerText(), await page.locator('[data-count="white"] b').innerText()].map(Number);

/** Fewer seconds for each position, so that a scenario does not wait for the engine longer than it must. */
export const fresh = (browser, origin, options = {}, settings = {}) => openPage(browser, origin, { ...options, settings: { timeMs: 1000, language: "en", ...settings } });

export const done = (page) => page.waitForSelector(".headline .doing:not(.active)", PATIENCE);
export const valued = (page) => page.waitForSelector(".drawing .value", PATIENCE);
/** What is drawn follows a moment after a click or a change of the link. */
export const gone = (page, selector) => page.waitForSelector(selector, { state: "detached", ...PATIENCE });
export const clean = ({ faults }) => assert.deepEqual(faults, []);
