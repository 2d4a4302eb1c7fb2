import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../../scripts/transpile.js';
import { runProve } from '../../../src/app/cli/prove.js';
import { PublishedTree } from '../../../src/platform/transparency/published-tree.js';
import { NoteVerifier, parseCheckpoint, parseNote } from '../../../src/platform/transparency/signed-note.js';
import { type OwnEngines, ownEngines } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';
import { WitnessServer } from '../../support/outside/witness-server.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('a server with a witness', () => {
  let witness: WitnessServer;
  let engines: OwnEngines;
  let annals: Annals;
  let owner: Member;
  let log = '';
  let id = 0;

  beforeAll(async () => {
    witness = await WitnessServer.start('witness.example', () => (log === '' ? null : NoteVerifier.parse(log)));
    engines = await ownEngines();
    annals = await Annals.on(engines, { ANNALS_WITNESSES: witness.setting, ANNALS_CHECKPOINT_SECONDS: '1' });
    log = (await eventually(async () => (await annals.app.get(PublishedTree).head())?.verifier)) ?? '';
    owner = await annals.owner();
    id = (await owner.api.post('/messages', { type: 'direct', to: [owner.id], content: 'words' })).body.id;
    const size = (await annals.app.get(PublishedTree).reach(await annals.head(), 60_000)).size;
    await eventually(() => expect(witness.last.size).toBeGreaterThanOrEqual(size));
  });
  afterAll(async () => {
    await annals.stop();
    await witness.stop();
  });

  /** What verify.mjs says if it wants the cosignature. */
  async function verified(text: string): Promise<string> {
    const file = join(annals.dataDirectory, 'proofs.json');
    await writeFile(file, text);
    const words = [join(ROOT, 'bin/verify.mjs'), file, '--key', log, '--witness', String(witness.key)];
    return (await promisify(execFile)(process.execPath, words)).stdout;
  }

  it('serves the cosigned checkpoint, and tells how far the witness is', async () => {
    await eventually(async () => {
      const note = parseNote(await (await fetch(`${annals.url}/transparency/checkpoint`)).text());
      expect(witness.key.signedAt(note)).not.toBeNull();
      const { size } = parseCheckpoint(note.text);
      const { checkpoints } = await annals.health();
      expect(checkpoints?.witnesses).toEqual([{ name: 'witness.example', size, problem: null }]);
    });
  });

  it('proves events under it', async () => {
    const { body } = await owner.api.get('/audit/proof', { message_id: id });
    expect(await verified(JSON.stringify(body))).toContain('MessageSent');
    const output = join(engines.dataDirectory, 'given');
    await runProve(engines.settings, { message: id, output }, process.stdout);
    expect(await verified(await readFile(output, 'utf8'))).toContain('MessageSent');
  });
});
