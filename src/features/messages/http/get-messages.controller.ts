import { Controller, Get } from '@nestjs/common';
import { Directory } from '../../../directory/directory.js';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { parseNarrow } from '../../narrow/domain/narrow.js';
import { GetMatchingMessages } from '../queries/reading/get-matching-messages.handler.js';
import { type FlaggedMessage, GetMessages } from '../queries/reading/get-messages.handler.js';
import { GetMessagesById } from '../queries/reading/get-messages-by-id.handler.js';
import { type MatchFields, matchFields } from '../queries/records/match-fields.js';
import { type MessageForClients, type MessageRecordOptions, messageRecord } from '../queries/records/message-record.js';
import { fewEnough, messageIdsOf, pageOf } from './get-messages.mapping.js';
import { GetMessagesParameters, MatchesNarrowParameters } from './get-messages.parameters.js';
import { GetMessageParameters } from './message.parameters.js';

type FlaggedRecord = MessageForClients & { readonly flags: readonly string[] } & Partial<MatchFields>;

@Controller('messages')
export class GetMessagesController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly directory: Directory,
  ) {}

  @Get()
  async list(
    @Caller() { user }: Caller,
    @Connection() client: ClientConnection,
    @Parameters() parameters: GetMessagesParameters,
  ) {
    const narrow = parseNarrow(parameters.narrow);
    const options = optionsOf(parameters);
    const ids = messageIdsOf(parameters);
    if (ids) {
      const found = await this.dispatch.ask(new GetMessagesById({ reader: user, messageIds: ids, client, narrow }));
      const unknown = { found_anchor: false, found_oldest: false, found_newest: false, history_limited: false };
      return { ...unknown, messages: found.map((message) => this.record(message, options)) };
    }
    const page = await this.dispatch.ask(new GetMessages({ reader: user, narrow, page: pageOf(parameters), client }));
    return {
      anchor: page.anchor,
      found_anchor: page.foundAnchor,
      found_oldest: page.foundOldest,
      found_newest: page.foundNewest,
      history_limited: false,
      messages: page.messages.map((message) => this.record(message, options)),
    };
  }

  @Get(':message_id')
  async one(
    @Caller() { user }: Caller,
    @Connection() client: ClientConnection,
    @PathId('message_id') messageId: number,
    @Parameters() parameters: GetMessageParameters,
  ): Promise<{ message: FlaggedRecord; raw_content: string }> {
    const found = await this.dispatch.ask(
      new GetMessagesById({ reader: user, messageIds: [messageId], client, narrow: [] }),
    );
    const [one] = found;
    if (!one) return refuse('INVALID_MESSAGE');
    return { message: this.record(one, optionsOf(parameters)), raw_content: one.message.text ?? '' };
  }

  @Get('matches_narrow')
  async matching(
    @Caller() { user }: Caller,
    @Connection() client: ClientConnection,
    @Parameters() parameters: MatchesNarrowParameters,
  ): Promise<{ messages: Readonly<Record<number, MatchFields>> }> {
    const narrow = parseNarrow(parameters.narrow);
    const ids = fewEnough(parameters.msg_ids);
    const found = await this.dispatch.ask(new GetMatchingMessages({ reader: user, messageIds: ids, narrow, client }));
    const options = { allowEmptyTopicName: parameters.allow_empty_topic_name };
    const matches = found.messages.map(
      (message) => [message._id, matchFields(message, found.search, options)] as const,
    );
    return { messages: Object.fromEntries(matches) };
  }

  private record(
    { message, moveHistory, flags, search }: FlaggedMessage,
    options: MessageRecordOptions,
  ): FlaggedRecord {
    const matches = search === null ? {} : matchFields(message, search, options);
    // The record is new: spreading it into another object takes as long as making it.
    return Object.assign(messageRecord(message, options, this.directory, moveHistory), { flags }, matches);
  }
}

const optionsOf = (
  parameters: GetMessageParameters & { readonly client_gravatar?: boolean },
): MessageRecordOptions => ({
  applyMarkdown: parameters.apply_markdown,
  clientGravatar: parameters.client_gravatar ?? true,
  allowEmptyTopicName: parameters.allow_empty_topic_name,
});
