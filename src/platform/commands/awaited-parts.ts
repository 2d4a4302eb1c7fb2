import type { DomainEvent } from '../kernel/event.js';
import type { Projection } from '../read-models/projection.js';
import type { DeclaredConsequence } from './consequences.js';

/** An event that a command appended. Without `data`, everything that the type may concern is waited for. */
export type AppendedEvent = Pick<DomainEvent, 'type'> & Partial<Pick<DomainEvent, 'data'>>;

/** The declarations that tell which parts an event changes. */
export interface PartsOfServer {
  readonly projections: readonly Projection[];
  readonly processManagers: readonly DeclaredConsequence[];
  /** Tells whether events of the type change the directory. */
  readonly changesDirectory: (type: string) => boolean;
}

/** The parts that an answer waits for. */
interface Awaited {
  readonly readModels: readonly Projection[];
  /** Set if the directory of every process changes. */
  readonly directory: boolean;
  /** Number of consequences in other streams that follow one from another; 0: none. */
  readonly consequences: number;
  /** Set if consequences follow in the background. */
  readonly inBackground: boolean;
}

type Condition = (predicate: ((data: Readonly<Record<string, unknown>>) => boolean) | undefined) => boolean;

/** A consequence is not known beforehand: parts that only some events of its type concern are not waited for. */
const always: Condition = (predicate) => predicate === undefined;

/** Derives the parts that an answer waits for from the events that its command appended (D11). */
export class AwaitedParts {
  constructor(private readonly parts: PartsOfServer) {}

  of(events: readonly AppendedEvent[]): Awaited {
    const found = { readModels: new Set<Projection>(), directory: false, consequences: 0, inBackground: false };
    for (const { type, data } of events)
      this.find(type, (predicate) => predicate === undefined || data === undefined || predicate({ ...data }), 1, found);
    return { ...found, readModels: [...found.readModels] };
  }

  /** The parts of a command that appended nothing: nothing tells which of them show that there was nothing to do. */
  get all(): Awaited {
    const readModels = this.parts.projections.filter(({ awaited }) => awaited !== false);
    return { readModels, directory: true, consequences: 1, inBackground: false };
  }

  private find(
    type: string,
    applies: Condition,
    step: number,
    found: { -readonly [K in Exclude<keyof Awaited, 'readModels'>]: Awaited[K] } & { readModels: Set<Projection> },
  ): void {
    const { projections, processManagers, changesDirectory } = this.parts;
    for (const one of projections)
      if (type in one.on && one.awaited !== false && applies(one.awaited?.[type])) found.readModels.add(one);
    found.directory ||= changesDirectory(type);
    for (const { on, concerns, appends, inBackground = false, awaited } of processManagers) {
      if (on !== type || awaited === false || !applies(concerns)) continue;
      if (inBackground) found.inBackground = true;
      else found.consequences = Math.max(found.consequences, step);
      for (const next of appends) this.find(next, always, step + 1, found);
    }
  }
}
