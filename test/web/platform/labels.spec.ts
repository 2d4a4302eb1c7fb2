import { expect, it } from '@jest/globals';
import { withLabels } from '../../../web/platform/labels.js';

const LABELS: Readonly<Record<string, string>> = { full_name: 'New name', name: 'Name', password: 'First password' };

it.each([
  ['full_name cannot be blank', '“New name” cannot be blank'],
  ['name is too long', '“Name” is too long'],
  ['Invalid full_name or password', 'Invalid “New name” or password'],
  ['other_name cannot be blank', 'other_name cannot be blank'],
  ['The server did not answer', 'The server did not answer'],
])('a refusal names fields as the page does: %s', (words, told) => {
  expect(withLabels(words, (name) => LABELS[name])).toBe(told);
});
