import { type Command, InvalidArgumentError, Option } from 'commander';
import { eventRegistry } from '../../events/event-registry.js';
import { canonicalAddress } from '../../platform/http/address-block.js';
import { NAMED_TIMES, type NamedTime, namedTime } from '../../platform/kernel/named-time.js';
import { type Config, checkpointSettingsOf, engineSettingsOf, signingSettingsOf, siteUrl } from '../config/config.js';
import { temporaryFolder } from '../config/environment.js';
import { AUDIT_FORMATS } from './audit-formats.js';
import { complain, UsageError } from './failure.js';
import { operatorActOf } from './operator-act.js';
import type { AuditOptions } from './print-audit.js';
import type { LogOptions } from './print-log.js';
import type { ProveOptions } from './prove.js';
import { withSettings } from './setting-options.js';
import type { Shell } from './shell.js';
import type { VerifyOptions } from './verify.js';

/** Events that fill a terminal, about. */
const SCREEN = 20;
/** Options that say how much is printed. */
const BOUNDS = ['limit', 'last', 'message', 'since', 'until', 'follow'] as const;

/** Makes the commands that only read the log. */
export const logCommands = (shell: Shell): readonly Command[] => [
  withSettings(shell, 'log', (command, settings) =>
    command
      .description(
        `Print the events of the log, oldest first. On a terminal, these are the newest ${SCREEN} unless an option says how many, which times, or which message. The command only reads, and is recorded in the log. A server may be running.`,
      )
      .option('--stream <prefix>', 'only streams whose names begin with this, such as messages or user-')
      .addOption(
        new Option('--message <id>', 'only events of this message: sent, edited, moved, reactions, deleted')
          .argParser(count)
          .conflicts(['stream', 'follow']),
      )
      .option('--type <type>', 'only events of this type; may be given several times', eventType)
      .option('--actor <who>', 'only events that this account caused: its id, or an email address that it has or had')
      .option(
        '--since <time>',
        'only events from this time on: ISO 8601, in UTC if it has no zone, or seconds since 1970',
        since,
      )
      .option('--until <time>', 'only events up to the end of this time, which may be a whole day', until)
      .option('--limit <number>', 'stop after this many events', count)
      .addOption(
        new Option('--last <number>', 'only so many of the newest events, in log order')
          .argParser(count)
          .conflicts(['limit', 'follow']),
      )
      .option('--follow', 'wait for further events until interrupted')
      .option('--json', 'one JSON object a line, for scripts')
      .option('--words', 'show content; without this, content is printed as (sealed)')
      .addHelpText('after', `\nEvent types: ${[...eventRegistry.keys()].join(', ')}`)
      .action(async (options: LogOptions) => {
        const config = settings();
        await recorded(config, command, shell);
        const { printLog } = await import('./print-log.js');
        const isScreen = shell.output.isTTY && BOUNDS.every((bound) => options[bound] === undefined);
        if (isScreen)
          complain(
            shell.errors,
            `the newest ${SCREEN} events; --last <number> prints more, --limit <number> the oldest`,
          );
        await printLog(engineSettingsOf(config), isScreen ? { ...options, last: SCREEN } : options, shell.output);
      }),
  ),
  withSettings(shell, 'audit', (command, settings) =>
    command
      .description(
        'Print who changed what: the answers of GET /api/v1/audit/events. The command only reads, and is recorded in the log. A server may be running; without one, its last documents answer.',
      )
      .option(
        '--message <id>',
        'events of this message: sent, edited, moved, reactions, deleted; with --kind AuditWordsRead, who read its words',
        count,
      )
      .option('--channel <id>', 'events that concern this channel', count)
      .option('--topic <name>', 'events of this topic of the channel, as of each event')
      .option('--subject <id>', 'events that concern this user', count)
      .option('--actor <who>', 'events that this account caused: its id, or a name or an address that it has or had')
      .option('--kind <type>', 'events of this type; may be given several times', eventType)
      .option('--client <name>', 'events of requests by this client program')
      .option('--address <ip>', 'events of requests from this IP address, while it is kept', ipAddress)
      .option(
        '--since <time>',
        'events from this time on: ISO 8601, in UTC if it has no zone, or seconds since 1970',
        since,
      )
      .option('--until <time>', 'events up to the end of this time, which may be a whole day', until)
      .option(
        '--as-of <time>',
        'instead of its events: what the message was at the end of this time, and who could read it',
        until,
      )
      .addOption(
        new Option('--order <order>', 'by position in the log').choices(['newest', 'oldest']).default('newest'),
      )
      .option('--limit <number>', 'stop after this many events', count)
      .option(
        '--words',
        'show what people wrote, where the log still has it; the command must be recorded, or shows nothing',
      )
      .option('--proofs', 'give each event a proof that the log has it; for json and jsonl')
      .addOption(
        new Option('--format <format>', 'text, or for programs').choices(Object.keys(AUDIT_FORMATS)).default('text'),
      )
      .addHelpText('after', `\nEvent types: ${[...eventRegistry.keys()].join(', ')}`)
      .action(async (options: AuditOptions) => {
        if (options.topic !== undefined && options.channel === undefined)
          throw new UsageError('--topic needs --channel');
        if (options.asOf !== undefined) requireMessageAlone(options);
        if (options.proofs && options.format !== 'json' && options.format !== 'jsonl')
          throw new UsageError('--proofs needs --format json or jsonl');
        const config = settings();
        await recorded(config, command, shell, options);
        const { printAudit } = await import('./print-audit.js');
        await printAudit(engineSettingsOf(config), options, shell);
      }),
  ),
  withSettings(shell, 'key', (command, settings) =>
    command
      .description(
        "Print the verifier key: others check signed checkpoints of the log with it. It is the key and the name of the log's newest checkpoint. The command says so if its settings name others.",
      )
      .action(async () => {
        const config = settings();
        const { printKey } = await import('./print-key.js');
        await printKey(engineSettingsOf(config), signingSettingsOf(config, siteUrl(config, config.port)), shell);
      }),
  ),
  withSettings(shell, 'prove', (command, settings) =>
    command
      .description(
        'Write proofs that the log has events, for verify.mjs: of one event, of all events of a message, or the whole log. The command only reads, and is recorded in the log. A server may be running.',
      )
      .option('--event <id>', 'the event with this id')
      .addOption(new Option('--message <id>', 'all events of this message').argParser(count).conflicts('event'))
      .addOption(
        new Option('--all', 'the whole log, with hashes of passwords and keys').conflicts(['event', 'message']),
      )
      .addOption(
        new Option(
          '--words',
          'with the keys that open what people wrote in these events; the command must be recorded, or shows nothing',
        ).conflicts('all'),
      )
      .option('--output <file>', 'file to write, instead of standard output')
      .action(async (options: ProveOptions) => {
        const config = settings();
        const { checkProveOptions, runProve } = await import('./prove.js');
        checkProveOptions(options);
        await recorded(config, command, shell, options);
        await runProve(engineSettingsOf(config), options, shell.output);
      }),
  ),
  withSettings(shell, 'verify', (command, settings) =>
    command
      .description(
        'Compare every event of the log with its tree, with earlier checkpoints and with the keys, and name the first difference. The command only reads. A server may be running.',
      )
      .option(
        '--checkpoint <file>',
        'a signed checkpoint that was kept, or several in one file; may be given several times',
        (file: string, files: string[] = []) => [...files, file],
      )
      .option('--state <file>', 'file that keeps how far it is: the same command goes on there after an interruption')
      .option(
        '--open',
        'also open something with each key, which finds keys that were changed, and shows nothing: that takes about half as long again',
      )
      .option(
        '--files',
        'also compare size and SHA-256 of every uploaded file and picture with the log, and name all that are missing, changed or extra: that reads all bytes of the files',
      )
      .option(
        '--documents',
        'also compare all documents with a rebuild from the log, which is made in a temporary folder: that takes as long as annals rebuild, and as much space as the documents',
      )
      .action(async (options: Omit<VerifyOptions, 'notedIn' | 'temporary'>) => {
        const config = settings();
        const { runVerify } = await import('./verify.js');
        const places = { notedIn: checkpointSettingsOf(config).file, temporary: temporaryFolder(shell.environment) };
        await runVerify(engineSettingsOf(config), { ...options, ...places }, shell.output);
      }),
  ),
];

/** Records a command, which must be recorded if it shows words. */
async function recorded(
  config: Config,
  command: Command,
  shell: Shell,
  { words = false }: { readonly words?: boolean | undefined } = {},
): Promise<void> {
  const { recordActIfPossible, recordReading } = await import('./operate.js');
  const act = operatorActOf(command, shell.environment);
  if (words) await recordReading(config, act);
  else await recordActIfPossible(config, act, shell.errors);
}

/** Options that choose events. */
const OF_EVENTS = [
  ...(['channel', 'topic', 'subject', 'actor', 'kind', 'client', 'address'] as const),
  ...(['since', 'until', 'limit', 'proofs'] as const),
];

/** @throws UsageError */
function requireMessageAlone(options: AuditOptions): void {
  if (options.message === undefined) throw new UsageError('--as-of needs --message');
  if (OF_EVENTS.some((name) => options[name] !== undefined))
    throw new UsageError('--as-of takes --message, --words and --format alone');
  if (options.format !== 'text' && options.format !== 'json')
    throw new UsageError('--as-of takes --format text or json');
}

/** Reads a number that was typed. @throws InvalidArgumentError */
function count(text: string): number {
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new InvalidArgumentError('a whole number from 1 up');
  return Number(text);
}

/** Adds a type of event that was typed. @throws InvalidArgumentError */
function eventType(type: string, types: string[] = []): string[] {
  if (!eventRegistry.has(type)) throw new InvalidArgumentError(`there are ${[...eventRegistry.keys()].join(', ')}`);
  return [...types, type];
}

/** Reads an IP address that was typed. @throws InvalidArgumentError */
function ipAddress(text: string): string {
  if (canonicalAddress(text) === null) throw new InvalidArgumentError('such as 192.0.2.7 or 2001:db8::7');
  return text;
}

/** Reads the beginning of a time that was typed: ms since 1970. @throws InvalidArgumentError */
const since = (text: string): number => timeTyped(text).from;

/** Reads the end of a time that was typed: ms since 1970. @throws InvalidArgumentError */
const until = (text: string): number => timeTyped(text).to;

function timeTyped(text: string): NamedTime {
  const time = namedTime(text);
  if (!time) throw new InvalidArgumentError(NAMED_TIMES);
  return time;
}
