import type { EventStore } from '../log/event-store.js';

/** A checkpoint that the log gave up when it was accepted as restored. The log has them in their order. */
export interface GivenUp {
  readonly size: number;
  /** Base64. */
  readonly root: string;
  /** The end of the log's name from then on. */
  readonly name: string;
}

/**
 * Tells whether a checkpoint may contradict the log. It may if it was signed before the log was accepted as restored, and
 * is not larger than the checkpoint that was given up then. The end of its origin tells when it was signed.
 */
export function isGivenUp(
  { origin, size }: { readonly origin: string; readonly size: number },
  givenUp: readonly GivenUp[],
): boolean {
  const signedAfter = givenUp.findLastIndex(({ name }) => origin.endsWith(`/${name}`));
  return givenUp.slice(signedAfter + 1).some((later) => size <= later.size);
}

/** Reads the checkpoints that the log gave up, in order. @param stream about the server's log @throws EventStoreUnavailable */
export async function givenUpCheckpoints(
  eventStore: Pick<EventStore, 'readStream'>,
  stream: string,
): Promise<readonly GivenUp[]> {
  const events = await eventStore.readStream(stream);
  return events.flatMap(({ type, data: { size, root, name } }) =>
    type === 'RestoredLogAccepted' && typeof size === 'number' && typeof root === 'string' && typeof name === 'string'
      ? [{ size, root, name }]
      : [],
  );
}
