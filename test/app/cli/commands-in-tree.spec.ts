import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { embeddedEngines, type OwnEngines } from '../../support/engines/own-engines.js';
import { Annals } from '../../support/servers/annals.js';
import { run } from '../../support/servers/command-line.js';

const SITE = { ANNALS_SITE: 'https://chat.example.org' };
const COMMANDS = [['log', '--limit', '1'], ['grant', 'can_create_users', '1'], ['audit', '--limit', '1'], ['rebuild']];
const RIGHT = { code: 0, stderr: '' };

let engines: OwnEngines;

beforeEach(async () => {
  engines = await embeddedEngines();
});
afterEach(() => engines.remove());

const command = (words: readonly string[], settings = {}) => run(words, { ...engines.environment, ...settings });
const size = (stdout: string): number => Number(/: ([\d,]+) events, root/.exec(stdout)?.[1]?.replace(/,/g, ''));

it('commands without a server take their events into the signed tree', async () => {
  await (await Annals.on(engines, SITE)).close();
  let before = size((await command(['verify'])).stdout);
  for (const words of COMMANDS) {
    expect(await command(words)).toMatchObject({ code: 0 });
    const { stdout, ...outcome } = await command(['verify']);
    expect({ words, ...outcome }).toEqual({ words, ...RIGHT });
    expect(size(stdout)).toBeGreaterThan(before);
    before = size(stdout);
  }
  // The server goes on with that tree, under the same name.
  const annals = await Annals.on(engines, SITE);
  expect(await annals.events('transparency')).toEqual([]);
  await annals.close();
  expect(await command(['verify'])).toMatchObject({ ...RIGHT, stdout: expect.stringMatching(/^The log is right: /m) });
});

it('commands leave their events behind a tree whose key they do not know', async () => {
  const settings = { ...SITE, ANNALS_SIGNING_KEY_FILE: join(engines.dataDirectory, 'signing-key') };
  await (await Annals.on(engines, settings)).close();
  await command(['log', '--limit', '1'], settings);
  expect(await command(['verify'])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(
      /^annals: 1 event is behind the tree, .*: OperatorActed .*\. That is normal after a kill or a crash, and the next start takes it in\. .*\n$/,
    ),
  });
  await (await Annals.on(engines, settings)).close();
  expect(await command(['verify'])).toMatchObject(RIGHT);
});
