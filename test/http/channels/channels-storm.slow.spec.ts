import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { READ_SIDE, type ReadSide } from '../../../src/app/roles/read-side.js';
import { expectFreshState } from '../../support/client-state/fresh-state.js';
import { Scene } from '../../support/client-state/scene.js';
import { type Act, Storm } from '../../support/client-state/storm.js';
import { EventQueue } from '../../support/requests/event-queue.js';
import type { Member } from '../../support/servers/annals.js';
import { channelFolderActs } from '../channel-folders/channel-folders.acts.js';
import { sendActs } from '../messages/messages.acts.js';
import { channelActs, subscriptionActs } from './channels.acts.js';

const STATE = [
  'message',
  'update_message_flags',
  'realm_user',
  'stream',
  'subscription',
  'default_streams',
  'channel_folder',
  'channel_folders',
];
const KNOWING = { client_capabilities: { archived_channels: true } };

const actsOn = (scene: Scene): readonly Act[] => [
  ...channelActs(scene),
  ...channelFolderActs(scene),
  ...subscriptionActs(scene),
  ...sendActs(scene),
];

describe('queues in a storm of changes of channels', () => {
  let scene: Scene;

  beforeAll(async () => {
    scene = await Scene.start();
  });
  afterAll(() => scene.annals.stop());

  const register = (reader: Member, params: object) =>
    EventQueue.register(reader.api, { event_types: STATE, include_subscribers: true, ...params });

  it.each([
    ['that know archived channels', 1, KNOWING],
    ['that know archived channels', 2, KNOWING],
    ['that do not know archived channels', 3, {}],
    ['that do not know archived channels', 4, {}],
  ])('bring clients %s to the fresh state (storm %i)', async (_, seed, params) => {
    const { readers } = scene;
    const storm = new Storm(seed, actsOn(scene));
    const registered: { reader: Member; queue: EventQueue }[] = [];
    for (let step = 0; step < 80; step++) {
      if (step % 8 === 0)
        for (const reader of readers) registered.push({ reader, queue: await register(reader, params) });
      await storm.step();
    }
    for (const reader of readers) {
      const queues = registered.filter((one) => one.reader === reader).map(({ queue }) => queue);
      await expectFreshState(reader.id, queues, register(reader, params));
    }
  });

  it('give the same events after a rebuild', async () => {
    const { annals, owner } = scene;
    const [first, second] = [await register(owner, KNOWING), await register(owner, KNOWING)];
    await new Storm(5, actsOn(scene)).blow(60);
    const told = await first.drain();
    await annals.app.get<ReadSide>(READ_SIDE).rebuild(['client-events', 'messages'], () => {});
    expect(told.length).toBeGreaterThan(10);
    expect(await second.drain()).toEqual(told);
  });
});
