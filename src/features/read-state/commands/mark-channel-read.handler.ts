import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { messages } from '../../../../projections/messages/messages.projection.js';
import { Facts } from '../../../directory/facts.js';
import { may } from '../../../directory/permissions.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { OwnFlags } from '../../message-flags/queries/own-flags.js';
import { ReadStates } from '../../message-flags/queries/read-states.js';
import { MessageRows } from '../../messages/queries/reading/rows/message-rows.js';
import { NarrowedRows } from '../../messages/queries/reading/rows/narrowed-rows.js';
import { inChannel, type Narrow, unreadIn } from '../../narrow/domain/narrow-resolve.js';
import { MarkChannelRead } from '../domain/mark-read.js';
import { FlagReports } from './flag-reports.js';

@CommandHandler(MarkChannelRead)
export class MarkChannelReadHandler implements ICommandHandler<MarkChannelRead> {
  constructor(
    private readonly facts: Facts,
    private readonly readStates: ReadStates,
    private readonly rows: MessageRows,
    private readonly reports: FlagReports,
  ) {}

  /** @throws DomainError INVALID_CHANNEL_ID, TOPIC_NOT_FOUND */
  async execute({ userId, channelId, topic, by }: MarkChannelRead): Promise<void> {
    const { directory } = this.facts;
    const reader = directory.user(userId) ?? refuse('USER_NOT_FOUND');
    const channel = directory.channel(channelId);
    if (!channel || !may(reader, { channel, to: 'see' }, directory)) refuse('INVALID_CHANNEL_ID');
    const state = await this.readStates.of(userId, this.facts.readModels.position(messages));
    const own = new OwnFlags(reader, state, directory);
    const place = inChannel(channelId, topic);
    const rowsOf = (narrow: Narrow) => new NarrowedRows(narrow, own, this.rows);
    if (topic !== null && (await rowsOf(place).take(1, -1)).length === 0) refuse('TOPIC_NOT_FOUND', { topic });
    const unread = await rowsOf(unreadIn(place)).take(Number.MAX_SAFE_INTEGER, 1);
    await this.reports.change(reader, unread, own, { flag: 'read', operation: 'add' }, by);
  }
}
