/** The cause of a command, for the metadata of its events (D6). */
export interface CommandContext {
  /** The acting user; null for the server itself. */
  readonly actorId: number | null;
  /** Name of the client program. */
  readonly client: string;
  /** Shared by all events that follow from one request. */
  readonly correlationId: string;
}
