import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GrantPermission } from '../../../src/features/users/domain/grant-permission.js';
import { Annals, by, type Member } from '../../support/servers/annals.js';
import { type AuditEvent, channelVersions, messageVersions, userVersions } from './audit-versions.js';

const ADDRESSES = { owner: '203.0.113.1', iris: '203.0.113.2' } as const;

/** An act of the specs, with the clock before and after it. */
interface Act {
  readonly kind: string;
  readonly by: number;
  readonly name: string;
  readonly email: string;
  readonly address: string;
  readonly client: string;
  readonly began: number;
  readonly ended: number;
}

/** One test for each demand of SEC Rule 17a-4(f)(2)(i)(A) on an audit trail, by the answers of the audit alone. */
describe('the audit trail of SEC Rule 17a-4(f)(2)(i)(A)', () => {
  let annals: Annals;
  let owner: Member;
  let iris: Member;
  let zoe: number;
  let plans: number;
  let archive: number;
  let message: number;
  const acts: Record<'message' | 'channel' | 'user', Act[]> = { message: [], channel: [], user: [] };
  /** What the API showed after each act. */
  const shown: Record<'message' | 'channel' | 'user', object[]> = { message: [], channel: [], user: [] };
  let beforeDeletion: readonly AuditEvent[];

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_TRUSTED_PROXIES: 'loopback', ANNALS_ACCESS_DAYS: '30' });
    owner = await annals.owner();
    iris = await annals.user('iris', 200);
    await createdAndChanged();
  });
  afterAll(() => annals.stop());

  /** Sends a request as an act on a record, and answers its body. */
  async function act(
    record: keyof typeof acts,
    kind: string,
    who: 'owner' | 'iris',
    [method, path, params]: readonly ['POST' | 'PATCH' | 'DELETE', string, object?],
  ) {
    const actor = who === 'owner' ? owner : iris;
    const { full_name: name, email } = (await actor.api.get('/users/me')).body;
    const headers = { 'X-Forwarded-For': ADDRESSES[who], 'User-Agent': `${who}-client/1.0` };
    const began = Date.now();
    const { status, body } = await actor.api.ask(method, path, { ...params }, { headers });
    expect([status, body.msg]).toEqual([200, '']);
    const client = `${who}-client`;
    const address = ADDRESSES[who];
    acts[record].push({ kind, by: actor.id, name, email, address, client, began, ended: Date.now() });
    return body;
  }

  async function createdAndChanged(): Promise<void> {
    const channel = { name: 'plans', description: 'First', subscribers: [owner.id, iris.id] };
    plans = (await act('channel', 'ChannelCreated', 'iris', ['POST', '/channels/create', channel])).id;
    const showChannel = async () => {
      const { name, description } = (await owner.api.get(`/streams/${plans}`)).body.stream;
      shown.channel.push({ name, description });
    };
    await showChannel();
    for (const [who, description] of [
      ['owner', 'Second'],
      ['iris', 'Third'],
    ] as const) {
      await act('channel', 'ChannelDescriptionChanged', who, ['PATCH', `/streams/${plans}`, { description }]);
      await showChannel();
    }
    await act('channel', 'ChannelRenamed', 'owner', ['PATCH', `/streams/${plans}`, { new_name: 'old plans' }]);
    await showChannel();
    archive = (await owner.api.post('/channels/create', { name: 'archive', subscribers: [owner.id, iris.id] })).body.id;

    const account = { email: 'zoe@example.com', password: 'long enough 123', full_name: 'Zoe' };
    await annals.execute(new GrantPermission({ permission: 'can_create_users', userId: owner.id, by }));
    zoe = (await act('user', 'UserCreated', 'owner', ['POST', '/users', account])).user_id;
    const showUser = async () => {
      const { full_name, role } = (await owner.api.get(`/users/${zoe}`)).body.user;
      shown.user.push({ name: full_name, role });
    };
    await showUser();
    await act('user', 'UserRoleChanged', 'owner', ['PATCH', `/users/${zoe}`, { role: 300 }]);
    await showUser();
    await act('user', 'UserRenamed', 'iris', ['PATCH', `/users/${zoe}`, { full_name: 'Zoe Brown' }]);
    await showUser();
    await act('user', 'UserRoleChanged', 'iris', ['PATCH', `/users/${zoe}`, { role: 600 }]);
    await showUser();

    const post = { type: 'channel', to: plans, topic: 'launch', content: 'We launch on Monday' };
    message = (await act('message', 'MessageSent', 'iris', ['POST', '/messages', post])).id;
    const path = `/messages/${message}`;
    const showMessage = async () => {
      const { message: now } = (await owner.api.get(path, { apply_markdown: false })).body;
      shown.message.push({ text: now.content, channelId: now.stream_id, topic: now.subject });
    };
    await showMessage();
    await act('message', 'MessageEdited', 'iris', ['PATCH', path, { content: 'We launch on Tuesday' }]);
    await showMessage();
    // An actor's later name is not the one that the trail names.
    await annals.api.as(iris).patch('/settings', { full_name: 'Iris Green' });
    await act('message', 'MessageEdited', 'iris', ['PATCH', path, { content: 'We do not launch' }]);
    await showMessage();
    await act('message', 'ReactionAdded', 'owner', ['POST', `${path}/reactions`, { emoji_name: 'tada' }]);
    const silent = { send_notification_to_new_thread: false, send_notification_to_old_thread: false };
    const place = { stream_id: archive, topic: 'cancelled', propagate_mode: 'change_all', ...silent };
    await act('message', 'MessagesMoved', 'owner', ['PATCH', path, place]);
    await showMessage();
    beforeDeletion = await trailOf({ message_id: message, words: true });
    await act('message', 'MessageDeleted', 'owner', ['DELETE', path]);
  }

  /** What the audit answers of a record, without events that follow from others, and without who read it. */
  async function trailOf(question: object): Promise<readonly AuditEvent[]> {
    const { status, body } = await owner.api.get('/audit/events', { order: 'oldest', limit: 1000, ...question });
    expect([status, body.found_end]).toEqual([200, true]);
    return body.events.filter(({ kind, caused_by }: AuditEvent) => caused_by === null && kind !== 'AuditWordsRead');
  }
  const questions = () => ({
    message: { message_id: message },
    channel: { channel_id: plans, kind: ['ChannelCreated', 'ChannelRenamed', 'ChannelDescriptionChanged'] },
    user: { subject_user_id: zoe, kind: ['UserCreated', 'UserRenamed', 'UserRoleChanged'] },
  });
  const RECORDS = ['message', 'channel', 'user'] as const;

  it.each(RECORDS)('(1) has all modifications and deletions of a %s, and of its parts', async (record) => {
    const trail = await trailOf(questions()[record]);
    expect(trail.map(({ kind }) => kind)).toEqual(acts[record].map(({ kind }) => kind));
  });

  it.each(RECORDS)('(2) has the date and time of each act that created, modified or deleted a %s', async (record) => {
    const trail = await trailOf(questions()[record]);
    expect(trail).toHaveLength(acts[record].length);
    for (const [index, { began, ended }] of acts[record].entries()) {
      const time = trail[index]?.time ?? '';
      expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      expect(Date.parse(time)).toBeGreaterThanOrEqual(began);
      expect(Date.parse(time)).toBeLessThanOrEqual(ended);
    }
  });

  it.each(RECORDS)('(3) has who created, modified or deleted a %s, by the name of that time', async (record) => {
    const trail = await trailOf(questions()[record]);
    const identities = trail.map(({ actor, address, client }) => ({
      ...{ by: actor?.user_id, name: actor?.name, email: actor?.email },
      ...{ address, client },
    }));
    expect(identities).toEqual(acts[record].map(({ kind, began, ended, ...identity }) => identity));
    const names = acts.message.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['iris', 'Iris Green']));
  });

  describe('(4) permits to re-create the original and each interim version', () => {
    it('of a message, in each of its places, until it is deleted', () => {
      expect(messageVersions(beforeDeletion)).toEqual(shown.message);
      expect(shown.message).toEqual([
        { text: 'We launch on Monday', channelId: plans, topic: 'launch' },
        { text: 'We launch on Tuesday', channelId: plans, topic: 'launch' },
        { text: 'We do not launch', channelId: plans, topic: 'launch' },
        { text: 'We do not launch', channelId: archive, topic: 'cancelled' },
      ]);
    });

    it('of a deleted message without its words: who deleted it, when, and each place that it had', async () => {
      const trail = await trailOf({ message_id: message, words: true });
      const wordless = shown.message.map((version) => ({ ...version, text: null }));
      expect(messageVersions(trail)).toEqual(wordless);
      expect(JSON.stringify(trail)).not.toMatch(/launch on|not launch/);
      expect(trail.at(-1)).toMatchObject({
        kind: 'MessageDeleted',
        actor: { user_id: owner.id },
        topics: [{ channel_id: archive, topic: 'cancelled' }],
        data: { messageId: message, senderId: iris.id },
      });
    });

    it('of a channel', async () => {
      const versions = channelVersions(await trailOf(questions().channel));
      expect(versions).toEqual(shown.channel);
      expect(versions.map(({ description }) => description)).toEqual(['First', 'Second', 'Third', 'Third']);
    });

    it('of an account', async () => {
      const versions = userVersions(await trailOf(questions().user));
      expect(versions).toEqual(shown.user);
      expect(versions.map(({ role }) => role)).toEqual([400, 300, 300, 600]);
    });
  });
});
