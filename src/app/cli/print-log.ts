import type { Writable } from 'node:stream';
import { eventRegistry } from '../../events/event-registry.js';
import { addressKeysOf } from '../../platform/content-keys/month-key.js';
import type { EngineSettings } from '../../platform/engines/engine-settings.js';
import type { Engines } from '../../platform/engines/engines.js';
import { EventCodec } from '../../platform/log/event-codec.js';
import { Actors } from './actors.js';
import { UsageError } from './failure.js';
import { logEntry, readable } from './log-entry.js';
import { openOrganization } from './open-organization.js';
import { type LogQuery, readLog } from './read-log.js';
import { readMessage } from './read-message.js';
import { stopAsked } from './stop-signals.js';
import { writeText } from './write-text.js';

/** Options as typed, each checked; times in milliseconds since 1970. */
export interface LogOptions {
  readonly stream?: string;
  readonly message?: number;
  readonly type?: string[];
  readonly actor?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit?: number;
  readonly follow?: true;
  readonly json?: true;
  readonly words?: true;
}

export async function printLog(settings: EngineSettings, options: LogOptions, output: Writable): Promise<void> {
  const over = new AbortController();
  const engines = await openOrganization({ ...settings, readOnly: true });
  try {
    await print(engines, options, { output, over: over.signal });
  } finally {
    await engines.close();
    over.abort();
  }
}

async function print(
  { eventStore, contentKeys }: Engines,
  options: LogOptions,
  { output, over }: { readonly output: Writable; readonly over: AbortSignal },
): Promise<void> {
  const codec = new EventCodec(options.words ? contentKeys : addressKeysOf(contentKeys), eventRegistry);
  const actors = new Actors(eventStore, codec);
  const query = await queryOf(options, actors, over);
  const events =
    options.message === undefined
      ? readLog(eventStore, codec, query)
      : readMessage(eventStore, codec, options.message, query);
  for await (const event of events) {
    const { actorId } = event.metadata;
    const actor = actorId === null ? null : await actors.withId(actorId);
    const entry = logEntry(event, actor, options.words ?? false);
    await writeText(output, `${options.json ? JSON.stringify(entry) : readable(entry)}\n`);
  }
}

async function queryOf(options: LogOptions, actors: Actors, over: AbortSignal): Promise<LogQuery> {
  const { stream, type, since, until, limit, follow = false } = options;
  const signal = follow ? abortedWhenStopped(over) : new AbortController().signal;
  const actorId = options.actor === undefined ? undefined : await idOf(options.actor, actors);
  return {
    filter: { ...(stream === undefined ? {} : { streamPrefixes: [stream] }), ...(type ? { types: type } : {}) },
    ...(actorId === undefined ? {} : { actorId }),
    ...(since === undefined ? {} : { since }),
    ...(until === undefined ? {} : { until }),
    ...(limit === undefined ? {} : { limit }),
    follow,
    signal,
  };
}

function abortedWhenStopped(over: AbortSignal): AbortSignal {
  const controller = new AbortController();
  void stopAsked(over).then(() => controller.abort());
  return controller.signal;
}

async function idOf(who: string, actors: Actors): Promise<number> {
  if (/^\d+$/.test(who)) return Number(who);
  const actor = await actors.withEmail(who);
  if (!actor) throw new UsageError(`no account has the email address ${who}`);
  return actor.id;
}
