import { describe, expect, it } from '@jest/globals';
import { documents } from './documents.js';
import { sourceFiles } from './source-files.js';
import { wronglyUnbuilt } from './unbuilt.js';

const sources = sourceFiles('src', 'projections').map(({ path }) => path);

describe('what the documents call unbuilt', () => {
  it('has no folder or file', () => {
    expect(
      documents.flatMap(({ path, text }) => wronglyUnbuilt(text, sources).map((what) => `${path}: ${what}`)),
    ).toEqual([]);
  });

  it.each([
    ['Push notifications are not built yet.'],
    ['Mails wait. Push notifications, which wake apps, are to be built.'],
    ['Not built yet: moons, saved\nsnippets, and tides.'],
    ['| drafts | come later |\n|---|---|\n| a | Drafts come later |'],
    ['The copy of a log does not exist yet.'],
    ['There is no bouncer yet.'],
    ['`annals copy` will be built.'],
  ])('is found if it is built: %j', (page) => {
    expect(wronglyUnbuilt(page, sources)).toHaveLength(1);
  });

  it.each([
    ['An event that renders old messages anew is not built yet. Links of topics are computed.'],
    ['Not built yet: a search for holes in the log, and moons.'],
    ['A copied log does not exist without its keys.'],
  ])('may be missing: %j', (page) => {
    expect(wronglyUnbuilt(page, sources)).toEqual([]);
  });
});
