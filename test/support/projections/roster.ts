import { ProjectionRunner, type ProjectionRunnerOptions } from '../../../projections/runner/projection-runner.js';
import { compiled } from '../../../scripts/transpile.js';
import { eventRegistry } from '../../../src/events/event-registry.js';
import { ROLES } from '../../../src/events/shared/role.js';
import type { StoredDocument } from '../../../src/platform/documents/document-store.js';
import type { Engines } from '../../../src/platform/engines/engines.js';
import { openEngines } from '../../../src/platform/engines/open-engines.js';
import type { DomainEvent } from '../../../src/platform/kernel/event.js';
import { newEventId } from '../../../src/platform/kernel/ids.js';
import type { Position } from '../../../src/platform/kernel/position.js';
import { EventCodec } from '../../../src/platform/log/event-codec.js';
import type { Projection } from '../../../src/platform/read-models/projection.js';
import { applications, delicate, projections, roster } from './roster-projections.js';

export const BEFORE_THE_UPGRADE = compiled('test/support/projections/roster-projections.ts');
export const AFTER_THE_UPGRADE = compiled('test/support/projections/roster-projections-raised.ts');

export interface RosterOptions extends Partial<ProjectionRunnerOptions> {
  readonly dataDirectory: string;
  readonly projectionsModule?: string;
}

/** Runs the projections of roster-projections.ts on embedded engines in a directory. */
export class Roster {
  private constructor(
    readonly engines: Engines,
    readonly runner: ProjectionRunner,
    private readonly codec: EventCodec,
    private readonly projections: readonly Projection[],
  ) {}

  static async open({ dataDirectory, projectionsModule, ...options }: RosterOptions): Promise<Roster> {
    const engines = await openEngines({ dataDirectory });
    const { eventStore, documentStore } = engines;
    const codec = new EventCodec(engines.contentKeys, eventRegistry);
    const runner = new ProjectionRunner({
      eventStore,
      documentStore,
      codec,
      projections,
      rebuild: { engines: { dataDirectory }, projectionsModule: projectionsModule ?? BEFORE_THE_UPGRADE },
      ...options,
    });
    return new Roster(engines, runner, codec, options.projections ?? projections);
  }

  static async start(options: RosterOptions): Promise<Roster> {
    const roster = await Roster.open(options);
    await roster.runner.start();
    return roster;
  }

  async close(): Promise<void> {
    await this.runner.close();
    await this.engines.close();
  }

  /** Appends events one by one. @returns the last position */
  async append(...events: readonly DomainEvent[]): Promise<Position> {
    const appended = await Promise.all(events.map((event) => this.appendTogether([event])));
    return Math.max(...appended);
  }

  async appendTogether(events: readonly DomainEvent[]): Promise<Position> {
    const metadata = { actorId: null, client: 'test', at: 1, correlationId: newEventId(), causationId: null };
    const encoded = events.map((event) => this.codec.encode(event, newEventId(), metadata));
    return (await this.engines.eventStore.append('users', encoded, 'any')).position;
  }

  /** Resolves when all projections that have not failed have caught up. */
  async caughtUp(): Promise<void> {
    await this.runner.waitFor(this.projections, await this.engines.eventStore.head());
  }

  people(projection: Projection = roster): Promise<Person[]> {
    return this.runner.collection<Person>(projection, 'people').find({}, EVERYTHING);
  }

  /** Lists the distinct numbers of times that events were applied. */
  async timesApplied(): Promise<number[]> {
    const counts = await this.runner
      .collection<StoredDocument & { readonly times: number }>(applications, 'counts')
      .find({}, EVERYTHING);
    return [...new Set(counts.map(({ times }) => times))];
  }

  async events(): Promise<number> {
    const { eventStore } = this.engines;
    return (await eventStore.readAll({ after: 0, limit: 1_000_000 })).events.length;
  }

  statusOf(projection: Projection) {
    const status = this.runner.status().find(({ name }) => name === projection.name);
    if (!status) throw new Error(`no status of ${projection.name}`);
    return status;
  }
}

export interface Person extends StoredDocument {
  readonly _id: number;
  readonly name: string;
  readonly active: boolean;
  readonly position: Position;
}

const EVERYTHING = { sort: { _id: 1 }, limit: Number.MAX_SAFE_INTEGER } as const;

export const userCreated = (userId: number, fullName = `User ${userId}`): DomainEvent => ({
  type: 'UserCreated',
  data: { userId, email: `user${userId}@example.org`, fullName, role: ROLES.member, passwordHash: null },
});

export const userDeactivated = (userId: number): DomainEvent => ({ type: 'UserDeactivated', data: { userId } });

/** An event that no projection of the roster handles. */
export const keyIssued = (userId: number): DomainEvent => ({
  type: 'ApiKeyIssued',
  data: { userId, keyHash: 'aa' },
});

export { applications, delicate, roster };
