import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { sends } from '../../../projections/sends/sends.projection.js';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { eventIdOf } from '../../../src/features/messages/domain/send-key.js';
import { CommandRunner } from '../../../src/platform/commands/command-runner.js';
import {
  DOCUMENT_STORE,
  type DocumentDatabase,
  type DocumentStore,
} from '../../../src/platform/documents/document-store.js';
import { Deferred } from '../../../src/platform/kernel/deferred.js';
import { derivedId } from '../../../src/platform/kernel/ids.js';
import { embeddedEngines } from '../../support/engines/own-engines.js';
import { eventually } from '../../support/eventually.js';
import { countedLookUps } from '../../support/projections/counted-look-ups.js';
import { Annals, type Member } from '../../support/servers/annals.js';

// A server of one process remembers the ids in the table of sends, once it has read them. Until then it asks the table.

describe('a repeated send', () => {
  let annals: Annals;
  let owner: Member;
  let keys = 0;

  beforeAll(async () => {
    annals = await Annals.on(await embeddedEngines());
    owner = await annals.owner();
    await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'general' }] });
  });
  afterAll(() => annals.stop());

  const newKey = (): string => `key ${++keys}`;
  const send = async (key: string, content = key) => {
    const message = { type: 'channel', to: 'general', topic: 't', content };
    return (await owner.api.post('/messages', message, { headers: { 'Idempotency-Key': key } })).body;
  };
  const sent = async (content: string) =>
    (await annals.events('messages')).filter(
      ({ type, data }) => type === 'MessageSent' && JSON.stringify(data).includes(`"${content}"`),
    );

  /** The documents that the server reads. */
  async function table(): Promise<DocumentDatabase> {
    const live = annals.app
      .get<ReadSide>(READ_SIDE)
      .status()
      .find(({ name }) => name === sends.name);
    const database = await annals.app.get<DocumentStore>(DOCUMENT_STORE).database(live?.database ?? '');
    await database.close();
    return database;
  }

  /** Resolves when a send under a new key does not ask the table. */
  async function remembered(): Promise<void> {
    const lookUps = countedLookUps(await table());
    await eventually(async () => {
      const before = lookUps.count;
      expect((await send(newKey())).result).toBe('success');
      expect(lookUps.count).toBe(before);
    });
    lookUps.end();
  }

  describe.each([
    ['a restart', () => annals.restart()],
    ['a restart without documents', () => annals.restart(() => annals.removeDocuments())],
    ['a rebuild', () => annals.app.get<ReadSide>(READ_SIDE).rebuild([sends.name], () => {})],
  ])('after %s', (_, passes) => {
    it('gets the first answer, before the table is read and afterwards', async () => {
      const [early, late] = [newKey(), newKey()];
      await remembered();
      const answers = [await send(early), await send(late)];
      await passes();
      expect(await send(early)).toEqual(answers[0]);
      await remembered();
      expect([await send(early), await send(late)]).toEqual(answers);
      expect([await sent(early), await sent(late)].map(({ length }) => length)).toEqual([1, 1]);
    });

    it('gets the first answer even if the message is deleted', async () => {
      const key = newKey();
      const first = await send(key);
      expect((await owner.api.delete(`/messages/${first.id}`)).body.result).toBe('success');
      const head = await annals.head();
      await passes();
      expect(await send(key)).toEqual(first);
      expect(await annals.head()).toBe(head);
      await remembered();
      const later = await annals.head();
      expect(await send(key)).toEqual(first);
      expect(await annals.head()).toBe(later);
    });
  });

  describe('once the table is read', () => {
    beforeEach(() => remembered());

    it('gets the first answer a moment after it', async () => {
      const key = newKey();
      const first = await send(key);
      expect(await send(key)).toEqual(first);
      expect((await send(key, 'other')).code).toBe('EXPECTATION_MISMATCH');
    });

    it('gets the first answer even if the message is deleted', async () => {
      const key = newKey();
      const first = await send(key);
      expect((await owner.api.delete(`/messages/${first.id}`)).body.result).toBe('success');
      expect(await send(key)).toEqual(first);
      expect(await send(key, 'other')).toEqual(first);
    });

    it('is one message if the repeats arrive at the same time', async () => {
      const key = newKey();
      const answers = await Promise.all(Array.from({ length: 20 }, () => send(key)));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(await sent(key)).toHaveLength(1);
    });

    it('is one message if an earlier attempt has stored its key alone', async () => {
      const key = newKey();
      const id = derivedId('idempotency-key', owner.id, key);
      await annals.app.get(CommandRunner).sealingKey(eventIdOf({ id, kind: 'idempotency-key' }, 0));
      const first = await send(key);
      expect(first.result).toBe('success');
      expect(await send(key)).toEqual(first);
      expect(await sent(key)).toHaveLength(1);
    });

    it('waits for the table if its message is not in it yet', async () => {
      const database = await table();
      const write = database.write.bind(database);
      const held = new Deferred<void>();
      const isHeld = new Deferred<void>();
      database.write = async (whole) => {
        isHeld.resolve();
        await held.promise;
        return write(whole);
      };
      const key = newKey();
      const first = send(key);
      await isHeld.promise;
      const again = send(key);
      held.resolve();
      expect(await again).toEqual(await first);
      expect(await sent(key)).toHaveLength(1);
      database.write = write;
    });
  });
});
