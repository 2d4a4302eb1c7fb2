import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** @param hosts names that the browser takes for this machine */
export const launchBrowser = (...hosts: string[]): Promise<Browser> =>
  chromium.launch({
    executablePath: CHROMIUM,
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      `--host-resolver-rules=${hosts.map((host) => `MAP ${host} 127.0.0.1`).join(', ')}`,
    ],
  });

/** Tells why there is no browser here; null if there is one. */
export async function whyNoBrowser(): Promise<string | null> {
  if (!existsSync(CHROMIUM)) return `there is no ${CHROMIUM}`;
  return launchBrowser().then(
    (opened) => opened.close().then(() => null),
    (error: unknown) => `${CHROMIUM} does not start: ${String(error)}`,
  );
}
