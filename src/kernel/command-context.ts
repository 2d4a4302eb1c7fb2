/** Who asks: what every event's metadata says of its cause (D6). */
export interface CommandContext {
  /** The acting user; null for the server itself. */
  readonly actorId: number | null;
  /** Name of the client program. */
  readonly client: string;
  /** The same for everything that follows from one request. */
  readonly correlationId: string;
}
