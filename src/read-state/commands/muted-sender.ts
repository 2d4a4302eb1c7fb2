import { Inject, Injectable, Logger } from '@nestjs/common';
import { messages } from '../../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import type { CommandContext } from '../../kernel/command-context.js';
import { unreadIn } from '../../messages/domain/narrow-resolve.js';
import { MessageRows } from '../../messages/queries/rows/message-rows.js';
import { NarrowedRows } from '../../messages/queries/rows/narrowed-rows.js';
import { OwnFlags } from '../queries/own-flags.js';
import { ReadStates } from '../queries/read-states.js';
import { FlagReports } from './flag-reports.js';

/** What somebody has written whom one does not want to hear is not waiting to be read. */
@Injectable()
export class MutedSender {
  private readonly log = new Logger('ReadState');

  constructor(
    private readonly directory: Directory,
    private readonly readStates: ReadStates,
    private readonly rows: MessageRows,
    private readonly reports: FlagReports,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** They are muted already: that some of it is shown as unread still is no reason to say they were not. */
  async markRead(userId: number, senderId: number, by: CommandContext): Promise<void> {
    const { directory } = this;
    const reader = directory.user(userId);
    if (!reader) return;
    try {
      const state = await this.readStates.of(userId, this.readModels.position(messages));
      const own = new OwnFlags(reader, state, directory);
      const narrow = unreadIn({ required: [{ kind: 'sender', userId: senderId }], excluded: [] });
      const unread = await new NarrowedRows(narrow, reader, own, directory, this.rows).take(Number.MAX_SAFE_INTEGER, 1);
      await this.reports.change(reader, unread, own, { flag: 'read', operation: 'add' }, by);
    } catch (error) {
      this.log.warn(`messages of a user who was muted are unread still: ${String(error)}`);
    }
  }
}
