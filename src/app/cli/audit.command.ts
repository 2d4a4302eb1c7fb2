import { Command, Option } from 'commander';
import { eventRegistry } from '../../events/event-registry.js';
import { engineSettingsOf } from '../config/config.js';
import { readConfig } from '../config/read-config.js';
import { AUDIT_FORMATS } from './audit-formats.js';
import { UsageError } from './failure.js';
import { operatorActOf } from './operator-act.js';
import type { AuditOptions } from './print-audit.js';
import { addSettings, flagValues } from './setting-options.js';
import type { Shell } from './shell.js';
import { count, eventType, ipAddress, since, until } from './typed-values.js';

export function auditCommand(shell: Shell): Command {
  const command = new Command('audit')
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
    .addOption(new Option('--order <order>', 'by position in the log').choices(['newest', 'oldest']).default('newest'))
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
      if (options.topic !== undefined && options.channel === undefined) throw new UsageError('--topic needs --channel');
      if (options.asOf !== undefined) requireMessageAlone(options);
      if (options.proofs && options.format !== 'json' && options.format !== 'jsonl')
        throw new UsageError('--proofs needs --format json or jsonl');
      const config = readConfig('audit', flagValues(command, 'audit'), shell.environment);
      const { recordActIfPossible, recordReading } = await import('./operate.js');
      const act = operatorActOf(command, shell.environment);
      if (options.words) await recordReading(config, act);
      else await recordActIfPossible(config, act, shell.errors);
      const { printAudit } = await import('./print-audit.js');
      await printAudit(engineSettingsOf(config), options, shell);
    });
  return addSettings(command, 'audit');
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
