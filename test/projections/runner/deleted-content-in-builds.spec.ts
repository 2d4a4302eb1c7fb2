import { expect, it } from '@jest/globals';
import { LiveProjection } from '../../../projections/runner/live-projection.js';
import { LiveProjections } from '../../../projections/runner/live-projections.js';
import { buildBegun, switched, unbuilt } from '../../../projections/runner/projection-record.js';
import { START } from '../../../src/platform/kernel/position.js';
import { roster } from '../../support/projections/roster-projections.js';

const SHORT = 100;
const LONG = 60_000;

it('a build may hold content that was deleted meanwhile, until its documents are live', async () => {
  const record = buildBegun(unbuilt(roster, 1), roster, 2);
  const live = new LiveProjection(roster, record, () => {});
  const lives = new LiveProjections(SHORT);
  lives.add(live);
  expect(await lives.areRidOf(START, [roster], SHORT)).toBe(false);
  // A caller that is responsible for the live documents alone does not wait for a build.
  expect(await lives.areRidOf(START, [roster], SHORT, true)).toBe(true);

  const rid = lives.areRidOf(START, [roster], LONG);
  live.record = switched(record, 3, 0);
  expect(await rid).toBe(true);
});
