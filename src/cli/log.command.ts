import { once } from 'node:events';
import { Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config/config.js';
import { type Engines, openEngines } from '../config/open-engines.js';
import { EventCodec } from '../event-codec/event-codec.js';
import { eventRegistry } from '../event-codec/event-registry.js';
import { Actors } from './actors.js';
import { UsageError } from './failure.js';
import { logEntry, readable } from './log-entry.js';
import { type LogQuery, readLog } from './read-log.js';
import { addSettings, flagValues } from './setting-options.js';
import { stopAsked } from './stop-signals.js';

interface LogOptions {
  readonly stream?: string;
  readonly type?: string[];
  readonly actor?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit?: number;
  readonly follow?: true;
  readonly json?: true;
  readonly words?: true;
}

export function logCommand(): Command {
  const command = new Command('log')
    .description('Print the events of the log, oldest first. Only reads: a server may run beside it.')
    .option('--stream <prefix>', 'only streams whose name starts so, such as messages or user-')
    .option('--type <type>', 'only events of this type; may be given several times', eventType)
    .option('--actor <who>', 'only what this account did: its email address or its id')
    .option('--since <time>', 'only events from this time on: ISO 8601, UTC unless it names a zone', time)
    .option('--until <time>', 'only events up to this time', time)
    .option('--limit <number>', 'stop after so many events', count)
    .option('--follow', 'wait for further events until interrupted')
    .option('--json', 'one JSON object a line, for scripts')
    .option('--words', "show people's words; without it they are printed as (sealed)")
    .addHelpText('after', `\nEvent types: ${[...eventRegistry.keys()].join(', ')}`)
    .action(async (options: LogOptions) => {
      const { dataDirectory } = readConfig('log', flagValues(command, 'log'));
      const engines = await openEngines({ dataDirectory, readOnly: true });
      try {
        await print(engines, options);
      } finally {
        await engines.close();
      }
    });
  return addSettings(command, 'log');
}

async function print({ eventStore, contentKeys }: Engines, options: LogOptions): Promise<void> {
  const codec = new EventCodec(options.words ? contentKeys : NO_KEYS);
  const actors = new Actors(eventStore, codec);
  const query = await queryOf(options, actors);
  for await (const event of readLog(eventStore, codec, query)) {
    const { actorId } = event.metadata;
    const actor = actorId === null ? null : await actors.withId(actorId);
    const entry = logEntry(event, actor, options.words ?? false);
    await write(`${options.json ? JSON.stringify(entry) : readable(entry)}\n`);
  }
}

const NO_KEYS = { getMany: async () => new Map<string, never>() };

async function queryOf(options: LogOptions, actors: Actors): Promise<LogQuery> {
  const { stream, type, since, until, limit, follow = false } = options;
  const signal = follow ? abortedWhenStopped() : new AbortController().signal;
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

function abortedWhenStopped(): AbortSignal {
  const controller = new AbortController();
  void stopAsked().then(() => controller.abort());
  return controller.signal;
}

async function idOf(who: string, actors: Actors): Promise<number> {
  if (/^\d+$/.test(who)) return Number(who);
  const actor = await actors.withEmail(who);
  if (!actor) throw new UsageError(`no account has had the email address ${who}`);
  return actor.id;
}

async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}

function eventType(type: string, types: string[] = []): string[] {
  if (!eventRegistry.has(type)) throw new InvalidArgumentError(`there are ${[...eventRegistry.keys()].join(', ')}`);
  return [...types, type];
}

function time(text: string): number {
  const zoned = /^\d{4}-\d\d-\d\dT[\d:.]+$/.test(text) ? `${text}Z` : text;
  const milliseconds = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(milliseconds)) throw new InvalidArgumentError('such as 2026-01-31 or 2026-01-31T18:30:00Z');
  return milliseconds;
}

function count(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('a whole number from 1 up');
  return Number(text);
}
