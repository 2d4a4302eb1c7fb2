import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compiled } from '../../../scripts/transpile.js';
import { embeddedEngines, type OwnEngines } from '../../support/engines/own-engines.js';
import { Api } from '../../support/requests/api.js';
import type { CommandsRun } from '../../support/servers/commands-process.js';
import { RunningServer } from '../../support/servers/running-server.js';

/** Only a command that hangs reaches it. */
const LONGEST_MS = 150_000;

/** The name of the log. Commands with another one say so. */
const SITE = { ANNALS_SITE: 'https://chat.example.org' };

const COMMANDS = [
  ['verify', '--open', '--documents'],
  ['log', '--limit', '1'],
  ['log', '--message', '1'],
  ['audit', '--limit', '1'],
  ['key'],
  ['prove', '--all'],
  ['grant', 'can_create_users', '1'],
  ['rebuild', '--projection', 'sends'],
  // Without a server, each of these commands has taken its own events into the tree.
  ['verify'],
];

describe('a command leaves nothing open behind', () => {
  let engines: OwnEngines;
  let server: RunningServer;

  beforeAll(async () => {
    engines = await embeddedEngines();
    server = await (await RunningServer.start(engines.dataDirectory, SITE)).caughtUp();
    const message = { type: 'channel', to: 'general', topic: 'commands', content: 'words' };
    await new Api(await server.owner()).post('messages', message);
  });
  afterAll(async () => {
    await server.kill();
    await engines.remove();
  });

  async function ended(lines: readonly (readonly string[])[]) {
    const words = [
      compiled('test/support/servers/commands-process.ts'),
      JSON.stringify([lines, { ...engines.environment, ...SITE }]),
    ];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { timeout: LONGEST_MS });
    return { ...(JSON.parse(stdout) as CommandsRun), stderr };
  }
  const NOTHING = { failed: [], listeners: 0, stderr: '' };

  it('beside a server', async () => {
    expect(await ended(COMMANDS)).toEqual(NOTHING);
  });

  it('without a server', async () => {
    await server.stop();
    const copy = ['copy', '--from', engines.dataDirectory, '--to', join(engines.dataDirectory, 'copy')];
    const { stderr, ...left } = await ended([...COMMANDS, copy]);
    expect({ ...left, stderr: '' }).toEqual(NOTHING);
    expect(stderr).toMatch(/^(annals: the newest .* not in this answer: .*\n)?$/);
  });
});
