import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import type { InvitationEvent } from '../../../src/events/invitations/invitations.events.js';
import { SYSTEM_GROUP_IDS } from '../../../src/events/shared/group-setting.js';
import { ExpiredInvitationSweeper } from '../../../src/features/invitations/services/expired-invitation-sweeper.js';
import { CONTENT_KEYS, type ContentKeys } from '../../../src/platform/content-keys/content-keys.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

const DONE = { result: 'success', msg: '' };
const MINUTE_MS = 60_000;

describe('invitations over HTTP', () => {
  let annals: Annals;
  let owner: Member;
  let admin: Member;
  let made = 0;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_INVITATION_PAUSE_SECONDS: '0' });
    await annals.noDefaultChannels();
    owner = await annals.owner();
    admin = await annals.user('admin', 200);
  });
  afterAll(() => annals.stop());

  const inviter = () => annals.user(`inviter${++made}`);
  const invite = (member: Member, to: string, more: Record<string, unknown> = {}) =>
    member.api.post('/invites', { invitee_emails: to, stream_ids: [], ...more });
  const link = async (member: Member, more: Record<string, unknown> = {}): Promise<string> =>
    (await member.api.post('/invites/multiuse', more)).body.invite_link;
  const listed = async (member: Member) => (await member.api.get('/invites')).body.invites;
  const kindsTold = async (queue: EventQueue) => (await queue.drain()).map(({ type }) => type);
  const since = async (head: number) => (await annals.events('invitations', head)) as Recorded<InvitationEvent>[];
  const keysLeft = async (events: readonly Recorded<InvitationEvent>[]) => {
    const keyIds = events.flatMap(({ data }) => ('keyId' in data ? data.keyId : []));
    return (await annals.app.get<ContentKeys>(CONTENT_KEYS).getMany(keyIds)).size;
  };
  const deactivate = (member: Member) => owner.api.delete(`/users/${member.id}`);

  it('are listed for their inviter and administrators, who are told of each change', async () => {
    const mila = await inviter();
    const other = await inviter();
    const queues = await Promise.all(
      [mila, admin, other].map((one) => EventQueue.register(one.api, { event_types: ['invites_changed'] })),
    );
    const before = Date.now();
    expect((await invite(mila, 'ann@x.org, Bob <bob@x.org>\nann@x.org', { invite_as: 600 })).body).toEqual(DONE);
    const invites = await listed(mila);
    expect(invites).toEqual(
      ['ann@x.org', 'bob@x.org'].map((email) => ({
        id: expect.any(Number),
        invited_by_user_id: mila.id,
        invited: expect.any(Number),
        expiry_date: expect.any(Number),
        invited_as: 600,
        email,
        notify_referrer_on_join: true,
        is_multiuse: false,
      })),
    );
    expect(invites[0].expiry_date * 1000).toBeGreaterThan(before + 14_399 * MINUTE_MS);
    expect(invites[0].expiry_date * 1000).toBeLessThanOrEqual(Date.now() + 14_400 * MINUTE_MS);
    expect(await listed(admin)).toEqual(expect.arrayContaining(invites));
    expect(await listed(other)).toEqual([]);
    expect(await Promise.all(queues.map(kindsTold))).toEqual([['invites_changed'], ['invites_changed'], []]);
  });

  it('never expire, or expire after the given minutes, and are not listed then', async () => {
    const mila = await inviter();
    await invite(mila, 'never@x.org', { invite_expires_in_minutes: null, notify_referrer_on_join: false });
    await invite(mila, 'soon@x.org', { invite_expires_in_minutes: 1 });
    expect((await listed(mila))[0]).toMatchObject({ expiry_date: null, notify_referrer_on_join: false });
    const head = await annals.head();
    const { now } = Date;
    Date.now = () => now() + MINUTE_MS;
    try {
      expect((await listed(mila)).map(({ email }: { email: string }) => email)).toEqual(['never@x.org']);
      await annals.app.get(ExpiredInvitationSweeper).sweep();
    } finally {
      Date.now = now;
    }
    const events = await since(head);
    expect(events.map(({ type }) => type)).toEqual(['InvitationExpired']);
    expect(await keysLeft(events)).toBe(0);
  });

  it('are replaced by a newer invitation to the address, if the inviter manages both', async () => {
    const mila = await inviter();
    const other = await inviter();
    await invite(mila, 'twice@x.org');
    const [{ id }] = await listed(mila);
    await invite(mila, 'Twice@X.org', { invite_as: 600 });
    expect(await listed(mila)).toEqual([expect.objectContaining({ email: 'Twice@X.org', invited_as: 600 })]);
    expect((await mila.api.delete(`/invites/${id}`)).body.msg).toBe('Invitation already used or deactivated.');

    const head = await annals.head();
    expect((await invite(other, 'twice@x.org')).body).toMatchObject({
      code: 'INVITATION_FAILED',
      errors: [['twice@x.org', 'Is invited already. That invitation was mailed again.', false]],
      sent_invitations: true,
    });
    expect((await since(head)).map(({ type }) => type)).toEqual(['InvitationResent']);
    expect(await listed(other)).toEqual([]);
  });

  it('are revoked with their key, by their inviter or an administrator', async () => {
    const [mila, other] = [await inviter(), await inviter()];
    const head = await annals.head();
    await invite(mila, 'r1@x.org,r2@x.org');
    const [first, second] = await listed(mila);
    const queue = await EventQueue.register(mila.api, { event_types: ['invites_changed'] });
    const forbidden = 'Must be an organization administrator';
    await expectRefusal(annals, () => other.api.delete(`/invites/${first.id}`), {
      msg: forbidden,
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect((await mila.api.delete(`/invites/${first.id}`)).body).toEqual(DONE);
    expect((await admin.api.delete(`/invites/${second.id}`)).body).toEqual(DONE);
    expect(await listed(mila)).toEqual([]);
    expect(await kindsTold(queue)).toEqual(['invites_changed', 'invites_changed']);
    const events = await since(head);
    expect(await keysLeft(events)).toBe(0);
    expect(events.map(({ data }) => ('invitee' in data ? data.invitee : undefined)).slice(0, 2)).toEqual([null, null]);
    await expectRefusal(
      annals,
      () => mila.api.delete(`/invites/${first.id}`),
      'Invitation already used or deactivated.',
    );
    await expectRefusal(annals, () => mila.api.delete('/invites/99999'), 'No such invitation');
    await expectRefusal(annals, () => mila.api.post('/invites/99999/resend'), 'No such invitation');
    await expectRefusal(
      annals,
      () => mila.api.post(`/invites/${first.id}/resend`),
      'Invitation already used or deactivated.',
    );
  });

  it('to owners are made and managed by owners', async () => {
    const msg = 'Must be an organization owner';
    await expectRefusal(annals, () => invite(admin, 'o@x.org', { invite_as: 100 }), {
      msg,
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    await invite(owner, 'o@x.org', { invite_as: 100 });
    const { id } = (await listed(owner)).find(({ email }: { email?: string }) => email === 'o@x.org');
    await expectRefusal(annals, () => admin.api.delete(`/invites/${id}`), { msg, code: 'UNAUTHORIZED_PRINCIPAL' });
    expect((await owner.api.delete(`/invites/${id}`)).body).toEqual(DONE);
  });

  it('are mailed again with the same expiry, and no client event', async () => {
    const mila = await inviter();
    await invite(mila, 'again@x.org');
    const [before] = await listed(mila);
    const queue = await EventQueue.register(mila.api, { event_types: ['invites_changed'] });
    expect((await mila.api.post(`/invites/${before.id}/resend`)).body).toEqual(DONE);
    const [after] = await listed(mila);
    expect(after).toEqual({ ...before, invited: after.invited });
    expect(after.invited).toBeGreaterThanOrEqual(before.invited);
    expect(await kindsTold(queue)).toEqual([]);
  });

  it('by a link are for those with the permission, and have one URL', async () => {
    const mila = await inviter();
    await expectRefusal(annals, () => mila.api.post('/invites/multiuse'), 'Insufficient permission');
    const url = await link(admin, { invite_expires_in_minutes: null, invite_as: 300 });
    expect(url).toMatch(new RegExp(`^${annals.url}/join/[a-z2-7]{24}/$`));
    const own = (await listed(admin)).find(({ link_url }: { link_url?: string }) => link_url === url);
    expect(own).toEqual({
      id: expect.any(Number),
      invited_by_user_id: admin.id,
      invited: expect.any(Number),
      expiry_date: null,
      invited_as: 300,
      link_url: url,
      is_multiuse: true,
    });
    await expectRefusal(annals, () => admin.api.delete(`/invites/${own.id}`), 'No such invitation');
    expect((await admin.api.delete(`/invites/multiuse/${own.id}`)).body).toEqual(DONE);
    const again = 'Invitation has already been revoked';
    await expectRefusal(annals, () => admin.api.delete(`/invites/multiuse/${own.id}`), again);
    await expectRefusal(annals, () => admin.api.delete('/invites/multiuse/99999'), 'No such invitation');
  });

  it('by a link show their URL to no administrator who could not make the same one', async () => {
    const secret = (
      await owner.api.post('/channels/create', { name: 'unseen', subscribers: [owner.id], invite_only: true })
    ).body.id;
    const newest = async (member: Member) =>
      (await listed(member)).findLast((one: { is_multiuse: boolean }) => one.is_multiuse);
    for (const terms of [{ invite_as: 100 }, { stream_ids: [secret] }]) {
      const link_url = await link(owner, terms);
      const seen = await newest(admin);
      expect(seen).not.toHaveProperty('link_url');
      expect(await newest(owner)).toEqual({ ...seen, link_url });
    }
    const link_url = await link(owner);
    expect(await newest(admin)).toMatchObject({ link_url });
  });

  it('are refused in the documented order', async () => {
    const mila = await inviter();
    const guest = await annals.user('guest', 600);
    await expectRefusal(annals, () => invite(guest, ''), 'Insufficient permission');
    const administrators = 'Must be an organization administrator';
    await expectRefusal(annals, () => invite(mila, '', { invite_as: 200 }), {
      msg: administrators,
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    await expectRefusal(annals, () => invite(mila, ' ,\n'), 'You must specify at least one email address.');
    await expectRefusal(
      annals,
      () => invite(mila, ',', { stream_ids: [77] }),
      'You must specify at least one email address.',
    );
    const unknown = 'Invalid channel ID 77. No invites were sent.';
    await expectRefusal(annals, () => invite(mila, 'bad', { stream_ids: [77], group_ids: [99] }), unknown);
    await expectRefusal(annals, () => invite(mila, 'bad', { group_ids: [99] }), 'Insufficient permission');
    const text = { welcome_message_custom_text: 'Hi' };
    await expectRefusal(annals, () => invite(mila, 'bad', text), {
      msg: administrators,
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect((await invite(admin, 'long@x.org', { welcome_message_custom_text: 'x'.repeat(8001) })).status).toBe(400);
    expect((await mila.api.post('/invites', { stream_ids: [] })).body.code).toBe('REQUEST_VARIABLE_MISSING');
    expect((await mila.api.post('/invites', { invitee_emails: 'a@x.org' })).body.code).toBe('REQUEST_VARIABLE_MISSING');
    expect((await invite(mila, 'a@x.org', { invite_as: 500 })).body.code).toBe('BAD_REQUEST');
    expect((await invite(mila, 'a@x.org', { invite_expires_in_minutes: 0 })).body.code).toBe('BAD_REQUEST');
  });

  it('end within ten years, or never', async () => {
    const minutes = 'invite_expires_in_minutes';
    const tooLarge = `${minutes} is too large (maximum: 5256000)`;
    for (const value of [5_256_001, Number.MAX_SAFE_INTEGER]) {
      await expectRefusal(annals, () => invite(admin, 'late@x.org', { [minutes]: value }), tooLarge);
      await expectRefusal(annals, () => admin.api.post('/invites/multiuse', { [minutes]: value }), tooLarge);
    }
    expect((await invite(admin, 'late@x.org', { [minutes]: 5_256_000 })).body).toEqual(DONE);
  });

  it.each(['form', 'json', 'multipart'] as const)('take null as no end and no text, as %s', async (encoding) => {
    const head = await annals.head();
    const terms = { invite_expires_in_minutes: null, welcome_message_custom_text: null };
    const invitation = { invitee_emails: `${encoding}@x.org`, stream_ids: [], ...terms };
    expect((await admin.api.post('/invites', invitation, { encoding })).body).toEqual(DONE);
    expect((await admin.api.post('/invites/multiuse', terms, { encoding })).status).toBe(200);
    const [sent, made] = await since(head);
    expect(sent).toMatchObject({ type: 'InvitationSent', data: { expiresAt: null, invitee: { welcomeText: null } } });
    expect(made).toMatchObject({ type: 'InvitationLinkCreated', data: { expiresAt: null, welcome: { text: null } } });
  });

  it('to channels need the permission to add subscribers, default channels excepted', async () => {
    const mila = await inviter();
    const [{ stream_id: general }] = (await owner.api.get('/streams')).body.streams;
    await owner.api.patch('/realm', { can_add_subscribers_group: { new: SYSTEM_GROUP_IDS['role:administrators'] } });
    const inChannel = () => invite(mila, 'channel@x.org', { stream_ids: [general] });
    await expectRefusal(annals, inChannel, 'You do not have permission to subscribe other users to channels.');
    await owner.api.post('/default_streams', { stream_id: general });
    expect((await inChannel()).body).toEqual(DONE);
    await owner.api.delete('/default_streams', { stream_id: general });
  });

  it('fail with all fields, and invite the others where some have accounts', async () => {
    const mila = await inviter();
    const gone = await inviter();
    await deactivate(gone);
    const failed = {
      result: 'error',
      code: 'INVITATION_FAILED',
      license_limit_reached: false,
      daily_limit_reached: false,
    };
    const head = await annals.head();
    expect((await invite(mila, `new@x.org,nobody,${mila.email}`)).body).toEqual({
      ...failed,
      msg: "Some emails did not validate, so we didn't send any invitations.",
      errors: [['nobody', 'Invalid address.', false]],
      sent_invitations: false,
    });
    expect((await invite(mila, `${mila.email},${gone.email}`)).body).toEqual({
      ...failed,
      msg: "We weren't able to invite anyone.",
      errors: [
        [mila.email, 'Already has an account.', false],
        [gone.email, 'Account has been deactivated.', true],
      ],
      sent_invitations: false,
    });
    expect(await since(head)).toEqual([]);
    const { status, body } = await invite(mila, `new@x.org,${mila.email}`);
    expect([status, body]).toEqual([
      400,
      {
        ...failed,
        msg: expect.stringContaining('already have accounts'),
        errors: [[mila.email, 'Already has an account.', false]],
        sent_invitations: true,
      },
    ]);
    expect((await listed(mila)).map(({ email }: { email: string }) => email)).toEqual(['new@x.org']);
  });

  it('end with the deactivation of their inviter, and do not come back', async () => {
    const mila = await annals.user(`inviter${++made}`, 200);
    const head = await annals.head();
    await invite(mila, 'd1@x.org,d2@x.org');
    await link(mila);
    const queue = await EventQueue.register(admin.api, { event_types: ['invites_changed'] });
    await deactivate(mila);
    const ofMila = async () =>
      (await listed(admin)).filter(({ invited_by_user_id: by }: { invited_by_user_id: number }) => by === mila.id);
    expect(await ofMila()).toEqual([]);
    expect(await kindsTold(queue)).toEqual(['invites_changed']);
    await owner.api.post(`/users/${mila.id}/reactivate`);
    expect(await ofMila()).toEqual([]);
    expect((await since(head)).filter(({ type }) => type === 'InvitationRevoked')).toHaveLength(3);
  });

  it('end when their address gets an account', async () => {
    const mila = await inviter();
    await invite(mila, 'joined@example.com');
    await annals.user('joined');
    expect(await listed(mila)).toEqual([]);
  });

  it('are one for two inviters at the same moment', async () => {
    await Promise.all([invite(admin, 'race@x.org'), invite(owner, 'race@x.org')]);
    const raced = (await listed(admin)).filter(({ email }: { email?: string }) => email === 'race@x.org');
    expect(raced).toHaveLength(1);
  });

  it('are the same after a rebuild and a restart', async () => {
    const mila = await inviter();
    await invite(mila, 'same@x.org,other@x.org');
    await mila.api.post(`/invites/${(await listed(mila))[0].id}/resend`);
    const before = await listed(admin);
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['invitations', 'client-events'], () => {});
    expect(await listed(admin)).toEqual(before);
    await annals.restart();
    const site = (url: string | undefined) => url?.replace(/^http:\/\/[^/]+/, annals.url);
    const moved = before.map((one: { link_url?: string }) =>
      one.link_url === undefined ? one : { ...one, link_url: site(one.link_url) },
    );
    expect(await listed(admin)).toEqual(moved);
  });
});
