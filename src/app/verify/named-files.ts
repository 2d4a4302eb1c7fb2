import { hash } from 'node:crypto';
import { eventRegistry } from '../../events/event-registry.js';
import type { Engines } from '../../platform/engines/engines.js';
import { endedContent, hasFiles, namedFiles } from '../../platform/kernel/content-duties.js';
import type { Recorded } from '../../platform/kernel/event.js';
import type { EventDefinition, FileMeasure } from '../../platform/kernel/event-definition.js';
import { type Position, START } from '../../platform/kernel/position.js';
import { EventCodec } from '../../platform/log/event-codec.js';
import type { EventStore, StoredEvent } from '../../platform/log/event-store.js';
import { fileIdsIn } from '../cli/copy-files.js';
import { nameOf } from './verify-keys.js';

/** Events that are read at once. */
const PAGE = 500;

const typesThat = (isOne: (definition: EventDefinition) => boolean): readonly string[] =>
  [...eventRegistry.values()].filter(isOne).map(({ type }) => type);

const NAMING = typesThat(({ files = [] }) => files.length > 0);
const TYPES = typesThat(hasFiles);

/** A file as the log tells of it. */
export interface NamedFile {
  /** The name of the event that tells that it is stored. */
  readonly event: string;
  readonly position: Position;
  readonly measure: FileMeasure;
  /** The event that tells that it was deleted; null: it is not. */
  readonly ended: { readonly event: string; readonly at: number; readonly position: Position } | null;
}

/** One of `of` parts of all files, by their names: a part fits into memory. */
export interface FilesPart {
  readonly index: number;
  readonly of: number;
}

/** Tells whether the file is of the part. */
export const isOf = (fileId: string, { index, of }: FilesPart): boolean =>
  of === 1 || Number.parseInt(hash('sha256', fileId).slice(0, 8), 16) % of === index;

/** Counts the files that the log names, deleted ones too. */
export async function countNamedFiles(log: Pick<EventStore, 'readAll'>, goOn: () => Promise<void>): Promise<number> {
  let count = 0;
  for (let after = START; ; ) {
    const page = await log.readAll({ after, limit: PAGE, filter: { types: NAMING } });
    count += fileIdsIn(page.events).length;
    after = page.position;
    if (page.caughtUp) return count;
    await goOn();
  }
}

/** The files of a part that the log names, as far as it was read. */
export class NamedFiles {
  private readonly byId = new Map<string, NamedFile>();
  private position: Position = START;
  private readonly codec: EventCodec;

  constructor(
    private readonly sources: Pick<Engines, 'eventStore' | 'contentKeys'>,
    private readonly part: FilesPart,
  ) {
    this.codec = new EventCodec(sources.contentKeys, eventRegistry);
  }

  /** Reads the log on to its end. */
  async readOn(goOn: () => Promise<void>): Promise<void> {
    for (;;) {
      const page = await this.sources.eventStore.readAll({
        after: this.position,
        limit: PAGE,
        filter: { types: TYPES },
      });
      for (const event of await this.decoded(page.events)) this.add(event);
      this.position = page.position;
      if (page.caughtUp) return;
      await goOn();
    }
  }

  get(fileId: string): NamedFile | undefined {
    return this.byId.get(fileId);
  }

  /** All files, in the order of their events. */
  all(): Iterable<readonly [fileId: string, file: NamedFile]> {
    return this.byId;
  }

  /** The files that are not deleted, in the order of their events. */
  *stored(): Generator<readonly [fileId: string, file: NamedFile]> {
    for (const entry of this.byId) if (entry[1].ended === null) yield entry;
  }

  private add(event: Recorded): void {
    const definition = this.codec.definitionOf(event.type);
    const name = nameOf(event);
    const { position } = event;
    for (const [fileId, measure] of namedFiles(definition, event))
      if (isOf(fileId, this.part)) this.byId.set(fileId, { event: name, position, measure, ended: null });
    for (const fileId of endedContent(definition, event).fileIds) {
      const file = this.byId.get(fileId);
      if (file) this.byId.set(fileId, { ...file, ended: { event: name, at: event.metadata.at, position } });
    }
  }

  private async decoded(events: readonly StoredEvent[]): Promise<readonly Recorded[]> {
    try {
      return await this.codec.decode(events);
    } catch {
      // A key may be changed, which `--open` finds: the file has no digest then.
      return Promise.all(events.map((event) => this.decodedAlone(event)));
    }
  }

  private async decodedAlone(event: StoredEvent): Promise<Recorded> {
    const [whole] = await this.codec.decode([event]).catch(() => this.codec.decodeWithoutContent([event]));
    if (!whole) throw new Error(`${nameOf(event)} cannot be read`);
    return whole;
  }
}
