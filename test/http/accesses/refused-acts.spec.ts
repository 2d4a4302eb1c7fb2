import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { filesWith } from '../../support/files-with.js';
import { recordedAccesses, times } from '../../support/requests/recorded-accesses.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const ADDRESS = '203.0.113.77';
const from = { headers: { 'X-Forwarded-For': ADDRESS, 'User-Agent': 'Climber/1.0' } };

describe('refused acts in the log', () => {
  let annals: Annals;
  let owner: Member;
  let admin: Member;
  let iris: Member;
  let guest: Member;
  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_TRUSTED_PROXIES: 'loopback', ANNALS_ACCESS_DAYS: '30' });
    owner = await annals.owner();
    admin = await annals.user('admin', 200);
    iris = await annals.user('iris');
    guest = await annals.user('guest', 600);
  });
  afterAll(() => annals.stop());

  /** The acts that were refused while `act` ran. */
  async function refusedDuring(act: () => Promise<unknown>) {
    const before = (await recordedAccesses(annals)).length;
    await act();
    return (await recordedAccesses(annals)).slice(before);
  }
  const refused = ({ id: actorId }: Member, data: object, count = 1) => ({
    type: 'ActRefused',
    data: { ...data, ...times(count) },
    metadata: { actorId, client: 'Climber', address: ADDRESS },
  });

  it('say who tried what on whom, and what the server answered', async () => {
    const events = await refusedDuring(async () => {
      await iris.api.patch(`/users/${guest.id}`, { role: 100 }, from);
      await admin.api.patch(`/users/${iris.id}`, { role: 100 }, from);
      await iris.api.patch('/streams/1', { description: 'mine' }, from);
      await guest.api.post('/user_groups/create', { name: 'g', description: '', members: [guest.id] }, from);
    });
    expect(events).toEqual([
      refused(iris, {
        ...{ method: 'PATCH', route: '/api/v1/users/:user', ids: { user: guest.id } },
        ...{ reason: 'ADMINISTRATOR_REQUIRED', message: 'Must be an organization administrator' },
      }),
      refused(admin, {
        ...{ method: 'PATCH', route: '/api/v1/users/:user', ids: { user: iris.id } },
        ...{ reason: 'OWNER_REQUIRED', message: 'Must be an organization owner' },
      }),
      refused(iris, {
        ...{ method: 'PATCH', route: '/api/v1/streams/:stream_id', ids: { stream_id: 1 } },
        reason: 'CANNOT_ADMINISTER_CHANNEL',
        message: 'You do not have permission to administer this channel.',
      }),
      refused(guest, {
        ...{ method: 'POST', route: '/api/v1/user_groups/create', ids: {} },
        ...{ reason: 'GUESTS_NOT_ALLOWED', message: 'Not allowed for guest users' },
      }),
    ]);
  });

  it('are one event for all repeats, whatever the request said', async () => {
    const events = await refusedDuring(async () => {
      for (const description of ['one', 'two', 'three']) await iris.api.patch('/realm', { description }, from);
    });
    expect(events).toMatchObject([{ type: 'ActRefused', data: { route: '/api/v1/realm', ids: {}, count: 3 } }]);
  });

  it('have no word of the request', async () => {
    const events = await refusedDuring(() =>
      iris.api.patch('/users/whispered@example.com', { full_name: 'whispered' }, from),
    );
    expect(events).toMatchObject([{ type: 'ActRefused', data: { ids: {}, count: 1 } }]);
    await annals.restart(async () => {
      expect(await filesWith(annals.dataDirectory, [Buffer.from('whispered')])).toEqual([]);
    });
  });

  it('are found by the audit, and so are attempts to read it', async () => {
    await refusedDuring(() => guest.api.get('/audit/events', {}, from));
    const asked = { kind: ['ActRefused'], actor: guest.id, limit: 1 };
    const { events } = (await owner.api.get('/audit/events', asked)).body;
    expect(events).toMatchObject([
      {
        actor: { user_id: guest.id },
        address: ADDRESS,
        data: { method: 'GET', route: '/api/v1/audit/events', reason: 'AUDIT_NOT_ALLOWED' },
      },
    ]);
  });

  it('are none of what anybody would be refused, nor of other reads', async () => {
    const events = await refusedDuring(async () => {
      expect((await owner.api.patch('/users/999', { role: 400 })).status).toBe(400);
      expect((await iris.api.get('/streams', { include_all_active: true })).body.msg).toBe(
        'User not authorized for this query',
      );
      expect((await annals.api.patch('/realm', { name: 'x' })).status).toBe(401);
    });
    expect(events).toEqual([]);
  });
});
