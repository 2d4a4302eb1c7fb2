import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { PushServices } from '../support/outside/push/push-services.js';
import { Api } from '../support/requests/api.js';
import { killedAt } from '../support/servers/killed-at.js';

const TOKEN = 'a-device';

/** Gives the owner a device, and a bot that writes to them. */
async function prepare(api: Api): Promise<void> {
  await api.post('users/me/android_gcm_reg_id', { token: TOKEN });
  const { user_id } = await api.post('bots', { full_name: 'Bell', short_name: 'bell' });
  expect(user_id).toEqual(expect.any(Number));
}

describe('a message whose server is killed', () => {
  let services: PushServices;
  beforeAll(async () => {
    services = await PushServices.start();
  });
  beforeEach(() => {
    services.google.taken.length = 0;
    services.google.isSilent = false;
  });
  afterAll(() => services.stop());

  const pushed = () => services.google.taken.map(({ data }) => data.content).sort();

  /** Writes to the owner as a bot, which gets a new key. */
  async function ring(api: Api, content: string): Promise<void> {
    const [bot] = (await api.get('bots')).bots as { user_id: number; username: string }[];
    const { api_key } = await api.post(`bots/${bot?.user_id}/api_key/regenerate`);
    const bell = new Api({ email: String(bot?.username), key: String(api_key), site: api.credentials.site });
    await bell.post('messages', { type: 'direct', to: [1], content });
  }

  it.each([
    ['after it is stored', 'appended:messages'],
    ['before the checkpoint is stored', 'uncommitted:pusher'],
    ['after the checkpoint is stored', 'committed:pusher'],
  ])('%s is pushed exactly once', async (_, point) => {
    await killedAt(
      point,
      {
        prepare: ({ api }) => prepare(api),
        work: ({ api }) => ring(api, 'ding').catch(() => {}),
        check: async ({ api }) => {
          await eventually(() => expect(pushed()).toEqual(['ding']));
          await ring(api, 'dong');
          await eventually(() => expect(pushed()).toEqual(['ding', 'dong']));
        },
      },
      services.settings,
    );
  });

  it('before the service has answered is pushed again under the same id, and not lost', async () => {
    await killedAt(
      'nowhere',
      {
        prepare: ({ api }) => prepare(api),
        work: async ({ api, kill }) => {
          services.google.isSilent = true;
          await ring(api, 'ding');
          await eventually(() => expect(pushed()).toEqual(['ding']));
          await kill();
        },
        check: async ({ api }) => {
          services.google.isSilent = false;
          await eventually(() => expect(pushed()).toEqual(['ding', 'ding']));
          expect(new Set(services.google.taken.map(({ data }) => data.zulip_message_id)).size).toBe(1);
          await ring(api, 'dong');
          await eventually(() => expect(pushed()).toEqual(['ding', 'ding', 'dong']));
        },
      },
      services.settings,
    );
  });
});
