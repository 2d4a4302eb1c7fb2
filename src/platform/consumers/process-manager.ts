import type { CommandRunner } from '../commands/command-runner.js';
import type { DeclaredConsequence } from '../commands/consequences.js';
import type { Outcome } from '../commands/decision-request.js';
import type { Cause } from '../commands/followed-events.js';
import type { FoldedStream } from '../commands/stream-states.js';
import type { CommandContext, Decide } from '../kernel/deciding.js';
import type { DomainEvent, Recorded } from '../kernel/event.js';
import type { Position } from '../kernel/position.js';
import type { Projection } from '../read-models/projection.js';
import type { ReadModels } from '../read-models/read-models.js';

/**
 * Appends the consequences of one decision to another stream (D17). Handling an event again must append nothing, so ids
 * are derived from the event's. Rebuilds never run it.
 */
export interface ProcessManager<E extends DomainEvent = DomainEvent> extends DeclaredConsequence<E> {
  readonly name: string;
  /** Projections whose documents it reads; default: none. */
  readonly reads?: readonly Projection[];
  /** Set if it welcomes new people: a server with `ANNALS_WELCOME_MESSAGES=false` goes without it. */
  readonly welcomes?: true;
  /**
   * @param signal aborts when the process ends: the next start does the rest
   * @returns the position of the events that it appended now or earlier
   */
  readonly react: (
    event: Recorded<E>,
    runner: CommandRunner,
    readModels: ReadModels,
    signal: AbortSignal,
  ) => Promise<Position>;
}

/** Drops the event's type, which `on` ensures, so that managers of different events fit in one list. */
export function processManager<E extends DomainEvent>(manager: ProcessManager<E>): ProcessManager {
  return manager as unknown as ProcessManager;
}

/** Who caused an event: what follows from it is theirs. A consequence has no address. */
export const causerOf = ({
  metadata: { actorId, client, correlationId },
}: Pick<Recorded, 'metadata'>): CommandContext => ({
  actorId,
  client,
  correlationId,
});

/** A decision that follows from an event. */
interface FollowingDecision<Command, State, E extends DomainEvent, Context>
  extends FoldedStream<State, E>,
    Pick<Cause<E>, 'ids' | 'isAboutTheSame'> {
  readonly decide: Decide<Command, State, E, Context>;
  readonly command: Command;
  readonly context: Context;
}

/**
 * Decides on another stream what follows from an event (D17).
 * @returns the events that it appended, and the position of those that follow from the event: at least the event's
 */
export async function decideAfter<Command, State, E extends DomainEvent, Context>(
  event: Pick<Recorded, 'id' | 'metadata' | 'position'>,
  runner: CommandRunner,
  { ids, isAboutTheSame, ...decision }: FollowingDecision<Command, State, E, Context>,
): Promise<Outcome<E>> {
  const cause = { eventId: event.id, position: event.position, ids, ...(isAboutTheSame && { isAboutTheSame }) };
  const outcome = await runner.decide({ ...decision, expects: 'any', by: causerOf(event), cause });
  return { ...outcome, position: Math.max(event.position, outcome.position) };
}
