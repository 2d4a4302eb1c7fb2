import { projections } from '../../../projections/index.js';
import { Registry } from '../../../projections/runner/registry.js';
import type { Engines } from '../../platform/engines/engines.js';
import type { Position } from '../../platform/kernel/position.js';
import type { Projection } from '../../platform/read-models/projection.js';
import { type ReportOutput, WorkReport } from '../cli/build-report.js';
import { number } from '../cli/text.js';
import { compareAll } from './compared-documents.js';
import { LiveDocuments } from './live-documents.js';
import { RebuiltDocuments } from './rebuilt-documents.js';

type Sources = Pick<Engines, 'eventStore' | 'contentKeys' | 'documentStore'>;

interface VerifyDocumentsOptions {
  /** Number of events in the log, about. */
  readonly size: number;
  /** Folder in which the rebuild is made. */
  readonly temporary: string;
  readonly output: ReportOutput;
  /** Lets signals have their turn. Rejects to end the work. */
  readonly goOn: () => Promise<void>;
}

/**
 * Compares the documents of all projections with a rebuild from the log. Only reads the engines.
 * @throws NotRight naming the first difference; Error if some documents could not be compared
 */
export async function verifyDocuments(sources: Sources, options: VerifyDocumentsOptions): Promise<void> {
  const lives: LiveDocuments[] = [];
  const without: string[] = [];
  try {
    const records = await Registry.stored(sources.documentStore);
    for (const projection of projections) {
      const live = await LiveDocuments.open(sources.documentStore, projection, records.get(projection.name));
      if (live instanceof LiveDocuments) lives.push(live);
      else without.push(`${projection.name} ${live}`);
    }
    const own = lives.map(({ projection }) => projection);
    const rebuilt = await RebuiltDocuments.open(own, sources, options.temporary);
    try {
      await compare(lives, rebuilt, sources, options);
    } finally {
      await rebuilt.close();
    }
  } finally {
    for (const live of lives) await live.close();
  }
  if (without.length > 0) throw new Error(`not all documents could be compared: ${without.join(', ')}`);
}

async function compare(
  lives: readonly LiveDocuments[],
  rebuilt: RebuiltDocuments,
  { eventStore }: Sources,
  { size, output, goOn }: Omit<VerifyDocumentsOptions, 'temporary'>,
): Promise<void> {
  const head = await eventStore.head();
  await rebuild(lives, rebuilt, { size, output, goOn });
  let documents = 0;
  for (const live of lives) {
    documents += await compareAll({ live, rebuilt, eventStore, goOn });
    const types = Object.keys(live.projection.on);
    const after = await live.position();
    const { events } = await eventStore.readAll({ after, limit: 1, filter: { types } });
    if (events.some(({ position }) => position <= head))
      output.write(
        `${live.projection.name} has not all of the log yet: its documents were compared as of position ${after}.\n`,
      );
  }
  output.write(
    `The documents are right: ${number(documents)} of ${lives.length} projections, as a rebuild from the log makes them.\n`,
  );
}

async function rebuild(
  lives: readonly LiveDocuments[],
  rebuilt: RebuiltDocuments,
  { size, output, goOn }: Omit<VerifyDocumentsOptions, 'temporary'>,
): Promise<void> {
  const targets = new Map<Projection, Position>();
  for (const live of lives) targets.set(live.projection, await live.position());
  const startedAt = performance.now();
  const report = new WorkReport(output);
  let done = 0;
  try {
    await rebuilt.reach(targets, async (events) => {
      await goOn();
      done += events;
      const eventsPerSecond = (done * 1000) / (performance.now() - startedAt);
      const secondsLeft = Math.max(0, size - done) / eventsPerSecond;
      report.update({ what: 'Rebuilding documents', done, total: size, eventsPerSecond, secondsLeft });
    });
  } finally {
    report.end();
  }
}
