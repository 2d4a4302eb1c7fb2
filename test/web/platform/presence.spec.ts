import { describe, expect, it } from '@jest/globals';
import { evolvePresence, NO_PRESENCE, whereaboutsOf, withTold } from '../../../web/platform/state/presence.js';

const OFFLINE_SECONDS = 200;
const NOW = 10_000;

const told = withTold(
  { ...NO_PRESENCE, offlineSeconds: OFFLINE_SECONDS },
  {
    presences: {
      1: { active_timestamp: NOW - OFFLINE_SECONDS, idle_timestamp: NOW },
      2: { active_timestamp: NOW - OFFLINE_SECONDS - 1, idle_timestamp: NOW - OFFLINE_SECONDS },
      3: { idle_timestamp: NOW - OFFLINE_SECONDS - 1 },
    },
    presence_last_update_id: 5,
    server_timestamp: NOW,
  },
);

describe('whereabouts', () => {
  it.each([
    [1, 'active'],
    [2, 'idle'],
    [3, 'offline'],
    [4, 'offline'],
  ])('of %s, by when somebody was seen: %s', (userId, where) => {
    expect(whereaboutsOf(told, userId)).toBe(where);
  });

  it('of those of whom nothing was told later stay, until the time is over', () => {
    const later = withTold(told, { presences: {}, presence_last_update_id: 5, server_timestamp: NOW + 1 });
    expect([1, 2, 3].map((id) => whereaboutsOf(later, id))).toEqual(['idle', 'offline', 'offline']);
  });

  it('change by an event: who hides is offline at once', () => {
    const event = {
      type: 'presence',
      id: 0,
      presences: { 1: { idle_timestamp: NOW - 320 }, 3: { active_timestamp: NOW + 5 } },
    } as const;
    const after = evolvePresence(told, event);
    expect([1, 2, 3].map((id) => whereaboutsOf(after, id))).toEqual(['offline', 'idle', 'active']);
  });
});
