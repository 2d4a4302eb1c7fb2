import { beforeEach, describe, expect, it } from '@jest/globals';
import { InProcessBus } from '../../../src/platform/bus/in-process/in-process-bus.js';
import { LatestPublisher } from '../../../src/platform/bus/latest-publisher.js';
import type { JsonObject } from '../../../src/platform/kernel/json.js';
import { eventually } from '../../support/eventually.js';

const TOPIC = 'progress';

describe('news of what changes often', () => {
  let bus: InProcessBus;
  let heard: JsonObject[];

  beforeEach(() => {
    bus = new InProcessBus();
    heard = [];
    bus.subscribe(TOPIC, (message) => heard.push(message));
  });

  const publisher = (isMoreComing?: () => boolean) =>
    new LatestPublisher(
      bus,
      (error) => {
        throw error;
      },
      isMoreComing,
    );

  it('of the same moment are one message', async () => {
    const news = publisher();
    news.set(TOPIC, 'sends', { position: 1 });
    news.set(TOPIC, 'messages', { position: 1 });
    news.set(TOPIC, 'messages', { position: 2 });
    await eventually(() => expect(heard).toEqual([{ sends: { position: 1 }, messages: { position: 2 } }]));
  });

  it('that can wait go by themselves if nothing else comes', async () => {
    publisher().set(TOPIC, 'sends', { position: 1 }, 1);
    await eventually(() => expect(heard).toEqual([{ sends: { position: 1 } }]));
  });

  it('that can wait go with others that are on their way', async () => {
    let asked = 0;
    const news: LatestPublisher = publisher(() => {
      if (++asked === 3) news.set(TOPIC, 'messages', { position: 1 });
      return true;
    });
    news.set(TOPIC, 'sends', { position: 1 }, 1);
    await eventually(() => expect(heard).toEqual([{ sends: { position: 1 }, messages: { position: 1 } }]));
  });

  it('that can wait do not wait for ever', async () => {
    publisher(() => true).set(TOPIC, 'sends', { position: 1 }, 1);
    await eventually(() => expect(heard).toEqual([{ sends: { position: 1 } }]));
  });
});
