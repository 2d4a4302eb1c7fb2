import { afterEach, expect, it } from '@jest/globals';
import { describeMongodb } from '../support/engines/mongodb.js';
import { eventually } from '../support/eventually.js';
import { type Answer, Api } from '../support/requests/api.js';
import { Fleet } from '../support/servers/fleet.js';

const FOLLOWED = 3;
const NOTICES = { send_notification_to_old_thread: true, send_notification_to_new_thread: true };

describeMongodb('a move through one of many processes', () => {
  let fleet: Fleet | undefined;
  afterEach(async () => {
    await fleet?.stop();
    fleet = undefined;
  });

  async function newUser(owner: Api, name: string): Promise<Api> {
    const email = `${name}@example.com`;
    const password = 'correct horse battery';
    await succeeded(() => owner.post('users', { email, password, full_name: name }));
    const { api_key } = await succeeded(() => owner.post('fetch_api_key', { username: email, password }));
    return new Api({ email, key: String(api_key), site: owner.credentials.site });
  }

  it('has its notices and takes followers along at another process, even if the worker is killed', async () => {
    const own = await Fleet.start({ apis: 2, workers: 1 });
    fleet = own;
    for (const api of own.apis) await api.caughtUp();
    const here = await own.owner(0);
    const there = here.at(own.api(1).url);
    const anna = await newUser(here, 'anna');
    const annaThere = anna.at(there.credentials.site);

    /** Sends the only message of a topic through one process, and follows the topic through the other. */
    const begun = async (topic: string): Promise<number> => {
      const message = { type: 'channel', to: 'general', topic, content: `about ${topic}` };
      const { id } = await succeeded(() => here.post('messages', message, { 'Idempotency-Key': topic }));
      await succeeded(() => annaThere.post('user_topics', { stream_id: 1, topic, visibility_policy: FOLLOWED }));
      return Number(id);
    };
    const move = (id: number, topic: string) =>
      succeeded(() => here.patch(`messages/${id}`, { topic, propagate_mode: 'change_all', ...NOTICES }));
    const moved = async (from: string, to: string) => {
      const said = await saidIn(there, [from, to]);
      expect(said).toEqual([
        [to, `about ${from}`],
        [from, expect.stringContaining(`moved this topic to #**general>${to}**.`)],
        [to, expect.stringContaining(`moved this topic here from #**general>${from}**.`)],
      ]);
      const { user_topics } = await succeeded(() => annaThere.post('register', { fetch_event_types: ['user_topic'] }));
      const followed = (user_topics as { topic_name: string; visibility_policy: number }[])
        .filter(({ visibility_policy }) => visibility_policy === FOLLOWED)
        .map(({ topic_name }) => topic_name);
      expect(followed).toContain(to);
      expect(followed).not.toContain(from);
    };

    await move(await begun('tea'), 'milk');
    await eventually(() => moved('tea', 'milk'));

    const late = await begun('coffee');
    await own.workers[0]?.kill();
    await move(late, 'sugar');
    await own.addWorker();
    await eventually(() => moved('coffee', 'sugar'));

    // The process that took over repeated no consequence.
    await moved('tea', 'milk');
    await moved('coffee', 'sugar');
  }, 240_000);
});

/** Topic and content of the messages in the topics, oldest first. */
async function saidIn(api: Api, topics: readonly string[]): Promise<[string, string][]> {
  const page = { anchor: 'oldest', num_before: 0, num_after: 100, apply_markdown: false };
  const { messages } = await succeeded(() => api.get('messages', page));
  return (messages as { subject: string; content: string }[])
    .filter(({ subject }) => topics.includes(subject))
    .map(({ subject, content }) => [subject, content]);
}

/** Asks again until the answer is a success, because a process may be unavailable for a while. */
function succeeded(ask: () => Promise<Answer>): Promise<Answer> {
  return eventually(async () => {
    const answer = await ask();
    expect(answer).toMatchObject({ msg: '' });
    return answer;
  });
}
