import { describe, expect, it } from '@jest/globals';
import { isShared } from '../support/engines/own-engines.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/requests/api.js';
import { expectSentOnce, killedDuring, keyedMessage as message } from '../support/servers/killed-at.js';

/** Expects unfinished work to be done before the server answers. On shared engines another process may do it later. */
const finished = (assertion: () => Promise<void>) => eventually(assertion, isShared() ? 20_000 : 0);

/** `killed-sends.spec.ts` has two more points. */
describe('a send whose server is killed', () => {
  it.each([
    ['after its key is stored, before its event', 'key-stored'],
    ['after the message document and its checkpoint are committed', 'committed:messages'],
    ['before the feed and its checkpoint are committed', 'uncommitted:client-events'],
    ['before the table of sends and its checkpoint are committed', 'uncommitted:sends'],
  ])('%s is stored exactly once after a repeat', (_, point) => expectSentOnce(point));
});

describe('a command on several streams whose server is killed', () => {
  it('is finished at the next start, so that a channel gets the subscribers that it was created with', async () => {
    const subscribe = (api: Api) => api.post('users/me/subscriptions', { subscriptions: [{ name: 'half done' }] });
    await killedDuring('appended:channels', subscribe, async (api) => {
      await finished(async () => {
        const { subscriptions } = await api.get('users/me/subscriptions');
        expect((subscriptions as { name: string }[]).map(({ name }) => name)).toEqual(['general', 'half done']);
      });
      const again = await subscribe(api);
      expect(again.already_subscribed).toEqual({ 1: ['half done'] });
    });
  });

  it('is not repeated if only its checkpoint was lost', async () => {
    const subscribe = (api: Api) => api.post('users/me/subscriptions', { subscriptions: [{ name: 'done' }] });
    await killedDuring('uncommitted:process-managers', subscribe, async (api) => {
      await finished(async () => {
        const { subscriptions } = await api.get('users/me/subscriptions', { include_subscribers: 'true' });
        const done = (subscriptions as { name: string; subscribers: number[] }[]).find(({ name }) => name === 'done');
        expect(done?.subscribers).toEqual([1]);
      });
    });
  });

  it.each([
    ['after the move is appended', 'appended:topics-'],
    ['before the checkpoint of its consequences is committed', 'uncommitted:process-managers'],
  ])('%s is finished once: notices announce the move, and topic policies move along', async (_, point) => {
    const move = async (api: Api) => {
      // A message to a topic that its sender follows already has no consequence.
      await api.post('user_topics', { stream_id: 1, topic: 'tea', visibility_policy: 3 });
      const { id } = await api.post('messages', { type: 'channel', to: 'general', topic: 'tea', content: 'words' });
      const places = { topic: 'milk', propagate_mode: 'change_all', send_notification_to_old_thread: true };
      return api.patch(`messages/${id}`, places);
    };
    await killedDuring(point, move, async (api) => {
      await finished(async () => {
        const page = { anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false };
        const { messages } = await api.get('messages', page);
        const said = (messages as { subject: string; content: string }[]).map(({ subject, content }) => [
          subject,
          content,
        ]);
        expect(said).toEqual([
          ['milk', 'words'],
          ['tea', expect.stringContaining('moved this topic to #**general>milk**.')],
          ['milk', expect.stringContaining('moved this topic here from #**general>tea**.')],
        ]);
        const { user_topics } = await api.post('register', { fetch_event_types: ['user_topic'] });
        expect(user_topics).toMatchObject([{ topic_name: 'milk', visibility_policy: 3 }]);
      });
    });
  });

  it.each([
    ['after the message is appended', 'appended:messages'],
    ['before the checkpoint of its consequences is committed', 'uncommitted:process-managers'],
  ])('%s is finished once: the mentioned user follows the topic', async (_, point) => {
    const mention = async (api: Api) => {
      await api.post('user_topics', { stream_id: 1, topic: 'tea', visibility_policy: 2 });
      return api.post('messages', { type: 'channel', to: 'general', topic: 'tea', content: '@**Owner**' });
    };
    await killedDuring(point, mention, async (api) => {
      await finished(async () => {
        const { user_topics } = await api.post('register', { fetch_event_types: ['user_topic'] });
        expect(user_topics).toMatchObject([{ topic_name: 'tea', visibility_policy: 3 }]);
      });
    });
  });
});

/** The message ids of the flag events of a queue, in order. */
async function toldRead(api: Api, queue: { queue_id: string; last_event_id: number }): Promise<number[][]> {
  const { events } = await api.get('events', { ...queue, dont_block: true });
  const flags = (events as { type: string; messages: number[] }[]).filter(
    ({ type }) => type === 'update_message_flags',
  );
  return flags.map(({ messages }) => messages);
}

async function register(api: Api): Promise<{ queue_id: string; last_event_id: number }> {
  const { queue_id, last_event_id } = await api.post('register', { event_types: ['update_message_flags'] });
  return { queue_id: queue_id as string, last_event_id: last_event_id as number };
}

describe('a command that marks messages as read and whose server is killed', () => {
  const points = [
    ['after its consequence is appended', 'appended:readState-'],
    ['before the checkpoint of its consequence is committed', 'uncommitted:process-managers'],
  ] as const;

  it.each([['after it is appended', 'appended:subscriptions-'], ...points])(
    '%s marks them once, when a user leaves a channel',
    async (_, point) => {
      let queue = { queue_id: '', last_event_id: 0 };
      const prepare = async (api: Api) => {
        await api.post('messages', { ...message, read_by_sender: false });
        queue = await register(api);
      };
      const leave = (api: Api) => api.delete('users/me/subscriptions', { subscriptions: ['general'] });
      const check = async (api: Api) => {
        await eventually(async () => expect(await toldRead(api, queue)).toEqual([[1]]));
        const { message: left } = await api.get('messages/1');
        expect(left).toMatchObject({ flags: ['read'] });
      };
      await killedDuring(point, leave, check, prepare);
    },
  );

  it.each([['after it is appended', 'appended:user-'], ...points])(
    '%s marks them once, when a user mutes another user',
    async (_, point) => {
      let queue = { queue_id: '', last_event_id: 0 };
      let botId: unknown;
      const prepare = async (api: Api) => {
        const bot = await api.post('bots', { full_name: 'Parrot', short_name: 'parrot' });
        const [{ username }] = (await api.get('bots')).bots as [{ username: string }];
        const parrot = new Api({ email: username, key: bot.api_key as string, site: api.credentials.site });
        await parrot.post('messages', { type: 'direct', to: [1], content: 'hello' });
        queue = await register(api);
        botId = bot.user_id;
      };
      const mute = (api: Api) => api.post(`users/me/muted_users/${botId}`);
      const check = async (api: Api) => {
        await eventually(async () => expect(await toldRead(api, queue)).toEqual([[1]]));
        const { message: heard } = await api.get('messages/1');
        expect(heard).toMatchObject({ flags: ['read'] });
      };
      await killedDuring(point, mute, check, prepare);
    },
  );
});
