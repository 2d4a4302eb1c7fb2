import { Controller, Get } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { Directory } from '../../directory/directory.js';
import { Caller } from '../../http/caller.decorator.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { PathId } from '../../http/parameters/path.decorators.js';
import { refuse } from '../../kernel/domain-error.js';
import { parseNarrow } from '../domain/narrow.js';
import { type FlaggedMessage, type FlaggedPage, GetMessages } from '../queries/get-messages.handler.js';
import { GetMessagesById } from '../queries/get-messages-by-id.handler.js';
import { type MessageForClients, type MessageRecordOptions, messageRecord } from '../queries/message-record.js';
import { GetMessageParameters } from './get-message.parameters.js';
import { messageIdsOf, pageOf } from './get-messages.mapping.js';
import { GetMessagesParameters } from './get-messages.parameters.js';

type FlaggedRecord = MessageForClients & { readonly flags: readonly string[] };

@Controller('messages')
export class GetMessagesController {
  constructor(
    private readonly queries: QueryBus,
    private readonly directory: Directory,
  ) {}

  @Get()
  async list(@Caller() { user }: Caller, @Parameters(GetMessagesParameters) parameters: GetMessagesParameters) {
    const narrow = parseNarrow(parameters.narrow);
    const options = optionsOf(parameters);
    const ids = messageIdsOf(parameters);
    if (ids) {
      const found: readonly FlaggedMessage[] = await this.queries.execute(new GetMessagesById(user, ids, narrow));
      const unknown = { found_anchor: false, found_oldest: false, found_newest: false, history_limited: false };
      return { ...unknown, messages: found.map((one) => this.record(one, options)) };
    }
    const page: FlaggedPage = await this.queries.execute(new GetMessages(user, narrow, pageOf(parameters)));
    return {
      anchor: page.anchor,
      found_anchor: page.foundAnchor,
      found_oldest: page.foundOldest,
      found_newest: page.foundNewest,
      history_limited: false,
      messages: page.messages.map((one) => this.record(one, options)),
    };
  }

  @Get(':message_id')
  async one(
    @Caller() { user }: Caller,
    @PathId('message_id') messageId: number,
    @Parameters(GetMessageParameters) parameters: GetMessageParameters,
  ): Promise<{ message: FlaggedRecord; raw_content: string }> {
    const found: readonly FlaggedMessage[] = await this.queries.execute(new GetMessagesById(user, [messageId]));
    const [one] = found;
    if (!one) return refuse('INVALID_MESSAGE');
    return { message: this.record(one, optionsOf(parameters)), raw_content: one.message.text ?? '' };
  }

  private record({ message, flags }: FlaggedMessage, options: MessageRecordOptions): FlaggedRecord {
    return { ...messageRecord(message, options, this.directory), flags };
  }
}

const optionsOf = (
  parameters: GetMessageParameters & { readonly client_gravatar?: boolean },
): MessageRecordOptions => ({
  applyMarkdown: parameters.apply_markdown,
  clientGravatar: parameters.client_gravatar ?? true,
  allowEmptyTopicName: parameters.allow_empty_topic_name,
});
