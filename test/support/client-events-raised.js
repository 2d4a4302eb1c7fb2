// The read models of a later version, as a module that a rebuild thread can load too: the feed tells one thing more.
import { projections as today } from '../../dist/projections/index.js';

const RANKS = 4096;

/** Between the ranks that there are. */
const NOTICE_RANK = 700;

const notice = ({ position, metadata }) => ({
  collection: 'events',
  operation: {
    replaceOne: {
      filter: { _id: position * RANKS + NOTICE_RANK },
      replacement: {
        _id: position * RANKS + NOTICE_RANK,
        position,
        kind: 'realm_user/update',
        part: 'messages',
        audience: { everyone: true },
        at: metadata.at,
        payload: { body: { person: { user_id: 0, is_active: true } } },
      },
      upsert: true,
    },
  },
});

const raised = (feed) => ({
  ...feed,
  version: feed.version + 1,
  on: {
    ...feed.on,
    MessageSent: async (event, documents) => [...(await feed.on.MessageSent(event, documents)), notice(event)],
  },
});

export const projections = today.map((projection) =>
  projection.name === 'client-events' ? raised(projection) : projection,
);
