// The read models of a later version, whose feed has one more kind. A rebuild thread can load this module.
import { projections as today } from '../../../projections/index.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { type Change, insert, type Projection } from '../../../src/platform/read-models/projection.js';

const RANKS = 4096;

/** A rank between two existing ones. */
const NOTICE_RANK = 700;

const notice = ({ position, metadata }: Recorded): Change => {
  const document = {
    _id: position * RANKS + NOTICE_RANK,
    position,
    kind: 'realm_user/update',
    part: 'messages',
    audience: { everyone: true },
    at: metadata.at,
    payload: { body: { person: { user_id: 0, is_active: true } } },
  };
  return insert('events', document);
};

const raised = (feed: Projection): Projection => ({
  ...feed,
  version: feed.version + 1,
  on: {
    ...feed.on,
    MessageSent: async (event, documents) => [
      ...((await feed.on.MessageSent?.(event, documents)) ?? []),
      notice(event),
    ],
  },
});

export const projections: readonly Projection[] = today.map((projection) =>
  projection.name === 'client-events' ? raised(projection) : projection,
);

export { eventRegistry } from '../../../src/events/event-registry.js';
