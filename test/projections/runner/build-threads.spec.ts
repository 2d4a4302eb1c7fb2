import { describe, expect, it } from '@jest/globals';
import { projections } from '../../../projections/index.js';
import { sharesOf, slowestOf } from '../../../projections/runner/build-work.js';
import type { BuildProgress } from '../../../projections/runner/rebuild-protocol.js';

const builds = projections.map((projection) => ({ projection }));

const progress = (name: string, position: number): BuildProgress => ({
  projections: [name],
  done: position,
  total: 100,
  eventsPerSecond: 10,
  secondsLeft: 100 - position,
  position,
  head: 100,
  stall: null,
});

describe('the threads of a rebuild', () => {
  it('share out the projections, each once, and the messages are not with the audit', () => {
    const shares = sharesOf(builds, 2);
    const names = shares.map((share) => share.map(({ projection }) => projection.name));
    expect(shares).toHaveLength(2);
    expect(names.flat().sort()).toEqual(projections.map(({ name }) => name).sort());
    expect(names.find((own) => own.includes('messages'))).not.toContain('audit');
  });

  it('are no more than cores, two, or projections', () => {
    expect(sharesOf(builds, 1)).toHaveLength(1);
    expect(sharesOf(builds, 64)).toHaveLength(2);
    expect(sharesOf(builds.slice(0, 1), 64)).toHaveLength(1);
    expect(sharesOf([], 2)).toHaveLength(0);
  });

  it('report the thread that is furthest behind', () => {
    const both = slowestOf([progress('fast', 70), progress('slow', 30)]);
    expect(both).toEqual({ ...progress('slow', 30), projections: ['fast', 'slow'] });
  });

  it('report a stall of any thread, with its place', () => {
    const stall = { message: 'documents: away', since: 1 };
    const both = slowestOf([{ ...progress('fast', 70), stall }, progress('slow', 30)]);
    expect(both).toEqual({ ...progress('fast', 70), stall, projections: ['fast', 'slow'] });
  });
});
