import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { ROOT } from '../../../scripts/transpile.js';
import { Annals } from '../../support/servers/annals.js';

const run = promisify(execFile);
const ENDED_WITHIN_MS = 170_000;

export const PROGRAMS = join(ROOT, 'test/clients/generated/programs');

/** A server, its description in a file, and a folder beside it for what generators make. */
export class DescribedServer {
  private constructor(
    readonly annals: Annals,
    readonly folder: string,
  ) {}

  static async start(settings: Readonly<Record<string, string>> = {}): Promise<DescribedServer> {
    const server = new DescribedServer(
      await Annals.start(settings),
      await mkdtemp(join(tmpdir(), 'annals-generated-')),
    );
    const { body } = await server.annals.api.get('/openapi.json');
    await writeFile(server.description, JSON.stringify(body));
    return server;
  }

  get description(): string {
    return join(this.folder, 'openapi.json');
  }

  /** Runs a program in the folder. @returns all that it printed, without colours */
  async run(
    program: string,
    words: readonly string[],
    environment: Readonly<Record<string, string>> = {},
    timeout = ENDED_WITHIN_MS,
  ) {
    const env = { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', FORCE_COLOR: '0', ...environment };
    const options = { cwd: this.folder, env, timeout };
    const { stdout, stderr } = await run(program, words, options).catch((error) => {
      throw new Error(`${program} ${words.join(' ')} failed:\n${error.stdout}\n${error.stderr}`);
    });
    return `${stdout}${stderr}`;
  }

  /**
   * Runs a program that sends a message twice with one key, reads it, waits for another, and asks for one that is not there. It
   * prints what it got.
   */
  async expectExchange(program: string, words: readonly string[], environment: Readonly<Record<string, string>> = {}) {
    const head = await this.annals.head();
    const { email, apiKey } = await this.annals.user('robin');
    const credentials = { ANNALS_API: `${this.annals.url}/api/v1`, ANNALS_EMAIL: email, ANNALS_KEY: apiKey };
    const { ids, ...got } = JSON.parse(await this.run(program, words, { ...credentials, ...environment }));
    const [first, again, second] = ids;
    expect(again).toBe(first);
    expect(got).toEqual({
      read: [[first, 'first']],
      polled: [
        [first, 'first'],
        [second, 'second'],
      ],
      code: 'BAD_REQUEST',
    });
    const sent = (await this.annals.events(undefined, head)).filter(({ type }) => type === 'MessageSent');
    expect(sent.map(({ data }) => data)).toMatchObject([
      { content: { text: 'first' } },
      { content: { text: 'second' } },
    ]);
  }

  async stop(): Promise<void> {
    await this.annals.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}
