import { CommandBus, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { Directory } from '../../../directory/directory.js';
import { DomainError } from '../../../platform/kernel/deciding.js';
import { type Addressee, SendMessage } from '../../messages/domain/send-message.js';
import { directContent, PostFromService, unknownChannelNotice } from '../domain/post-from-service.js';

@CommandHandler(PostFromService)
export class PostFromServiceHandler implements ICommandHandler<PostFromService> {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: Directory,
  ) {}

  /** Posts to the channel, or to the owner if there is no channel, or none that the bot can see. */
  async execute(command: PostFromService): Promise<{ messageId: number }> {
    const { post } = command;
    const { channel, topic } = post;
    if (channel === null) return this.send(command, this.owner(command), directContent(post));
    try {
      return await this.send(command, { type: 'channel', channel, topic: topic ?? '' }, post.content);
    } catch (error) {
      if (!(error instanceof DomainError && error.code === 'STREAM_DOES_NOT_EXIST')) throw error;
      return this.send(command, this.owner(command), unknownChannelNotice(channel, post));
    }
  }

  private owner({ botId }: PostFromService): Addressee {
    const bot = this.directory.user(botId)?.bot;
    return { type: 'direct', users: bot ? [bot.ownerId] : [] };
  }

  private async send(
    { post, botId, by }: PostFromService,
    to: Addressee,
    content: string,
  ): Promise<{ messageId: number }> {
    const idempotencyKey = post.delivery === null ? null : JSON.stringify([post.delivery, to]);
    const message = { to, content, readBySender: null, localEcho: null, idempotencyKey };
    const { messageId } = await this.commands.execute(new SendMessage({ message, senderId: botId, by }));
    return { messageId };
  }
}
