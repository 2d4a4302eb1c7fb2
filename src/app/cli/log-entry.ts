import { eventRegistry } from '../../events/event-registry.js';
import { shownData } from '../../events/shown-data.js';
import { USERS_STREAM, type UserEvent } from '../../events/users/users.events.js';
import { isMonthOver } from '../../platform/content-keys/month-key.js';
import type { Recorded } from '../../platform/kernel/event.js';
import type { Json } from '../../platform/kernel/json.js';
import { isKeyMissing } from '../../platform/kernel/key-missing.js';
import { foldCase } from '../../platform/kernel/text.js';
import type { EventCodec } from '../../platform/log/event-codec.js';
import type { EventStore, UnreadableEvent } from '../../platform/log/event-store.js';

/** An event as `annals log --json` prints it: scripts read these names, so they stay. */
interface LogEntry {
  readonly position: number;
  /** ISO 8601, UTC. */
  readonly time: string;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  /** null: the server itself. */
  readonly actor: Actor | null;
  /** The operating system's user who gave the command on the command line. Absent if nobody did. */
  readonly operator?: string;
  readonly client: string;
  /** Address of the request; null: its key is not there. Absent if no request led to the event, or if none was kept. */
  readonly address?: string | null;
  readonly correlationId: string;
  readonly causationId: string | null;
  /** Data; content is `{"sealed": true}` unless asked for, null once its key is destroyed, `KEY_MISSING` if that is missing. */
  readonly data: Readonly<Record<string, Json>>;
}

export function logEntry(event: Recorded, actor: Actor | null, words: boolean): LogEntry {
  const { position, stream, revision, id, type, metadata } = event;
  return {
    position,
    time: new Date(metadata.at).toISOString(),
    stream,
    revision,
    id,
    type,
    actor,
    ...(metadata.operator === undefined ? {} : { operator: metadata.operator }),
    client: metadata.client,
    ...(metadata.address === undefined ? {} : { address: metadata.address }),
    correlationId: metadata.correlationId,
    causationId: metadata.causationId,
    data: shownData(event, words),
  };
}

/** Formats an entry as two lines for people: event and actor, then the payload. */
export function readable(entry: LogEntry): string {
  const { type } = entry;
  const sealed = eventRegistry.get(type)?.sealed?.field;
  const payload = Object.entries(entry.data).map(
    ([name, value]) => `${name}=${name === sealed ? contentOf(value) : JSON.stringify(value)}`,
  );
  return `${headingOf(entry)}\n    ${printable(payload.join(' '))}`;
}

/** An event that nobody can read, as `annals log --json` prints it. */
interface UnreadableEntry extends Pick<LogEntry, 'position' | 'time' | 'stream' | 'revision' | 'id' | 'type'> {
  readonly unreadable: string;
}

export function unreadableEntry({ event, reason }: UnreadableEvent): UnreadableEntry {
  const { position, stream, revision, id, type, metadata } = event;
  return { position, time: new Date(metadata.at).toISOString(), stream, revision, id, type, unreadable: reason };
}

/** Formats it as two lines for people. */
export function readableAsFarAsItIs({
  position,
  time,
  stream,
  revision,
  id,
  type,
  unreadable,
}: UnreadableEntry): string {
  return `${printable([position, time, `${stream}@${revision}`, type, id].join('  '))}\n    cannot be read: ${printable(unreadable)}`;
}

/** The line for people that says which event it is, who caused it, when and from where. */
export function headingOf(entry: Omit<LogEntry, 'id' | 'correlationId' | 'causationId' | 'data'>): string {
  const { position, time, stream, revision, type, actor, operator, client, address } = entry;
  const from = address === undefined ? [] : [`from ${address ?? withoutAddress(time)}`];
  return printable(
    [position, time, `${stream}@${revision}`, type, nameOf(actor, operator), client, ...from].join('  '),
  );
}

/** Says why an address cannot be read. Its key is of a month, and ends with its time, but not before the month does. */
const withoutAddress = (time: string): string =>
  isMonthOver(Date.parse(time), Date.now()) ? '(gone)' : '(key missing)';

export function contentOf(value: Json): string {
  if (value === null) return '(gone)';
  if (isKeyMissing(value)) return '(key missing)';
  return isSealed(value) ? '(sealed)' : JSON.stringify(value);
}

const isSealed = (value: Json): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && value.sealed === true;

function nameOf(actor: Actor | null, operator: string | undefined): string {
  if (!actor) return operator === undefined ? 'server' : `operator ${operator}`;
  return actor.name === null ? `user ${actor.id}` : `${actor.name} <${actor.email}>`;
}

/** Escapes characters that would steer a terminal or turn its text around: names and content are other people's. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

interface Actor {
  readonly id: number;
  /** null if no account has the id. */
  readonly name: string | null;
  readonly email: string | null;
}

const PAGE = 1000;

/** Finds the accounts behind the ids in the log, from the log alone: no documents are needed or trusted. */
export class Actors {
  private readonly byId = new Map<number, Actor>();
  private readonly byEmail = new Map<string, Set<number>>();
  private nextRevision = 0;

  constructor(
    private readonly log: Pick<EventStore, 'readStream'>,
    private readonly codec: Pick<EventCodec, 'decode'>,
  ) {}

  async withId(id: number): Promise<Actor> {
    if (!this.byId.has(id)) await this.catchUp();
    return this.byId.get(id) ?? { id, name: null, email: null };
  }

  async exists(id: number): Promise<boolean> {
    return (await this.withId(id)).email !== null;
  }

  /** Finds the accounts that have the address, or had it. @param email in any case */
  async idsWithEmail(email: string): Promise<ReadonlySet<number>> {
    await this.catchUp();
    return this.byEmail.get(foldCase(email)) ?? new Set();
  }

  private async catchUp(): Promise<void> {
    for (;;) {
      const page = await this.log.readStream(USERS_STREAM, { from: this.nextRevision, limit: PAGE });
      for (const event of (await this.codec.decode(page)) as unknown as UserEvent[]) this.apply(event);
      this.nextRevision += page.length;
      if (page.length < PAGE) return;
    }
  }

  private apply(event: UserEvent): void {
    const { userId: id } = event.data;
    const before = this.byId.get(id) ?? { id, name: null, email: null };
    if (event.type === 'UserCreated' || event.type === 'BotCreated')
      this.name({ id, name: event.data.fullName, email: event.data.email });
    if (event.type === 'UserRenamed') this.name({ ...before, name: event.data.to });
    if (event.type === 'UserEmailChanged') this.name({ ...before, email: event.data.to });
  }

  private name(actor: Actor): void {
    this.byId.set(actor.id, actor);
    const key = foldCase(actor.email ?? '');
    this.byEmail.set(key, (this.byEmail.get(key) ?? new Set()).add(actor.id));
  }
}
