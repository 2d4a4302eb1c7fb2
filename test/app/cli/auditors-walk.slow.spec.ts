import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { ROOT } from '../../../scripts/transpile.js';
import { Api } from '../../support/requests/api.js';
import { run } from '../../support/servers/command-line.js';
import { RunningServer, temporaryDataDirectory } from '../../support/servers/running-server.js';

const VERIFY = join(ROOT, 'bin/verify.mjs');
const SITE = 'https://chat.example.org';

interface AuditEvent {
  readonly id: string;
  readonly kind: string;
  readonly actor: { readonly name: string; readonly name_today: string };
  readonly address: string | null;
  readonly time: string;
  readonly data: Readonly<Record<string, unknown>>;
}

const verified = (file: string, words: readonly string[]) =>
  promisify(execFile)(process.execPath, [VERIFY, file, ...words]).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }),
  );

it('an auditor comes from "who moved this?" to a verified file, and keeps the log to its word', async () => {
  const data = await temporaryDataDirectory();
  const settings = { ANNALS_DATA_DIR: data.path, ANNALS_SITE: SITE };
  const file = (name: string): string => join(data.path, name);
  const kept = async (name: string, words: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(words, settings);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await writeFile(file(name), stdout);
    return stdout;
  };
  let server = await RunningServer.start(data.path, settings);
  try {
    const owner = new Api(await server.owner());
    const send = async (topic: string) =>
      Number((await owner.post('messages', { type: 'channel', to: 'general', topic, content: 'the words' })).id);
    const moved = await send('plans');
    await send('plans');
    await owner.patch(`messages/${moved}`, { topic: 'ideas', propagate_mode: 'change_all' });
    await owner.patch('settings', { full_name: 'Somebody else' });

    // Who moved it, when, from where, from where to where?
    const asked = await owner.get('audit/events', { message_id: moved, kind: ['MessagesMoved'] });
    const [move] = asked.events as readonly [AuditEvent];
    expect(move.actor).toMatchObject({ name_today: 'Somebody else' });
    expect(move.actor.name).not.toBe('Somebody else');
    expect(move.address).toMatch(/^(::ffff:)?127\.0\.0\.1$|^::1$/);
    expect(Math.abs(Date.parse(move.time) - Date.now())).toBeLessThan(120_000);
    expect(JSON.stringify(move.data)).toMatch(/plans.*ideas|ideas.*plans/);
    // The operator sees the same.
    const printed = await kept('audit.json', ['audit', '--message', String(moved), '--format', 'json']);
    expect(JSON.parse(printed)).toContainEqual(move);

    // The auditor takes away the key, a checkpoint and the proofs.
    await kept('key', ['key']);
    await writeFile(file('checkpoint'), await (await fetch(`${server.url}/transparency/checkpoint`)).text());
    const proofs = await owner.get('audit/proof', { event_id: move.id });
    await writeFile(file('from-api.json'), JSON.stringify(proofs));
    await run(['prove', '--message', String(moved), '--output', file('proofs.json')], settings);
    const key = ['--key', file('key')];
    for (const name of ['from-api.json', 'proofs.json'])
      expect(await verified(file(name), key)).toMatchObject({ code: 0 });
    // Somebody else is named as the mover.
    const forged = (await readFile(file('proofs.json'), 'utf8')).replaceAll(/"actorId":\s*1\b/g, '"actorId":2');
    await writeFile(file('forged.json'), forged);
    const refused = await verified(file('forged.json'), key);
    expect(refused).toMatchObject({ code: 1, text: expect.stringContaining(move.id) });

    // Months later: more has happened, the server was killed, and its documents were built anew.
    await owner.delete(`messages/${moved}`);
    await server.kill();
    server = await RunningServer.start(data.path, settings);
    await run(['rebuild'], settings);
    const again = new Api(await server.owner());
    const deleted = (await again.get('audit/events', { message_id: moved, order: 'oldest' })).events;
    expect((deleted as readonly AuditEvent[]).map(({ kind }) => kind)).toEqual([
      'MessageSent',
      'MessagesMoved',
      'MessageDeleted',
    ]);
    expect(deleted).toContainEqual(move);
    // The log still begins with what the kept checkpoint says, and every event of it is as it was.
    await run(['prove', '--all', '--output', file('log.jsonl')], settings);
    expect(await verified(file('log.jsonl'), [...key, '--checkpoint', file('checkpoint')])).toMatchObject({ code: 0 });
    const whole = await run(['verify', '--checkpoint', file('checkpoint')], settings);
    expect(whole).toMatchObject({ code: 0, stdout: expect.stringContaining('The log is right') });
  } finally {
    await server.kill();
    await data.remove();
  }
});
