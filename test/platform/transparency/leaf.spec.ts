import { describe, expect, it } from '@jest/globals';
import { encodeAppend } from '../../../src/platform/log/encode-append.js';
import type { StoredEvent } from '../../../src/platform/log/event-store.js';
import { RecentCommits } from '../../../src/platform/log/sqlite/recent-commits.js';
import { leafOf } from '../../../src/platform/transparency/leaf.js';
import { EMPTY_ROOT, GrowingTree, treeRoot } from '../../../src/platform/transparency/merkle.js';
import { TiledTree } from '../../../src/platform/transparency/tiled-tree.js';

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

const rootOf = (...events: StoredEvent[]): string => {
  const tree = new GrowingTree();
  for (const event of events) tree.add(leafOf(event).data);
  return tree.root.toString('base64');
};

// A program in another language computed the leaves and roots below. It was written from the definition alone.
describe('the leaf of an event', () => {
  it.each([
    [founded, 'c4d6894e8c132ad92eb9076dfb25acfaeb40b336580857a6539de105faaf0d63', 302],
    [sent, '57a668f4725b735eaf85af98893c82fd4b7a8b92384c2454b954b97d4532db5c', 369],
  ])('is what follows from its definition', (event, hex, bytes) => {
    const leaf = leafOf(event);
    expect({ hex: leaf.data.toString('hex'), bytes: leaf.bytes }).toEqual({ hex, bytes });
  });

  it('does not depend on positions, nor on the order of names', () => {
    const { metadata } = founded;
    const reordered = Object.fromEntries(Object.entries(metadata).reverse()) as unknown as typeof metadata;
    const moved: StoredEvent = { ...founded, position: 4711, metadata: reordered };
    expect(leafOf(moved)).toEqual(leafOf(founded));
  });

  it.each([founded, sent])('is the same in the process that has just committed the event: $type', (event) => {
    const { stream, revision, position } = event;
    const recent = new RecentCommits(0);
    const request = { stream, expected: 'any', events: encodeAppend(stream, [event], 'any') } as const;
    recent.commit([request], [{ kind: 'appended', revision, position }], true);
    const [committed] = recent.read(0, 1, undefined).events;
    expect(committed?.written).toBeDefined();
    expect(committed && leafOf(committed)).toEqual(leafOf(event));
    expect(committed && { ...committed }).toEqual(JSON.parse(JSON.stringify(event)));
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
    expect(leafOf({ ...founded, ...change }).data).not.toEqual(leafOf(founded).data);
  });
});

describe('a growing tree', () => {
  it('has the root of its leaves', () => {
    expect(rootOf(founded)).toBe('kXWRYCmD+DoPKP5rwFoCksTXveMvhHNgKSBDviasTJ8=');
    expect(rootOf(founded, sent)).toBe('yqz9exyJmqFzrNxNT3DZ+VDxOmZ+55PlREyXCreubTk=');
  });

  it('has the roots of the tiled tree', async () => {
    const growing = new GrowingTree();
    const tiled = await TiledTree.open({ read: async () => null }, 0);
    expect(growing.root).toEqual(EMPTY_ROOT);
    for (let n = 0; n < 300; n++) {
      const { data } = leafOf({ ...sent, revision: n });
      growing.add(data);
      tiled.add(data);
      expect(growing.root).toEqual(await treeRoot(n + 1, tiled));
    }
  });

  it('depends on the order and the number of events', () => {
    expect(
      new Set([rootOf(founded, sent), rootOf(sent, founded), rootOf(founded), rootOf(founded, founded)]).size,
    ).toBe(4);
  });

  it('equals another with the same leaves', () => {
    const [one, other] = [new GrowingTree(), new GrowingTree()];
    one.add(leafOf(sent).data);
    expect(one.equals(other)).toBe(false);
    other.add(leafOf(sent).data);
    expect(one.equals(other)).toBe(true);
  });
});
