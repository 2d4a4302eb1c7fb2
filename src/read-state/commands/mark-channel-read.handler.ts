import { Inject } from '@nestjs/common';
import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { MESSAGES, type MessageDocument, messages } from '../../../projections/messages.projection.js';
import { READ_MODELS, type ReadModels } from '../../../projections/runner/read-models.js';
import { Directory } from '../../directory/directory.js';
import type { UserRecord } from '../../directory/directory.records.js';
import { may } from '../../directory/permissions.js';
import { refuse } from '../../kernel/domain-error.js';
import { fold } from '../../kernel/fold.js';
import { type Position, START } from '../../kernel/position.js';
import { type Narrow, unreadIn } from '../../messages/domain/narrow-resolve.js';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../messages/domain/topic-name.js';
import { readableView } from '../../messages/queries/message-view.js';
import { scanMessages } from '../../messages/queries/scan-messages.js';
import { MarkChannelRead } from '../domain/mark-read.js';
import { OwnFlags } from '../queries/own-flags.js';
import { ReadStates } from '../queries/read-states.js';
import { FlagReports } from './flag-reports.js';

/** Messages marked at once. */
const BATCH = 5000;

@CommandHandler(MarkChannelRead)
export class MarkChannelReadHandler implements ICommandHandler<MarkChannelRead, void> {
  constructor(
    private readonly directory: Directory,
    private readonly readStates: ReadStates,
    private readonly reports: FlagReports,
    @Inject(READ_MODELS) private readonly readModels: ReadModels,
  ) {}

  /** Newest first. @throws DomainError INVALID_CHANNEL_ID, TOPIC_NOT_FOUND */
  async execute({ userId, channelId, topic, by }: MarkChannelRead): Promise<void> {
    const { directory } = this;
    const reader = directory.user(userId) ?? refuse('USER_NOT_FOUND');
    const channel = directory.channel(channelId);
    if (!channel || !may(reader, { channel, to: 'see' }, directory)) refuse('INVALID_CHANNEL_ID');
    const state = await this.readStates.of(userId, this.readModels.position(messages));
    const own = new OwnFlags(reader, state, directory);
    const place = placeOf(channelId, topic);
    if (topic !== null && (await this.newest(place, reader, own, null, 1)).length === 0) {
      refuse('TOPIC_NOT_FOUND', { topic });
    }
    for (let before: Position | null = null; ; ) {
      const batch = await this.newest(unreadIn(place), reader, own, before, BATCH);
      await this.reports.change(reader, batch, own, { flag: 'read', operation: 'add' }, by);
      const last = batch.at(-1);
      if (!last || batch.length < BATCH) return;
      before = last.sentPosition;
    }
  }

  private newest(
    narrow: Narrow,
    reader: UserRecord,
    own: OwnFlags,
    before: Position | null,
    limit: number,
  ): Promise<MessageDocument[]> {
    const view = readableView(narrow, reader, own, this.directory);
    const collection = this.readModels.collection<MessageDocument>(messages, MESSAGES);
    return scanMessages(collection, view, { window: { from: START, to: before }, direction: -1, limit });
  }
}

function placeOf(channelId: number, topic: string | null): Narrow {
  const channel = { kind: 'channel', channelId } as const;
  if (topic === null) return { required: [channel], excluded: [] };
  const topicKey = topic === EMPTY_TOPIC_DISPLAY_NAME ? '' : fold(topic);
  return { required: [channel, { kind: 'topic', topicKey }], excluded: [] };
}
