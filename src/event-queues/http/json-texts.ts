/** Values that are JSON already. */
export class JsonTexts {
  constructor(readonly texts: readonly string[]) {}

  /** For whoever serialises an answer without knowing of this. */
  toJSON(): unknown[] {
    return this.texts.map((text) => JSON.parse(text) as unknown);
  }
}

/** A Fastify serializer: `events` that were written for many queues go out as they are. */
export function serializeEvents(body: object): string {
  const { events, ...rest } = body as Readonly<Record<string, unknown>>;
  if (!(events instanceof JsonTexts)) return JSON.stringify(body);
  return `${JSON.stringify(rest).slice(0, -1)},"events":[${events.texts.join(',')}]}`;
}
