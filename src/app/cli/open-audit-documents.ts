import { audit } from '../../../projections/audit/audit.projection.js';
import { AnnouncedReadModels } from '../../../projections/runner/announced-read-models.js';
import { REGISTRY_DATABASE } from '../../../projections/runner/registry.js';
import type { Engines } from '../../platform/engines/engines.js';

/** Milliseconds between two looks at how far the documents are. */
const LOOK_MS = 50;

/**
 * Opens the documents of the audit, which a server keeps.
 *
 * @param longestWait longest wait for events that they do not have: ms
 * @throws Error if there are none
 */
export async function openAuditDocuments(
  { documentStore, bus, eventStore }: Pick<Engines, 'documentStore' | 'bus' | 'eventStore'>,
  longestWait: number,
): Promise<AnnouncedReadModels> {
  // Opening the registry would create it.
  if (!(await documentStore.databases()).includes(REGISTRY_DATABASE)) throw incomplete();
  const head = await eventStore.head();
  const documents = new AnnouncedReadModels({
    documentStore,
    bus,
    projections: [audit],
    head: () => head,
    // `reasonOf` asks for a failure. Without one, a later look has made up for it.
    report: () => {},
    refreshEvery: LOOK_MS,
    longestWait,
  });
  await documents.start();
  return documents;
}

/** The reason why the documents are behind the log; undefined if none is known. */
export function reasonOf(documents: AnnouncedReadModels): Error | undefined {
  const failure = documents.failure();
  if (failure instanceof Error) return failure;
  if (!documents.isFresh())
    return new Error(`the registry of documents was last read ${Math.round(documents.age() / 1000)} s ago`);
  const [refused] = documents.status().flatMap(({ error }) => error ?? []);
  return refused && new Error(refused.message);
}

/** @param error refused the question; absent: there are no documents @param reason why it was refused */
export function incomplete(error?: Error, reason?: Error): Error {
  const cause = error && new Error(error.message, { cause: reason ?? error.cause });
  return new Error(
    'the documents of the audit do not have all of the log: a server completes them, or annals rebuild --projection audit',
    { cause },
  );
}
