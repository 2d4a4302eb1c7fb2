import { describe, expect, it } from '@jest/globals';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { AuditLog } from '../../../src/features/audit/log/audit-log.js';
import { newContentKey, seal } from '../../../src/platform/content-keys/seal.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import type { StoredEvent } from '../../../src/platform/log/event-store.js';

const content = newContentKey();
const month = newContentKey();
const keys = new Map([
  ['content', content],
  ['month', month],
]);
const sent: StoredEvent = {
  id: 'e1',
  type: 'MessageSent',
  version: eventRegistry.get('MessageSent')?.version ?? 0,
  stream: 'messages',
  revision: 0,
  position: 1,
  data: { senderId: 1, content: { ...seal({ text: 'psst' }, 'content', content) } },
  metadata: {
    actorId: 1,
    client: 'test',
    at: 1,
    correlationId: 'c',
    causationId: null,
    address: seal('192.0.2.7', 'month', month),
  },
};

describe('the log that the audit reads', () => {
  it('opens events without words by the keys of addresses alone', async () => {
    const asked: string[] = [];
    const getMany = (ids: readonly string[]) => {
      asked.push(...ids);
      return Promise.resolve(keys);
    };
    const unread = () => Promise.reject(new Error('the log is not read'));
    const log = new AuditLog(
      { knownHead: null, head: unread, readStream: unread },
      new EventCodec({ getMany }, eventRegistry),
    );

    const [withWords] = await log.opened([sent]);
    expect(withWords?.data).toMatchObject({ content: { text: 'psst' } });
    asked.length = 0;
    const [without] = await log.openedWithoutWords([sent]);
    expect(asked).toEqual(['month']);
    expect(without).toEqual({ ...withWords, data: { ...withWords?.data, content: null } });
    expect(without?.metadata.address).toBe('192.0.2.7');
  });
});
