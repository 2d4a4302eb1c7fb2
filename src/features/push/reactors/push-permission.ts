import { ORGANIZATION_STREAM } from '../../../events/organization/organization.events.js';
import type { CommandRunner } from '../../../platform/commands/command-runner.js';
import { HOUR_MS, MINUTE_MS } from '../../../platform/kernel/durations.js';
import { newEventId } from '../../../platform/kernel/ids.js';
import { pause } from '../../../platform/kernel/pause.js';
import { PeriodicTask } from '../../../platform/kernel/periodic-task.js';
import type { PushSender } from '../../../platform/push/push-sender.js';
import {
  decideRecordPushPermission,
  organization,
  RecordPushPermission,
} from '../../organization/domain/organization.js';

interface PushPermissionsOptions {
  readonly sender: PushSender;
  readonly runner: CommandRunner;
  readonly warn: (line: string) => void;
  readonly hasOrganization: () => boolean;
}

const CLOSING_MS = 2000;
/** Milliseconds from one look for the organization to the next. */
const SOON_MS = 200;

/**
 * Records in the log whether the service lets the organization push, so that all processes and clients know it, also
 * after a restart. It asks at the start and every hour, and takes what answers to notifications say.
 */
export class PushPermissions {
  private readonly asking: PeriodicTask;

  constructor(private readonly options: PushPermissionsOptions) {
    this.asking = new PeriodicTask({ every: HOUR_MS, firstAfter: 0, ref: false, work: () => this.ask() });
  }

  start(): void {
    this.asking.start();
  }

  /** A question that the service leaves unanswered holds the end of the process up for a moment only. */
  async close(): Promise<void> {
    await Promise.race([this.asking.stop(), pause(CLOSING_MS, new AbortController().signal, { ref: false })]);
  }

  /** Records what the service has said lately. Never rejects. @returns whether the record is as new as its word */
  async record(): Promise<boolean> {
    try {
      return await this.recordNews();
    } catch (error) {
      this.options.warn(`the right to push cannot be recorded: ${String(error)}`);
      return false;
    }
  }

  private async recordNews(): Promise<boolean> {
    const { sender, runner } = this.options;
    const said = sender.newPermission();
    if (said === null) return false;
    const by = { actorId: null, client: 'annals', correlationId: newEventId() };
    await runner.decide({
      stream: ORGANIZATION_STREAM,
      decider: organization,
      expects: 'any',
      decide: decideRecordPushPermission,
      command: new RecordPushPermission({ isAllowed: said.isAllowed, endsAt: said.endsAt, by }),
      context: undefined,
      by,
    });
    return true;
  }

  private async ask(): Promise<number> {
    // The first start creates it after this part is open: an answer before could not be recorded.
    if (!this.options.hasOrganization()) return SOON_MS;
    const { sender, warn } = this.options;
    await sender.askPermission();
    if (await this.record()) return HOUR_MS;
    warn('it is not known whether this organization may push: the service is asked again in a minute');
    return MINUTE_MS;
  }
}
