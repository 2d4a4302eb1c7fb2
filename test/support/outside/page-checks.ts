import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';

/** Controls without a name that a screen reader would say. Scripts of the page's world are texts: specs have no DOM. */
const NAMELESS = `[...document.querySelectorAll('input, select, textarea, button, a, progress')]
  .filter((one) => !(one.labels?.length || one.getAttribute('aria-label') || one.textContent.trim()))
  .map((one) => one.outerHTML)`;

const LEVELS = `[...document.querySelectorAll('h1, h2, h3')].map((one) => Number(one.tagName[1]))`;

const FOCUSED = `(({ activeElement: one }) => {
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  return one === document.body ? null : { name: one.outerHTML, seen: outlineStyle !== 'none' && outlineWidth !== '0px' };
})(document)`;

/** The next Tab goes on from the element that had the focus last. */
const TO_THE_TOP = `(({ body }) => {
  body.tabIndex = -1;
  body.focus();
  body.removeAttribute('tabindex');
})(document)`;

const FIRST = `document.querySelector('a[href], button, input, select, textarea').outerHTML`;

const MOST_STOPS = 200;

const WIDTHS = [1440, 768, 360];

/** All can use the place: controls have names, headings are in order, the focus is seen, and nothing is moved sideways. */
export async function expectUsable(page: Page): Promise<void> {
  expect(await page.evaluate(NAMELESS)).toEqual([]);
  const levels = (await page.evaluate(LEVELS)) as number[];
  expect(levels.filter((level) => level === 1)).toHaveLength(1);
  expect(levels[0]).toBe(1);
  for (const [index, level] of levels.entries()) expect(level - (levels[index - 1] ?? 0)).toBeLessThanOrEqual(1);
  expect(await page.getByRole('main').count()).toBe(1);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 640 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
      await expectSeenFocus(page);
    }
  }
}

/** Goes by the keyboard through all that can be used, from the top. */
async function expectSeenFocus(page: Page): Promise<void> {
  await page.evaluate(TO_THE_TOP);
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    await page.keyboard.press('Tab');
    const focused = (await page.evaluate(FOCUSED)) as { readonly name: string; readonly seen: boolean } | null;
    if (stop === 0) expect(focused?.name).toBe(await page.evaluate(FIRST));
    if (focused === null) return;
    expect(focused).toEqual({ name: focused.name, seen: true });
  }
}
