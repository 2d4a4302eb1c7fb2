import { describe, expect, it } from '@jest/globals';
import { isHolder } from '../../../web/platform/rights.js';

const ANN = 7;
const groups = [
  { id: 1, members: [], direct_subgroup_ids: [2] },
  { id: 2, members: [], direct_subgroup_ids: [3] },
  { id: 3, members: [ANN], direct_subgroup_ids: [] },
  { id: 4, members: [8], direct_subgroup_ids: [] },
];

describe('a permission', () => {
  it('is held by those in its group, in groups within it, and perhaps in one that nobody tells of', () => {
    expect([1, 2, 3, 4, 5].filter((id) => isHolder(ANN, id, groups))).toEqual([1, 2, 3, 5]);
  });

  it('is held by people who are named, and by those in groups that are', () => {
    expect(isHolder(ANN, { direct_members: [ANN], direct_subgroups: [] }, groups)).toBe(true);
    expect(isHolder(ANN, { direct_members: [], direct_subgroups: [4, 2] }, groups)).toBe(true);
    expect(isHolder(ANN, { direct_members: [8], direct_subgroups: [4] }, groups)).toBe(false);
  });
});
