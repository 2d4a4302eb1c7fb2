import type { Browser, BrowserContextOptions, Page } from 'playwright-core';

export interface Visitor {
  readonly page: Page;
  /** What the browser complains of, breaches of the policy among it. */
  readonly amiss: string[];
}

/** Opens a page in a browser, and hears what the browser complains of. */
export async function visit(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<Visitor> {
  const page = await browser.newPage({ viewport: { width: 360, height: 640 }, ...options });
  const amiss: string[] = [];
  page.on('console', (message) => {
    // A browser says of each refusal that a resource was not loaded.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) amiss.push(message.text());
  });
  page.on('pageerror', (error) => amiss.push(String(error)));
  await page.goto(url);
  return { page, amiss };
}

export async function signInAt(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Your mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}
