import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EventQueue } from '../../support/requests/event-queue.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const REFUSED = { msg: 'You may not read the audit', code: 'UNAUTHORIZED_PRINCIPAL' };

describe('can_audit_group', () => {
  let annals: Annals;
  let owner: Member;
  let admin: Member;
  let iris: Member;

  beforeAll(async () => {
    annals = await Annals.start();
    owner = await annals.owner();
    admin = await annals.user('admin', 200);
    iris = await annals.user('iris');
  });
  afterAll(() => annals.stop());

  const allow = (by: Member, value: unknown) => by.api.patch('/realm', { can_audit_group: { new: value } });
  const auditors = async () => (await owner.api.get('/audit/auditors')).body.can_audit_group;

  it('lets those whom owners name read the audit, and is told to no client', async () => {
    await expectRefusal(annals, () => iris.api.get('/audit/events'), REFUSED);
    const queue = await EventQueue.register(iris.api, { fetch_event_types: ['realm'] });
    expect(JSON.stringify(queue.state)).not.toContain('can_audit');
    const set = { direct_members: [iris.id], direct_subgroups: [] };
    expect((await allow(owner, set)).status).toBe(200);
    expect(await auditors()).toEqual(set);
    for (const path of ['/audit/events', '/audit/auditors']) expect((await iris.api.get(path)).status).toBe(200);
    const { events } = (await iris.api.get('/audit/events', { kind: ['RealmSettingChanged'] })).body;
    expect(events[0]).toMatchObject({ actor: { user_id: owner.id }, data: { setting: 'can_audit_group' } });
    // The event of the next change comes, and nothing before it.
    await owner.api.patch('/realm', { description: 'told' });
    expect((await queue.poll()).map(({ type, data }) => [type, data])).toEqual([['realm', { description: 'told' }]]);
    await annals.restart(() => annals.removeDocuments());
    expect((await iris.api.get('/audit/events')).status).toBe(200);
  });

  it("is the owners' to change, and never takes their own right away", async () => {
    const nobody = { direct_members: [], direct_subgroups: [] };
    await expectRefusal(annals, () => allow(admin, nobody), {
      msg: expect.any(String),
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect((await allow(owner, nobody)).status).toBe(200);
    expect((await owner.api.get('/audit/events')).status).toBe(200);
    await expectRefusal(annals, () => iris.api.get('/audit/proof', { message_id: 1 }), REFUSED);
    await expectRefusal(annals, () => iris.api.get('/audit/auditors'), REFUSED);
  });
});
