import { describe, expect, it } from '@jest/globals';
import { Chain, canonicalEvent } from '../../../src/platform/log/chain.js';
import type { StoredEvent } from '../../../src/platform/log/event-store.js';

const founded: StoredEvent = {
  position: 1,
  stream: 'organization',
  revision: 0,
  id: '018f0000-0000-7000-8000-000000000001',
  type: 'OrganizationCreated',
  version: 1,
  data: { name: 'Zoë & Söhne 😀', z: 1, a: [1, -0, 1.5, 1e21, null, true] },
  metadata: { actorId: null, client: 'annals', at: 1_700_000_000_000, correlationId: 'c-1', causationId: null },
};

const sent: StoredEvent = {
  position: 2,
  stream: 'messages',
  revision: 0,
  id: '018f0000-0000-7000-8000-000000000002',
  type: 'MessageSent',
  version: 2,
  data: {
    content: { keyId: '018f0000-0000-7000-8000-000000000002', box: 'AAECAw==' },
    '€': '"\\\n\u000f',
    '😀': 1,
    '\ufb33': 2,
  },
  metadata: { actorId: 1, client: 'curl', at: 1_700_000_000_001, correlationId: 'c-2', causationId: founded.id },
};

const chainOf = (...events: StoredEvent[]): Chain => {
  const chain = new Chain();
  for (const event of events) chain.add(event);
  return chain;
};

describe('the chain', () => {
  it('starts with zeroes', () => {
    expect(new Chain()).toMatchObject({ count: 0, head: '0'.repeat(64) });
  });

  // A program in another language computed both heads. It was written from the definition alone.
  it('has the heads that follow from its definition', () => {
    expect(chainOf(founded)).toMatchObject({
      count: 1,
      head: 'b634c1ab1698128f5a25b63c28084dfcd6629963559212996b2c1a275ddaf35a',
    });
    expect(chainOf(founded, sent)).toMatchObject({
      count: 2,
      head: 'd33c6de889ee215c23f95bb4537010559ae00670531ef8b4d5bd4cef47fe7f94',
    });
  });

  it('returns the size of an added event in bytes', () => {
    expect(new Chain().add(founded)).toBe(Buffer.byteLength(canonicalEvent(founded)));
  });

  it('does not depend on positions, nor on the order of names', () => {
    const { metadata } = founded;
    const reordered = Object.fromEntries(Object.entries(metadata).reverse()) as unknown as typeof metadata;
    expect(chainOf({ ...founded, position: 4711, metadata: reordered }).equals(chainOf(founded))).toBe(true);
  });

  it.each<[string, Partial<StoredEvent>]>([
    ['stream', { stream: 'organisation' }],
    ['revision', { revision: 1 }],
    ['id', { id: sent.id }],
    ['type', { type: 'OrganizationRenamed' }],
    ['version', { version: 2 }],
    ['data', { data: { ...founded.data, z: 2 } }],
    ['metadata', { metadata: { ...founded.metadata, at: 1 } }],
  ])('depends on the %s', (_, change) => {
    expect(chainOf({ ...founded, ...change }).equals(chainOf(founded))).toBe(false);
  });

  it('depends on the order and the number of events', () => {
    const heads = [chainOf(founded, sent), chainOf(sent, founded), chainOf(founded), chainOf(founded, founded)];
    expect(new Set(heads.map(({ head }) => head)).size).toBe(4);
    expect(heads.every((chain, index) => heads.findIndex((other) => other.equals(chain)) === index)).toBe(true);
  });
});
