import type { ClientEventDocument } from '../../../projections/client-events/client-events.documents.js';
import { clientEvents } from '../../../projections/client-events/client-events.projection.js';
import { projections } from '../../../projections/index.js';
import { consequences, features, reactors } from '../../../src/app/features.js';
import { directoryEventTypes } from '../../../src/directory/directory.changes.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import type { Feature } from '../../../src/features/feature.js';
import { erasuresIn } from '../../../src/platform/consumers/erased-content.js';
import type { Recorded } from '../../../src/platform/kernel/event.js';
import { sourceFiles } from '../../architecture/source-files.js';
import { projected } from '../projections/projected.js';

export interface Readers {
  readonly readModels: readonly string[];
  readonly isOfDirectory: boolean;
  readonly managers: readonly string[];
  /** Effects outside of the server. */
  readonly reactors: readonly string[];
  readonly isOfErasure: boolean;
  /** Kinds of the client events that follow; null: the feed does not read it. */
  readonly told: readonly string[] | null;
}

/** Read models that read every event, or have a line of their own. */
const OTHERS = ['audit', 'client-events', 'directory'];

/**
 * Finds who reads each type of event, by what read models, process managers and reactors declare.
 * @param events of all types, in the order of a log: client events are those that the feed makes of them
 */
export async function eventReaders(events: readonly Recorded[]): Promise<ReadonlyMap<string, Readers>> {
  const followed = followedTypes();
  const erasures = erasuresIn(eventRegistry, projections);
  const kinds = await kindsBy(events);
  const directory: readonly string[] = directoryEventTypes;
  return new Map(
    [...eventRegistry.keys()].map((type) => [
      type,
      {
        readModels: projections.filter(({ name, on }) => type in on && !OTHERS.includes(name)).map(({ name }) => name),
        isOfDirectory: directory.includes(type),
        managers: consequences.filter(({ on }) => on === type).map(({ name }) => name),
        reactors: [
          ...reactors.filter(({ on }) => on === type).map(({ name }) => name),
          ...followed.filter(({ types }) => types.has(type)).map(({ name }) => name),
        ],
        isOfErasure: erasures.has(type),
        told: type in clientEvents.on ? [...(kinds.get(type) ?? [])].sort() : null,
      },
    ]),
  );
}

/** Features with followers of their own, which name the types of their events in `reactors`, as texts or as keys. */
function followedTypes(): readonly { readonly name: string; readonly types: ReadonlySet<string> }[] {
  const all: readonly Feature[] = features;
  return all
    .filter(({ followers = [] }) => followers.length > 0)
    .map(({ name }) => {
      const texts = sourceFiles(`src/features/${name}/reactors`).map(({ text }) => text);
      return {
        name,
        types: new Set(
          texts.flatMap((text) => [...text.matchAll(/'(\w+)'|\b(\w+): /g)].map(([, type, key = '']) => type ?? key)),
        ),
      };
    });
}

async function kindsBy(events: readonly Recorded[]): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const documents = await projected(clientEvents, events);
  const typeAt = new Map(events.map(({ position, type }) => [position, type]));
  const kinds = new Map<string, Set<string>>();
  for (const { position, kind } of (documents.events ?? []) as readonly ClientEventDocument[]) {
    const type = typeAt.get(position) ?? '';
    kinds.set(type, (kinds.get(type) ?? new Set()).add(kind));
  }
  return kinds;
}
