import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import { refuse } from '../../kernel/domain-error.js';
import { START } from '../../kernel/position.js';
import { EVERYTHING, unreadIn } from '../../messages/domain/narrow-resolve.js';
import { readableView } from '../../messages/queries/message-view.js';
import { scanMessages } from '../../messages/queries/scan-messages.js';
import { decideMarkAllRead, MarkAllRead } from '../domain/mark-read.js';
import { OwnFlags } from '../queries/own-flags.js';
import { ReadStates } from '../queries/read-states.js';
import { FlagReports } from './flag-reports.js';

@CommandHandler(MarkAllRead)
export class MarkAllReadHandler implements ICommandHandler<MarkAllRead, void> {
  constructor(
    private readonly directory: Directory,
    private readonly readStates: ReadStates,
    private readonly reports: FlagReports,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  async execute(command: MarkAllRead): Promise<void> {
    const { directory } = this;
    const reader = directory.user(command.userId) ?? refuse('USER_NOT_FOUND');
    const state = await this.readStates.of(reader._id, this.readModels.position(messages));
    const unread = readableView(unreadIn(EVERYTHING), reader, new OwnFlags(reader, state, directory), directory);
    const [newest] = await scanMessages(this.readModels.collection<MessageDocument>(messages, MESSAGES), unread, {
      window: { from: START, to: null },
      direction: -1,
      limit: 1,
    });
    const events = decideMarkAllRead(command, { hasUnread: newest !== undefined });
    await this.reports.report(reader._id, events, command.by);
  }
}
