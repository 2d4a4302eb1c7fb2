import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from '../../scripts/transpile.js';
import type { HealthReport } from '../../src/app/health/health.js';
import { SqliteConnection } from '../../src/platform/sqlite/driver.js';
import { NoteSigner, NoteVerifier, parseCheckpoint, parseNote } from '../../src/platform/transparency/signed-note.js';
import { isShared } from '../support/engines/own-engines.js';
import { eventually } from '../support/eventually.js';
import { goProgram } from '../support/outside/go.js';
import { Litewitness } from '../support/outside/litewitness.js';
import { Annals, type Member } from '../support/servers/annals.js';

const NAME = 'chat.example.org/transparency';
const COSIGNED_WITHIN_MS = 60_000;

/** OpenSSH's agent keeps the key of the witness. */
const hasAgent = await promisify(execFile)('ssh-add', ['-L']).then(
  () => true,
  ({ code }) => code !== 'ENOENT',
);
if (!hasAgent) process.stdout.write('litewitness: not tried, because there is no OpenSSH\n');
const program = hasAgent && !isShared() ? await goProgram('filippo.io/torchwood/cmd/litewitness@v0.9.0') : null;

(program ? describe : describe.skip)('a server with a witness that others wrote', () => {
  let folder: string;
  let witness: Litewitness;
  let annals: Annals;
  let owner: Member;
  const signer = new NoteSigner(NAME, randomBytes(32));

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'annals-witness-'));
    witness = await Litewitness.start(program ?? '', folder);
    witness.knows(NAME, String(signer.verifier));
    const keyFile = join(folder, 'signing-key');
    await writeFile(keyFile, signer.privateText());
    annals = await Annals.start({
      ANNALS_SIGNING_KEY_FILE: keyFile,
      ANNALS_WITNESSES: `${witness.key} ${witness.url}`,
    });
    owner = await annals.owner();
  });
  afterAll(async () => {
    await annals?.stop();
    await witness?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const send = async (): Promise<number> =>
    (await owner.api.post('/messages', { type: 'direct', to: [owner.id], content: 'words' })).body.id;

  /** The size of the served checkpoint, once the witness has cosigned one that is larger. */
  const cosignedBeyond = (size: number): Promise<number> =>
    eventually(async () => {
      const note = parseNote(await (await fetch(`${annals.url}/transparency/checkpoint`)).text());
      expect(NoteVerifier.parse(witness.key).signedAt(note)).not.toBeNull();
      const served = parseCheckpoint(note.text);
      expect(served.size).toBeGreaterThan(size);
      return served.size;
    }, COSIGNED_WITHIN_MS);

  it('serves what it has cosigned, and proves events under it, over restarts of both', async () => {
    const first = await cosignedBeyond(0);
    const id = await send();
    await witness.restart();
    const second = await cosignedBeyond(first);
    await annals.restart();
    owner = await annals.owner();
    await send();
    await cosignedBeyond(second);

    await eventually(async () => {
      const { body } = await owner.api.get('/audit/proof', { message_id: id });
      const file = join(folder, 'proofs.json');
      await writeFile(file, JSON.stringify(body));
      const words = [join(ROOT, 'bin/verify.mjs'), file, '--key', String(signer.verifier), '--witness', witness.key];
      expect((await promisify(execFile)(process.execPath, words)).stdout).toContain('MessageSent');
    }, COSIGNED_WITHIN_MS);
  });

  it('is caught with a log whose end was written anew, and whose own checkpoints are gone', async () => {
    await send();
    await cosignedBeyond(0);
    await annals.restart(async () => {
      const log = new SqliteConnection(join(annals.dataDirectory, 'log.sqlite'));
      log.exec(`UPDATE events SET metadata = replace(metadata, '"client":"', '"client":"forged ')
        WHERE position = (SELECT max(position) - 3 FROM events)`);
      log.close();
      await annals.removeDocuments();
      await rm(join(annals.dataDirectory, 'checkpoints'));
    });
    owner = await annals.owner();
    await send();
    await eventually(async () => {
      const { checkpoints } = (await owner.api.get('/health')).body as HealthReport;
      expect(checkpoints?.alarms).toEqual([expect.stringContaining('witness.example/lite')]);
    }, COSIGNED_WITHIN_MS);
  });
});
