import { describe, expect, it } from '@jest/globals';
import { leafOf } from '../../../src/platform/transparency/leaf.js';
import { provenEvent } from '../../../src/platform/transparency/proofs.js';

describe('an event as a proof has it', () => {
  const event = {
    position: 1,
    stream: 'users',
    revision: 0,
    id: '018f0000-0000-7000-8000-000000000001',
    type: 'ApiKeysEnded',
    version: 1,
    data: { userId: 9, keyHashes: ['a1', 'b2'], passwordHash: null },
    metadata: { actorId: 9, client: 'test', at: 1, correlationId: 'c', causationId: null },
  };

  it('hides every hash of a list, names what it hides, and has the leaf of the whole', () => {
    const { event: shown, hidden, leaf } = provenEvent(event, ['keyHashes', 'passwordHash']);
    expect(shown).toMatchObject({ data: { userId: 9, keyHashes: ['(hash)', '(hash)'], passwordHash: null } });
    expect(hidden).toEqual(['data.keyHashes']);
    expect(leaf).toBe(leafOf(event).data.toString('base64'));
  });

  it('is whole where there is nothing to hide', () => {
    expect(provenEvent(event, ['passwordHash'])).toEqual({
      event: expect.objectContaining({ data: event.data, metadata: event.metadata }),
    });
  });
});
