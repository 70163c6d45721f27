import puppeteer, { type ElementHandle, type KeyInput, type LaunchOptions } from 'puppeteer-core';
import { type Driver, parseChord } from './driver';

/** Drives Chromium by its own protocol and Firefox by WebDriver BiDi, without a separate driver. */
export async function openWithPuppeteer(options: LaunchOptions): Promise<Driver> {
  const browser = await puppeteer.launch({ headless: true, defaultViewport: null, ...options });
  const [page = await browser.newPage()] = await browser.pages();
  return {
    version: (await browser.version()).replace(/^.*\//, ''),
    async open(url) {
      await page.goto(url);
    },
    evaluate: (expression) => page.evaluate(expression),
    click: ({ x, y }) => page.mouse.click(x, y),
    move: ({ x, y }) => page.mouse.move(x, y),
    async press(chord) {
      const { modifiers, key } = parseChord(chord);
      for (const name of modifiers) await page.keyboard.down(name as KeyInput);
      await page.keyboard.press(key as KeyInput);
      for (const name of modifiers.toReversed()) await page.keyboard.up(name as KeyInput);
    },
    type: (text) => page.keyboard.type(text),
    async choose(expression, path) {
      const input = (await page.evaluateHandle(expression)) as ElementHandle<HTMLInputElement>;
      await input.uploadFile(path);
    },
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => browser.close(),
  };
}
