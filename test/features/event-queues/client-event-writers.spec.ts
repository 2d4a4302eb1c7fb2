import { describe, expect, it } from '@jest/globals';
import { loadApis } from '../../../src/app/features.js';
import { allClientEventKinds } from '../../support/client-state/client-event-kinds.js';

describe('the writers of client events', () => {
  it('write exactly the kinds that differ by reader, each with one writer', async () => {
    const writers = (await loadApis()).flatMap(({ clientEvents }) => clientEvents);
    const written = writers.flatMap((writer) => new writer().kinds.map(({ kind }) => kind));
    const kinds = await allClientEventKinds();
    const differing = kinds.filter((kind) => !('instead' in kind)).map(({ kind }) => kind);
    expect(differing.length).toBeGreaterThan(20);
    expect(written.sort()).toEqual(differing.sort());
  });
});
