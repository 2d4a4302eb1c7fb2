import { afterEach, expect, it } from '@jest/globals';
import { describeMongodb } from '../support/engines/mongodb.js';
import { eventually } from '../support/eventually.js';
import { type Answer, Api } from '../support/requests/api.js';
import { QueueReader } from '../support/requests/queue-reader.js';
import { Fleet, type FleetSize } from '../support/servers/fleet.js';

const GENERAL = { type: 'channel', to: 'general', topic: 'storm' };

describeMongodb('an organization on many processes', () => {
  let fleet: Fleet | undefined;
  afterEach(async () => {
    await fleet?.stop();
    fleet = undefined;
  });

  async function started(size: FleetSize): Promise<Fleet> {
    const own = await Fleet.start(size);
    fleet = own;
    return own;
  }

  /** Sends to one process after the other until one acknowledges. The key keeps the message from being stored twice. */
  async function sendUntilAcknowledged(own: Fleet, content: string, first: number): Promise<number> {
    let at = first;
    return eventually(async () => {
      const api = await own.owner(at++);
      const answer = await api.post('messages', { ...GENERAL, content }, { 'Idempotency-Key': content });
      expect(answer).toMatchObject({ msg: '' });
      return Number(answer.id);
    });
  }

  async function newUser(owner: Api, name: string): Promise<{ readonly id: number; readonly api: Api }> {
    const email = `${name}@example.com`;
    const password = 'correct horse battery';
    const created = await answered(() => owner.post('users', { email, password, full_name: name }));
    expect(created).toMatchObject({ msg: '' });
    const { api_key } = await answered(() => owner.post('fetch_api_key', { username: email, password }));
    const api = new Api({ email, key: String(api_key), site: owner.credentials.site });
    return { id: Number(created.user_id), api };
  }

  it('answers any queue from any process, so that a client that switches at each poll misses no event', async () => {
    const own = await started({ apis: 2, workers: 2 });
    const reader = await QueueReader.register(await own.owner(0));
    const contents = Array.from({ length: 30 }, (_, index) => `message ${index}`);
    let sent = false;
    const sending = Promise.all(contents.map((content, index) => sendUntilAcknowledged(own, content, index))).finally(
      () => {
        sent = true;
      },
    );
    let poll = 0;
    await eventually(async () => {
      await reader.poll(await own.owner(poll++));
      expect(sent && reader.contents.length >= contents.length).toBe(true);
    });
    const ids = await sending;
    expect([...reader.contents].sort()).toEqual([...contents].sort());
    expect(reader.messageIds).toEqual([...ids].sort((a, b) => a - b));
  });

  it('goes on after a worker is killed, and loses no message', async () => {
    const own = await started({ apis: 2, workers: 2 });
    const reader = await QueueReader.register(await own.owner(0));
    for (const victim of [0, 1]) {
      const before = reader.contents.length;
      await own.workers[victim]?.kill();
      const content = `after the death of ${victim}`;
      await sendUntilAcknowledged(own, content, victim);
      await eventually(async () => {
        await reader.poll(await own.owner(victim));
        expect(reader.contents.length).toBeGreaterThan(before);
      });
      await own.addWorker();
    }
    expect(reader.contents).toEqual(['after the death of 0', 'after the death of 1']);
  }, 240_000);

  it('does not answer that an acknowledged message is missing while there is no worker', async () => {
    const own = await started({ apis: 2, workers: 1 });
    await own.workers[0]?.kill();
    const id = await sendUntilAcknowledged(own, 'first words', 0);
    const changes = [
      (api: Api) => api.patch(`messages/${id}`, { content: 'other words' }),
      (api: Api) => api.post(`messages/${id}/reactions`, { emoji_name: 'tada' }),
      (api: Api) => api.post('messages/flags', { messages: [id], op: 'add', flag: 'starred' }),
    ];
    for (const index of [0, 1]) {
      const api = await own.owner(index);
      for (const change of changes) expect(await change(api)).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
      expect(await api.delete('messages/1000000')).not.toMatchObject({ result: 'success' });
    }
    await own.addWorker();
    const owner = await own.owner(1);
    for (const change of changes) await eventually(async () => expect(await change(owner)).toMatchObject({ msg: '' }));
  }, 240_000);

  it('reports that a topic is not deleted yet if the documents lack some of its messages', async () => {
    const own = await started({ apis: 1, workers: 1 });
    const owner = await own.owner();
    const { stream_id } = await owner.get('get_stream_id', { stream: 'general' });
    await own.workers[0]?.kill();
    const id = await sendUntilAcknowledged(own, 'words of the topic', 0);
    const remove = () => owner.post(`streams/${stream_id}/delete_topic`, { topic_name: GENERAL.topic });
    expect(await remove()).toMatchObject({ result: 'success', complete: false });
    await own.addWorker();
    await eventually(async () => expect(await remove()).toMatchObject({ complete: true }));
    expect(await owner.get(`messages/${id}`)).toMatchObject({ msg: 'Invalid message(s)' });
  });

  it('stores each message once, whichever process is killed during the send', async () => {
    const own = await started({ apis: 2, workers: 1 });
    const reader = await QueueReader.register(await own.owner(1));
    let number = 0;
    let stopped = false;
    const acknowledged = new Map<string, number>();
    const senders = Array.from({ length: 4 }, async (_, sender) => {
      while (!stopped) {
        const content = `sender ${sender}, message ${number++}`;
        acknowledged.set(content, await sendUntilAcknowledged(own, content, sender));
      }
    });
    const enough = (count: number) => eventually(() => expect(acknowledged.size).toBeGreaterThan(count));

    await enough(5);
    await own.replaceApi(0);
    await enough(acknowledged.size + 5);
    await own.log.restart();
    await enough(acknowledged.size + 5);
    await own.workers[0]?.kill();
    await own.addWorker();
    await enough(acknowledged.size + 5);
    stopped = true;
    await Promise.all(senders);

    await eventually(async () => {
      await reader.poll(await own.owner(1));
      expect(reader.contents.length).toBeGreaterThanOrEqual(acknowledged.size);
    });
    expect([...reader.contents].sort()).toEqual([...acknowledged.keys()].sort());
    expect(reader.messageIds).toEqual([...acknowledged.values()].sort((a, b) => a - b));
  }, 300_000);

  it('refuses a deactivated user at every process before the deactivation is answered', async () => {
    const own = await started({ apis: 3, workers: 1 });
    const owner = await own.owner(0);
    for (let round = 0; round < 5; round++) {
      const user = await newUser(owner, `user${round}`);
      const elsewhere = [1, 2].map((index) => user.api.at(own.api(index).url));
      for (const api of elsewhere) expect(await answered(() => api.get('users/me'))).toMatchObject({ msg: '' });
      expect(await answered(() => owner.delete(`users/${user.id}`))).toMatchObject({ msg: '' });
      for (const api of elsewhere) {
        expect((await api.get('users/me')).result).toBe('error');
        expect(await answered(() => api.get('users/me'))).toMatchObject({ code: 'USER_DEACTIVATED' });
      }
    }
  });

  it('does not let a process that was frozen answer from its old state', async () => {
    const own = await started({ apis: 2, workers: 1 });
    const owner = await own.owner(0);
    const user = await newUser(owner, 'frozen');
    const elsewhere = user.api.at(own.api(1).url);
    expect(await answered(() => elsewhere.get('users/me'))).toMatchObject({ msg: '' });

    own.api(1).signal('SIGSTOP');
    // The kernel accepts the request while the process is stopped. It is the first one that the process handles afterwards.
    const asked = elsewhere.get('users/me');
    expect(await answered(() => owner.delete(`users/${user.id}`))).toMatchObject({ msg: '' });
    own.api(1).signal('SIGCONT');

    expect(await asked).toMatchObject({ result: 'error' });
    await eventually(async () => expect(await elsewhere.get('users/me')).toMatchObject({ code: 'USER_DEACTIVATED' }));
  });

  it('rebuilds its documents while it answers, and ends with the same documents', async () => {
    // The command is an event of its own otherwise.
    const own = await started({ apis: 1, workers: 1, environment: { ANNALS_ACCESS_DAYS: '0' } });
    for (let index = 0; index < 20; index++) await sendUntilAcknowledged(own, `message ${index}`, 0);
    const before = await own.documents();
    const reading = (async () => {
      const owner = await own.owner(0);
      const answers = new Set<unknown>();
      while (!own.hasRebuilt) {
        const page = { anchor: 'newest', num_before: 100, num_after: 0 };
        const { result, messages } = await answered(() => owner.get('messages', page));
        answers.add(`${result} ${Array.isArray(messages) ? messages.length : 'none'}`);
      }
      return answers;
    })();
    await own.rebuild();
    expect(await reading).toEqual(new Set(['success 20']));
    expect(await own.documents()).toEqual(before);
  });
});

/** Asks again after SERVICE_UNAVAILABLE. On a busy machine a process may not hear of the others for a while. */
function answered(ask: () => Promise<Answer>): Promise<Answer> {
  return eventually(async () => {
    const answer = await ask();
    if (answer.code === 'SERVICE_UNAVAILABLE') throw new Error(answer.msg);
    return answer;
  });
}
