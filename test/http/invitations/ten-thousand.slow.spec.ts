import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SendInvitations } from '../../../src/features/invitations/domain/send-invitations.js';
import { Annals, by, type Member } from '../../support/annals.js';
import { EventQueue } from '../../support/event-queue.js';
import { eventually } from '../../support/eventually.js';

const REQUESTS = 10;
const AT_ONCE = 1000;

describe('ten thousand invitations', () => {
  let annals: Annals;
  let owner: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
  });
  afterAll(() => annals?.stop());

  it('are told of once a request, and listed fast', async () => {
    const queue = await EventQueue.register(owner.api, { event_types: ['invites_changed'] });
    const terms = { role: 400, channelIds: [], groupIds: [], withDefaultChannels: true } as const;
    const options = { expiresAt: Date.now() + 86_400_000, notifiesInviter: true, welcomeText: null };
    for (let request = 0; request < REQUESTS; request++) {
      const to = Array.from({ length: AT_ONCE }, (_, index) => `${request}-${index}@example.org`).join();
      await annals.execute(new SendInvitations({ inviterId: owner.id, invitees: to, terms, options, by }));
    }
    // These commands have not come by HTTP, whose answers wait for the documents.
    const api = await annals.ownerApi();
    await eventually(async () => expect((await api.get('invites')).invites).toHaveLength(REQUESTS * AT_ONCE));
    await eventually(async () => {
      await queue.drain();
      expect(queue.events.length).toBeGreaterThanOrEqual(REQUESTS);
    });
    expect(queue.events.map(({ type }) => type)).toEqual(Array(REQUESTS).fill('invites_changed'));

    const times: number[] = [];
    for (let round = 0; round < 5; round++) {
      const started = performance.now();
      const { invites } = await api.get('invites');
      times.push(performance.now() - started);
      expect(invites).toHaveLength(REQUESTS * AT_ONCE);
    }
    // About 50 ms on an idle machine. The bound is for busy ones.
    expect(Math.min(...times)).toBeLessThan(2000);
  });
});
