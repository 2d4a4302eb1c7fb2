import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { settings } from '../../../src/app/config/config.js';
import { settingsPage } from '../../support/settings-page.js';

const FILE = new URL('../../../docs/settings.md', import.meta.url);

it('docs/settings.md has every setting as it is declared', () => {
  const page = settingsPage(settings);
  if (process.env.UPDATE_DOCS) writeFileSync(FILE, page);
  expect(readFileSync(FILE, 'utf8')).toBe(page);
});
