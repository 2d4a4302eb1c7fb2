import { cp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { idsIn } from '../../../src/app/roles/organization-identity.js';
import { ORGANIZATION_STREAM } from '../../../src/events/organization/organization.events.js';
import { LOG_OF_KEYS } from '../../../src/platform/content-keys/content-keys.js';
import { SqliteConnection } from '../../../src/platform/sqlite/driver.js';
import { embeddedEngines, type OwnEngines } from '../../support/engines/own-engines.js';
import { Annals } from '../../support/servers/annals.js';
import { run } from '../../support/servers/command-line.js';

describe('the log and the keys of two organizations', () => {
  let ours: OwnEngines;
  let theirs: OwnEngines;

  beforeEach(async () => {
    [ours, theirs] = [await embeddedEngines(), await embeddedEngines()];
    for (const engines of [ours, theirs]) {
      const annals = await Annals.on(engines);
      const owner = await annals.owner();
      const message = { type: 'direct', to: [owner.id], content: 'words' };
      expect((await owner.api.post('/messages', message)).status).toBe(200);
      await annals.close();
    }
  });
  afterEach(async () => {
    for (const engines of [ours, theirs]) await engines.remove();
  });

  const theirsHere = async (file: string): Promise<void> => {
    for (const suffix of ['-wal', '-shm']) await rm(join(ours.dataDirectory, `${file}${suffix}`), { force: true });
    await rename(join(ours.dataDirectory, file), join(ours.dataDirectory, `own-${file}`));
    await cp(join(theirs.dataDirectory, file), join(ours.dataDirectory, file));
  };
  const ownAgain = (file: string) => rename(join(ours.dataDirectory, `own-${file}`), join(ours.dataDirectory, file));
  const forgetLog = ({ dataDirectory }: OwnEngines): void => {
    const keys = new SqliteConnection(join(dataDirectory, 'keys.sqlite'));
    keys.exec(`DELETE FROM keys WHERE id = '${LOG_OF_KEYS}'; PRAGMA wal_checkpoint(TRUNCATE)`);
    keys.close();
  };
  const started = () => Annals.on(ours).then((annals) => annals.close());
  const verified = () => run(['verify', '--data-dir', ours.dataDirectory], ours.environment);

  it('each carry the id of the organization', async () => {
    const annals = await Annals.on(ours);
    const [created] = await annals.events(ORGANIZATION_STREAM);
    expect(await idsIn.keys(ours.dataDirectory)).toBe(created?.id);
    expect(await idsIn.log(ours.dataDirectory)).toBe(created?.id);
    await annals.close();
    expect(await idsIn.keys(theirs.dataDirectory)).not.toBe(created?.id);
  });

  it.each(['keys.sqlite', 'log.sqlite'])('are refused together, and the other %s is to be restored', async (file) => {
    await theirsHere(file);
    const refused = new RegExp(
      `keys\\.sqlite has the keys of another organization .*: restore ${file} from its backup`,
    );
    await expect(started()).rejects.toThrow(refused);
    for (const command of ['verify', 'log', 'audit', 'rebuild'])
      expect(await run([command, '--data-dir', ours.dataDirectory], ours.environment)).toEqual({
        code: 1,
        stdout: '',
        stderr: expect.stringMatching(refused),
      });
    await ownAgain(file);
    await started();
    expect(await verified()).toMatchObject({ code: 0 });
  });

  it('are refused, if an earlier version has stored the keys without an id', async () => {
    for (const engines of [ours, theirs]) forgetLog(engines);
    await theirsHere('keys.sqlite');
    const refused = /keys\.sqlite cannot have the keys of this log .*: restore keys\.sqlite from its backup/;
    await expect(started()).rejects.toThrow(refused);
    expect(await verified()).toMatchObject({ code: 1, stderr: expect.stringMatching(refused) });
    expect(await idsIn.keys(ours.dataDirectory)).toBeNull();
    await ownAgain('keys.sqlite');
    await started();
    expect(await idsIn.keys(ours.dataDirectory)).toBe(await idsIn.log(ours.dataDirectory));
  });

  it('are refused, if the log is lost', async () => {
    for (const suffix of ['', '-wal', '-shm'])
      await rm(join(ours.dataDirectory, `log.sqlite${suffix}`), { force: true });
    await expect(started()).rejects.toThrow(
      /log\.sqlite is missing in .* has left keys\.sqlite, .*: restore log\.sqlite from its backup/,
    );
  });
});
