import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Directory } from '../../../src/directory/directory.js';
import { REALM_DEFAULTS } from '../../../src/events/organization/realm.settings.js';
import { UpdateRealmParameters } from '../../../src/features/organization/http/realm.controller.js';
import { DeactivateUser } from '../../../src/features/users/domain/activity.js';
import { CreateBot, UpdateBot } from '../../../src/features/users/domain/bots.js';
import { planOf } from '../../../src/platform/http/parameters/parameter-plan.js';
import { ClientRealm } from '../../support/client-state/client-realm.js';
import { EventQueue, told } from '../../support/requests/event-queue.js';
import type { Params } from '../../support/requests/http.js';
import { expectRefusal } from '../../support/requests/refusal.js';
import { Annals, type Member } from '../../support/servers/annals.js';

describe('PATCH /realm', () => {
  let annals: Annals;
  let owner: Member;
  let administrator: Member;
  let moderator: Member;
  let member: Member;
  let guest: Member;

  beforeAll(async () => {
    annals = await Annals.start({ ANNALS_ORGANIZATION: 'Observatory' });
    owner = await annals.owner();
    administrator = await annals.user('administrator', 200);
    moderator = await annals.user('moderator', 300);
    member = await annals.user('member');
    guest = await annals.user('guest', 600);
  });
  afterAll(() => annals.stop());

  const setting = (name: keyof typeof REALM_DEFAULTS) => annals.app.get(Directory).settings[name];
  const channelId = (name: string): number => annals.app.get(Directory).channelByName(name)?._id ?? 0;
  const changed = async (after: number) =>
    (await annals.events('organization', after)).map(({ type, data }) => ({ type, data }));
  const patch = async (params: Params, who = owner) => {
    const { status, body } = await who.api.patch('/realm', params);
    return { status, body };
  };
  const done = { status: 200, body: { result: 'success', msg: '' } };

  it('accepts every setting and its former names, apart from what the server alone changes', () => {
    const names = [...planOf(UpdateRealmParameters).names].sort();
    const own = ['push_notifications_enabled', 'push_notifications_enabled_end_timestamp'];
    const changeable = Object.keys(REALM_DEFAULTS).filter((name) => !own.includes(name));
    expect(names).toEqual([...changeable, 'allow_edit_history', 'mandatory_topics'].sort());
  });

  it('appends one event for each changed setting in one append, and nothing for present values', async () => {
    const head = await annals.head();
    expect(await patch({ name: ' Planetarium ', digest_weekday: 3, allow_message_editing: true })).toEqual(done);
    const events = await annals.events('organization', head);
    expect(events.map(({ data }) => data)).toEqual([
      { setting: 'digest_weekday', from: 1, to: 3 },
      { setting: 'name', from: 'Observatory', to: 'Planetarium' },
    ]);
    expect(new Set(events.map(({ metadata }) => metadata.correlationId)).size).toBe(1);
    expect(events[0]?.metadata.actorId).toBe(owner.id);

    const now = await annals.head();
    expect(await patch({ name: 'Planetarium', digest_weekday: 3 })).toEqual(done);
    expect(await patch({})).toEqual(done);
    expect(await annals.head()).toBe(now);
  });

  it('reports unsupported parameters', async () => {
    const { body } = await patch({ enable_spectator_access: true, authentication_methods: { Email: false } });
    expect(body.ignored_parameters_unsupported).toEqual(['enable_spectator_access', 'authentication_methods']);
  });

  describe('is allowed or refused by caller:', () => {
    it.each<[string, () => Member, number, string | undefined]>([
      ['owners may', () => owner, 200, undefined],
      ['administrators may', () => administrator, 200, undefined],
      ['moderators may not', () => moderator, 400, 'UNAUTHORIZED_PRINCIPAL'],
      ['members may not', () => member, 400, 'UNAUTHORIZED_PRINCIPAL'],
      ['guests may not', () => guest, 400, 'UNAUTHORIZED_PRINCIPAL'],
    ])('%s', async (_, who, status, code) => {
      const head = await annals.head();
      const description = `by ${who().id}`;
      const answer = await patch({ description }, who());
      expect([answer.status, answer.body.code]).toEqual([status, code]);
      if (status !== 200) expect(await annals.head()).toBe(head);
      expect(setting('description') === description).toBe(status === 200);
    });

    it('bots may only if they are administrators', async () => {
      const by = { actorId: owner.id, client: 'test', correlationId: 'test' };
      const created = new CreateBot({ bot: { fullName: 'Bot', shortName: 'robot', type: 1 }, by });
      const { userId, apiKey } = await annals.execute(created);
      const { email } = annals.app.get(Directory).user(userId) ?? { email: '' };
      const bot = annals.api.as({ email, apiKey });
      expect((await bot.patch('/realm', { description: 'bot' })).body.code).toBe('UNAUTHORIZED_PRINCIPAL');
      await annals.execute(new UpdateBot({ botId: userId, changes: { role: 200 }, by }));
      expect((await bot.patch('/realm', { description: 'bot' })).status).toBe(200);
    });

    it('deactivated accounts and callers without credentials may not', async () => {
      const leaver = await annals.user('leaver', 200);
      await annals.execute(
        new DeactivateUser({ userId: leaver.id, by: { actorId: null, client: 't', correlationId: 't' }, notice: null }),
      );
      expect((await patch({ name: 'x' }, leaver)).status).toBe(401);
      expect((await annals.api.patch('/realm', { name: 'x' })).body.code).toBe('UNAUTHORIZED');
    });

    it.each<Params>([
      { waiting_period_threshold: 3 },
      { can_create_groups: { new: 5 } },
      { can_invite_users_group: { new: 5 } },
      { can_manage_all_groups: { new: 6 } },
      { create_multiuse_invite_group: { new: 5 } },
    ])('only owners may change %j', async (params) => {
      const head = await annals.head();
      await expectRefusal(annals, () => patch({ ...params, description: 'in vain' }, administrator), {
        code: 'UNAUTHORIZED_PRINCIPAL',
        msg: 'Must be an organization owner',
      });
      expect(await patch(params)).toEqual(done);
      expect(await annals.head()).toBeGreaterThan(head);
    });
  });

  describe('values', () => {
    it.each<[Params, string, unknown]>([
      [{ message_content_edit_limit_seconds: '"unlimited"' }, 'message_content_edit_limit_seconds', null],
      [{ message_content_edit_limit_seconds: 60 }, 'message_content_edit_limit_seconds', 60],
      [{ message_content_edit_limit_seconds: 'null' }, 'message_content_edit_limit_seconds', null],
      [
        { move_messages_between_streams_limit_seconds: '"unlimited"' },
        'move_messages_between_streams_limit_seconds',
        null,
      ],
      [{ message_retention_days: '"unlimited"' }, 'message_retention_days', -1],
      [{ jitsi_server_url: '"https://meet.example.org"' }, 'jitsi_server_url', 'https://meet.example.org'],
      [{ jitsi_server_url: '"default"' }, 'jitsi_server_url', null],
      [{ mandatory_topics: true }, 'topics_policy', 'disable_empty_topic'],
      [{ mandatory_topics: false }, 'topics_policy', 'allow_empty_topic'],
      [{ allow_edit_history: false }, 'message_edit_history_visibility_policy', 'none'],
      [{ allow_edit_history: true }, 'message_edit_history_visibility_policy', 'all'],
      [
        { allow_edit_history: true, message_edit_history_visibility_policy: 'moves' },
        'message_edit_history_visibility_policy',
        'moves',
      ],
      [{ org_type: 40 }, 'org_type', 40],
      [{ default_language: 'de' }, 'default_language', 'de'],
      [{ default_code_block_language: 'rust' }, 'default_code_block_language', 'rust'],
      [{ video_chat_provider: 1 }, 'video_chat_provider', 1],
      [{ waiting_period_threshold: 0 }, 'waiting_period_threshold', 0],
      [{ can_resolve_topics_group: { new: 5, old: 2 } }, 'can_resolve_topics_group', 5],
      [{ can_resolve_topics_group: { new: 3, old: null } }, 'can_resolve_topics_group', 3],
      [
        { can_resolve_topics_group: { new: { direct_members: [2, 1], direct_subgroups: [] } } },
        'can_resolve_topics_group',
        { direct_members: [1, 2], direct_subgroups: [] },
      ],
    ])('%j sets %s to %j', async (params, name, value) => {
      expect(await patch(params)).toEqual(done);
      expect(setting(name as keyof typeof REALM_DEFAULTS)).toEqual(value);
    });

    it.each(['form', 'json'] as const)('may be null where that is no limit, as %s', async (encoding) => {
      await patch({ message_content_delete_limit_seconds: 60 });
      await owner.api.patch('/realm', { message_content_delete_limit_seconds: null }, { encoding });
      expect(setting('message_content_delete_limit_seconds')).toBeNull();
    });

    it.each(['form', 'json'] as const)(
      'may be the bare word "unlimited" where that is no limit, as %s',
      async (encoding) => {
        await patch({ message_content_delete_limit_seconds: 60, message_retention_days: -1 });
        const unlimited = { message_content_delete_limit_seconds: 'unlimited', message_retention_days: 'unlimited' };
        expect((await owner.api.patch('/realm', unlimited, { encoding })).body).toMatchObject({ result: 'success' });
        expect([setting('message_content_delete_limit_seconds'), setting('message_retention_days')]).toEqual([
          null,
          -1,
        ]);
        await expectRefusal(
          annals,
          () => owner.api.patch('/realm', { message_content_delete_limit_seconds: 'endless' }, { encoding }),
          { code: 'INVALID_JSON', msg: 'message_content_delete_limit_seconds is not valid JSON' },
        );
      },
    );

    it('may be sent as a form, as multipart, or in the query', async () => {
      for (const [index, encoding] of (['form', 'multipart', 'query'] as const).entries()) {
        const answer = await owner.api.patch('/realm', { digest_weekday: index }, { encoding });
        expect([answer.status, setting('digest_weekday')]).toEqual([200, index]);
      }
    });

    it('name existing channels or none', async () => {
      const id = channelId('general');
      await patch({ new_stream_announcements_stream_id: id, signup_announcements_stream_id: id });
      expect([setting('new_stream_announcements_stream_id'), setting('signup_announcements_stream_id')]).toEqual([
        id,
        id,
      ]);
      await patch({ new_stream_announcements_stream_id: -1 });
      expect(setting('new_stream_announcements_stream_id')).toBe(-1);
    });

    it('no longer name a channel when it is archived', async () => {
      await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'moderation' }] });
      const id = channelId('moderation');
      await patch({ moderation_request_channel_id: id, signup_announcements_stream_id: id });
      const queue = await EventQueue.register(member.api, { event_types: ['realm'] });
      const head = await annals.head();
      expect((await owner.api.delete(`/streams/${id}`)).status).toBe(200);
      expect([setting('moderation_request_channel_id'), setting('signup_announcements_stream_id')]).toEqual([-1, -1]);
      expect((await queue.drain()).map(({ data }) => data)).toEqual([
        { moderation_request_channel_id: -1 },
        { signup_announcements_stream_id: -1 },
      ]);
      const [archived, ...withdrawn] = await annals.events(undefined, head);
      expect(withdrawn.map(({ metadata }) => metadata.causationId)).toEqual([archived?.id, archived?.id]);
      const refused = await patch({ moderation_request_channel_id: id });
      expect([refused.status, refused.body.msg]).toEqual([400, 'Invalid channel ID']);
    });

    it('name no archived channel, in whichever order the requests arrive', async () => {
      for (let round = 0; round < 10; round++) {
        await owner.api.post('/users/me/subscriptions', { subscriptions: [{ name: `round ${round}` }] });
        const id = channelId(`round ${round}`);
        await Promise.all([
          patch({ zulip_update_announcements_stream_id: id }),
          owner.api.delete(`/streams/${id}`),
          patch({ signup_announcements_stream_id: id }, administrator),
        ]);
        expect([setting('zulip_update_announcements_stream_id'), setting('signup_announcements_stream_id')]).toEqual([
          -1, -1,
        ]);
      }
    });

    it.each<[Params, string, string]>([
      [{ name: ' ' }, 'BAD_REQUEST', 'Organization name cannot be blank'],
      [{ name: 'x'.repeat(41) }, 'BAD_REQUEST', 'name is too long (limit: 40 characters)'],
      [{ description: 'x'.repeat(1001) }, 'BAD_REQUEST', 'description is too long (limit: 1000 characters)'],
      [{ welcome_message_custom_text: 'x'.repeat(8001) }, 'BAD_REQUEST', expect.stringContaining('too long') as never],
      [{ digest_weekday: 7 }, 'BAD_REQUEST', 'digest_weekday is too large (maximum: 6)'],
      [{ digest_weekday: -1 }, 'BAD_REQUEST', 'digest_weekday is too small (minimum: 0)'],
      [{ waiting_period_threshold: -1 }, 'BAD_REQUEST', 'waiting_period_threshold is too small (minimum: 0)'],
      [{ waiting_period_threshold: 0.5 }, 'BAD_REQUEST', 'waiting_period_threshold is not an integer'],
      [{ presence_disabled: 1 }, 'BAD_REQUEST', 'presence_disabled is not a boolean'],
      [{ presence_disabled: 'yes' }, 'INVALID_JSON', 'presence_disabled is not valid JSON'],
      ...[0, -5, 1.5, '"forever"', true].map((limit): [Params, string, string] => [
        { message_content_delete_limit_seconds: limit },
        'BAD_REQUEST',
        'message_content_delete_limit_seconds is not a number of seconds or "unlimited"',
      ]),
      ...[0, -2, '"realm_default"'].map((days): [Params, string, string] => [
        { message_retention_days: days },
        'BAD_REQUEST',
        'message_retention_days is not a number of days or "unlimited"',
      ]),
      [
        { topics_policy: 'empty_topic_only' },
        'BAD_REQUEST',
        expect.stringMatching(/^topics_policy (must be one of|is none of its values)/) as never,
      ],
      [
        { message_edit_history_visibility_policy: 'some' },
        'BAD_REQUEST',
        expect.stringMatching(
          /^message_edit_history_visibility_policy (must be one of|is none of its values)/,
        ) as never,
      ],
      [
        { default_language: 'tlh' },
        'BAD_REQUEST',
        expect.stringMatching(/^default_language (must be one of|is none of its values)/) as never,
      ],
      [
        { org_type: 5 },
        'BAD_REQUEST',
        expect.stringMatching(/^org_type (must be one of|is none of its values)/) as never,
      ],
      [
        { giphy_rating: 2 },
        'BAD_REQUEST',
        expect.stringMatching(/^giphy_rating (must be one of|is none of its values)/) as never,
      ],
      [
        { video_chat_provider: 3 },
        'BAD_REQUEST',
        expect.stringMatching(/^video_chat_provider (must be one of|is none of its values)/) as never,
      ],
      [{ jitsi_server_url: 'javascript:alert(1)' }, 'BAD_REQUEST', 'jitsi_server_url is not a URL'],
      [{ moderation_request_channel_id: 999 }, 'BAD_REQUEST', 'Invalid channel ID'],
      [
        { moderation_request_channel_id: -2 },
        'BAD_REQUEST',
        'moderation_request_channel_id is too small (minimum: -1)',
      ],
      [{ can_resolve_topics_group: 5 }, 'BAD_REQUEST', expect.any(String) as never],
      [{ can_resolve_topics_group: { new: 999 } }, 'BAD_REQUEST', 'Invalid user group ID: 999'],
      [
        { can_resolve_topics_group: { new: { direct_members: [999], direct_subgroups: [] } } },
        'BAD_REQUEST',
        'Invalid user ID: 999',
      ],
      [{ can_resolve_topics_group: { new: 5, old: 8 } }, 'EXPECTATION_MISMATCH', expect.any(String) as never],
      [
        { can_create_groups: { new: 2 } },
        'BAD_REQUEST',
        "'can_create_groups' setting cannot be set to 'role:everyone' group.",
      ],
      [{ can_access_all_users_group: { new: 3 } }, 'BAD_REQUEST', expect.stringContaining('cannot be set') as never],
    ])('are refused: %j', async (params, code, msg) => {
      await expectRefusal(annals, () => patch({ description: 'in vain', ...params }), { code, msg });
    });
  });

  describe('client events and state', () => {
    it('tell each changed setting with its former names once to everybody', async () => {
      const queues = await Promise.all([owner, member, guest].map(({ api }) => EventQueue.register(api)));
      const other = await EventQueue.register(member.api, { event_types: ['message'] });
      await patch({
        can_create_bots_group: { new: 5 },
        message_edit_history_visibility_policy: 'none',
        name: 'Planetarium II',
        topics_policy: 'disable_empty_topic',
      });
      for (const queue of queues) {
        expect(await told(queue)).toEqual([
          dict({ message_edit_history_visibility_policy: 'none', allow_edit_history: false }),
          dict({ name: 'Planetarium II' }),
          dict({ topics_policy: 'disable_empty_topic', mandatory_topics: true }),
          dict({ can_create_bots_group: 5 }),
        ]);
      }
      expect(await other.drain()).toEqual([]);
      await patch({ topics_policy: 'allow_empty_topic', message_edit_history_visibility_policy: 'all' });
    });

    const dict = (data: object) => ({ type: 'realm', op: 'update_dict', property: 'default', data });

    it('bring the state of a client to the fresh state', async () => {
      const queue = await EventQueue.register(guest.api);
      const people = { direct_members: [1, 2, 3], direct_subgroups: [7] };
      await patch({ can_mention_many_users_group: { new: people }, name_changes_disabled: true });
      await patch({ jitsi_server_url: '"https://jitsi.example.org"', mandatory_topics: true, description: '*new*' });
      await patch({ mandatory_topics: false, message_content_delete_limit_seconds: '"unlimited"' });
      const client = new ClientRealm(queue.state);
      for (const event of await queue.drain()) client.apply(event);
      const fresh = await EventQueue.register(guest.api);
      expect(client.comparable).toEqual(new ClientRealm(fresh.state).comparable);
      expect(fresh.state).toMatchObject({
        realm_jitsi_server_url: 'https://jitsi.example.org',
        jitsi_server_url: 'https://jitsi.example.org',
        realm_can_mention_many_users_group: people,
        realm_wildcard_mention_policy: 1,
      });
    });

    it('bring clients that register during changes to the fresh state', async () => {
      const changesFrom = (first: number) =>
        Promise.all(
          Array.from({ length: 20 }, (_, index) => first + index).map((n) =>
            patch({ digest_weekday: n % 7, description: `${n}`, can_resolve_topics_group: { new: 2 + (n % 5) } }),
          ),
        );
      const queues: EventQueue[] = [];
      const begun = changesFrom(0);
      queues.push(await EventQueue.register(member.api));
      let changing = true;
      // The changes go on during more than one registration, however long a registration takes.
      const changes = Promise.all([begun, changesFrom(20)]).finally(() => {
        changing = false;
      });
      do queues.push(await EventQueue.register(member.api));
      while (changing);
      await changes;
      const fresh = new ClientRealm((await EventQueue.register(member.api)).state).comparable;
      for (const queue of queues) {
        const client = new ClientRealm(queue.state);
        for (const event of await queue.drain()) client.apply(event);
        expect(client.comparable).toEqual(fresh);
      }
    });

    it('include permissions as numbers for old clients in the register response', async () => {
      const policies = async () => {
        const { state } = await EventQueue.register(member.api, { fetch_event_types: ['realm'] });
        return [
          state.realm_create_public_stream_policy,
          state.realm_create_private_stream_policy,
          state.realm_create_web_public_stream_policy,
          state.realm_wildcard_mention_policy,
        ];
      };
      await patch({ can_mention_many_users_group: { new: 8 } });
      expect(await policies()).toEqual([1, 1, 6, 6]);
      await patch({
        can_create_public_channel_group: { new: 4 },
        can_create_private_channel_group: { new: 7 },
        can_mention_many_users_group: { new: 5 },
      });
      expect(await policies()).toEqual([3, 2, 6, 7]);
    });

    it('agree with name and description in GET /server_settings', async () => {
      await patch({ name: 'Radio Telescope', description: 'We *listen*' });
      const { body } = await annals.api.get('/server_settings');
      expect(body).toMatchObject({ realm_name: 'Radio Telescope', realm_description: '<p>We <em>listen</em></p>' });
      await patch({ description: '' });
      expect((await annals.api.get('/server_settings')).body.realm_description).toBe('');
    });
  });

  it('accepts one of 50 concurrent changes from the same old value', async () => {
    await patch({ can_resolve_topics_group: { new: 2 } });
    const head = await annals.head();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        patch(
          { can_resolve_topics_group: { new: { direct_members: [1], direct_subgroups: [3 + (index % 5)] }, old: 2 } },
          index % 2 ? owner : administrator,
        ),
      ),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(new Set(answers.filter(({ status }) => status !== 200).map(({ body }) => body.code))).toEqual(
      new Set(['EXPECTATION_MISMATCH']),
    );
    expect(await changed(head)).toHaveLength(1);
  });
});
