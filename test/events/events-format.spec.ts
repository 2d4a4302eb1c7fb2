import { expect, it } from '@jest/globals';
import { eventRegistry } from '../../src/events/event-registry.js';
import { EVENTS_FORMAT } from '../../src/platform/log/events-format.js';

it('the stored number of the format grows with every new type of event and every new version of one', () => {
  const versions = [...eventRegistry.values()].map(({ version }) => version);
  expect(EVENTS_FORMAT).toBe(versions.reduce((sum, version) => sum + version, 0));
});
