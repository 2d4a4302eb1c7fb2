import type { Writable } from 'node:stream';
import { eventRegistry } from '../../events/event-registry.js';
import { SYSTEM_BOTS } from '../../events/shared/system-bots.js';
import { streamOfEnd } from '../../events/stream-of-end.js';
import { addressKeysOf } from '../../platform/content-keys/month-key.js';
import type { EngineSettings, Engines } from '../../platform/engines/engines.js';
import { foldCase } from '../../platform/kernel/text.js';
import { EventCodec } from '../../platform/log/event-codec.js';
import { UnreadableEvent } from '../../platform/log/event-store.js';
import { CodecForPeople, KeyEnds } from '../../platform/log/key-ends.js';
import { UsageError } from './failure.js';
import { Actors, logEntry, readable, readableAsFarAsItIs, unreadableEntry } from './log-entry.js';
import { inOrganization } from './open-organization.js';
import { type LogQuery, readLog, readMessage } from './read-log.js';
import { stopAsked } from './stop-signals.js';
import { writeText } from './text.js';

/** Options as typed, each checked; times in milliseconds since 1970. */
export interface LogOptions {
  readonly stream?: string;
  readonly message?: number;
  readonly type?: string[];
  readonly actor?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit?: number;
  readonly last?: number;
  readonly follow?: true;
  readonly json?: true;
  readonly words?: true;
}

export async function printLog(settings: EngineSettings, options: LogOptions, output: Writable): Promise<void> {
  const over = new AbortController();
  await inOrganization({ ...settings, readOnly: true }, (engines) =>
    print(engines, options, { output, over: over.signal }),
  ).finally(() => over.abort());
}

async function print(
  { eventStore, contentKeys }: Engines,
  options: LogOptions,
  { output, over }: { readonly output: Writable; readonly over: AbortSignal },
): Promise<void> {
  const codec = new EventCodec(options.words ? contentKeys : addressKeysOf(contentKeys), eventRegistry);
  const actors = new Actors(eventStore, codec);
  const forPeople = options.words ? new CodecForPeople(codec, new KeyEnds(eventStore, codec, streamOfEnd)) : codec;
  const query = await queryOf(options, actors, over);
  const events =
    options.message === undefined
      ? readLog(eventStore, forPeople, query)
      : readMessage(eventStore, forPeople, options.message, query);
  let unreadable = 0;
  for await (const event of events) {
    if (event instanceof UnreadableEvent) {
      unreadable += 1;
      const entry = unreadableEntry(event);
      await writeText(output, `${options.json ? JSON.stringify(entry) : readableAsFarAsItIs(entry)}\n`);
      continue;
    }
    const { actorId } = event.metadata;
    const actor = actorId === null ? null : await actors.withId(actorId);
    const entry = logEntry(event, actor, options.words ?? false);
    await writeText(output, `${options.json ? JSON.stringify(entry) : readable(entry)}\n`);
  }
  if (unreadable > 0) throw new Error(`${unreadable === 1 ? 'an event' : `${unreadable} events`} cannot be read`);
}

async function queryOf(options: LogOptions, actors: Actors, over: AbortSignal): Promise<LogQuery> {
  const { stream, type, since, until, limit, last, follow = false } = options;
  const signal = follow ? abortedWhenStopped(over) : new AbortController().signal;
  const actorIds = options.actor === undefined ? undefined : await idsOf(options.actor, actors);
  return {
    filter: { ...(stream === undefined ? {} : { streamPrefixes: [stream] }), ...(type ? { types: type } : {}) },
    ...(actorIds && { actorIds }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(limit === undefined ? {} : { limit }),
    ...(last === undefined ? {} : { last }),
    follow,
    signal,
  };
}

function abortedWhenStopped(over: AbortSignal): AbortSignal {
  const controller = new AbortController();
  void stopAsked(over).then(() => controller.abort());
  return controller.signal;
}

/** @throws UsageError if there is no such account */
async function idsOf(who: string, actors: Actors): Promise<ReadonlySet<number>> {
  const bot = SYSTEM_BOTS.find(({ id, email }) => [String(id), email].includes(foldCase(who)));
  if (bot) return new Set([bot.id]);
  const id = /^\d+$/.test(who) ? Number(who) : null;
  if (id !== null && (await actors.exists(id))) return new Set([id]);
  const ids = await actors.idsWithEmail(who);
  if (ids.size === 0) throw new UsageError(`no such account: ${who}`);
  return ids;
}
