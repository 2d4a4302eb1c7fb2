import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { Facts } from '../../../directory/facts.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { OwnFlags } from '../../message-flags/queries/own-flags.js';
import { ReadStates } from '../../message-flags/queries/read-states.js';
import { MessageRows } from '../../messages/queries/reading/rows/message-rows.js';
import { NarrowedRows } from '../../messages/queries/reading/rows/narrowed-rows.js';
import { EVERYTHING, unreadIn } from '../../narrow/domain/narrow-resolve.js';
import { decideMarkAllRead, MarkAllRead } from '../domain/mark-read.js';
import { FlagReports } from './flag-reports.js';

@CommandHandler(MarkAllRead)
export class MarkAllReadHandler implements ICommandHandler<MarkAllRead> {
  constructor(
    private readonly facts: Facts,
    private readonly readStates: ReadStates,
    private readonly rows: MessageRows,
    private readonly reports: FlagReports,
  ) {}

  async execute(command: MarkAllRead): Promise<void> {
    const { directory } = this.facts;
    const reader = directory.user(command.userId) ?? refuse('USER_NOT_FOUND');
    const state = await this.readStates.of(reader._id, this.facts.readModels.position(messages));
    const own = new OwnFlags(reader, state, directory);
    const unread = new NarrowedRows(unreadIn(EVERYTHING), own, this.rows);
    const [newest] = await unread.take(1, -1);
    const events = decideMarkAllRead(command, { hasUnread: newest !== undefined });
    await this.reports.report(reader._id, events, command.by);
  }
}
