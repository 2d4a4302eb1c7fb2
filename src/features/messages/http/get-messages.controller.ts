import { Controller, Get } from '@nestjs/common';
import { IsArray, IsInt, IsOptional, Max, Min } from 'class-validator';
import { Directory } from '../../../directory/directory.js';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import {
  IsCount,
  JsonText,
  OptionalFlag,
  OptionalText,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { parseNarrow } from '../../narrow/domain/narrow.js';
import { GetMatchingMessages } from '../queries/reading/get-matching-messages.handler.js';
import { type FoundMessage, GetMessages } from '../queries/reading/get-messages.handler.js';
import { GetMessagesById } from '../queries/reading/get-messages-by-id.handler.js';
import { NEWEST, OLDEST } from '../queries/reading/message-page.js';
import { type MatchFields, matchFields } from '../queries/records/match-fields.js';
import { type MessageForClients, type MessageRecordOptions, messageRecord } from '../queries/records/message-record.js';
import { GetMessageParameters } from './message.controller.js';

/** `GET /messages`. */
class GetMessagesParameters {
  /** A message id, `newest`, `oldest` or `first_unread`. */
  @OptionalText() readonly anchor?: string;

  /** Absent: true. */
  @OptionalFlag() readonly include_anchor?: boolean;

  @JsonText() @IsOptional() @IsCount() readonly num_before?: number;
  @JsonText() @IsOptional() @IsCount() readonly num_after?: number;

  /** The terms are checked by `parseNarrow`. */
  @JsonText() @IsOptional() @IsArray() readonly narrow: readonly unknown[] = [];

  @OptionalFlag() readonly client_gravatar: boolean = true;
  @OptionalFlag() readonly apply_markdown: boolean = true;
  @OptionalFlag() readonly use_first_unread_anchor?: boolean;

  @JsonText()
  @IsOptional()
  @IsArray()
  @IsInt({ each: true })
  @Min(0, { each: true })
  @Max(Number.MAX_SAFE_INTEGER, { each: true })
  readonly message_ids?: readonly number[];

  @OptionalFlag() readonly allow_empty_topic_name: boolean = false;
}

/** `GET /messages/matches_narrow`. */
class MatchesNarrowParameters {
  @JsonText()
  @IsArray()
  @IsInt({ each: true })
  @Min(0, { each: true })
  @Max(Number.MAX_SAFE_INTEGER, { each: true })
  readonly msg_ids!: readonly number[];

  /** The terms are checked by `parseNarrow`. */
  @JsonText() @IsArray() readonly narrow!: readonly unknown[];

  /** As in `GET /messages`: clients merge both answers. */
  @OptionalFlag() readonly allow_empty_topic_name: boolean = false;
}

/** Greatest number of messages that one request may ask for. */
const MAX_MESSAGES = 5000;

const RANGE = ['num_before', 'num_after', 'anchor', 'include_anchor', 'use_first_unread_anchor'] as const;

/** The ids that the request lists; null if it asks for a range. */
function messageIdsOf(parameters: GetMessagesParameters): readonly number[] | null {
  const { message_ids: ids } = parameters;
  if (ids === undefined) return null;
  if (RANGE.some((name) => parameters[name] !== undefined)) {
    refuse('INCOMPATIBLE_PARAMETERS', { parameters: [...RANGE, 'message_ids'].join(', ') });
  }
  return fewEnough(ids);
}

function fewEnough(ids: readonly number[]): readonly number[] {
  if (ids.length > MAX_MESSAGES) refuse('TOO_MANY_MESSAGES', { limit: MAX_MESSAGES });
  return ids;
}

function pageOf(parameters: GetMessagesParameters): GetMessages['page'] {
  const anchor = parameters.use_first_unread_anchor ? 'first_unread' : parsedAnchor(parameters.anchor);
  const numBefore = parameters.num_before ?? refuse('REQUEST_VARIABLE_MISSING', { var_name: 'num_before' });
  const numAfter = parameters.num_after ?? refuse('REQUEST_VARIABLE_MISSING', { var_name: 'num_after' });
  if (numBefore + numAfter > MAX_MESSAGES) refuse('TOO_MANY_MESSAGES', { limit: MAX_MESSAGES });
  const includeAnchor = parameters.include_anchor ?? true;
  if (!includeAnchor && numBefore > 0 && numAfter > 0) refuse('ANCHOR_IN_THE_MIDDLE');
  return { anchor, numBefore, numAfter, includeAnchor };
}

/** A message id of any size and sign, or `newest`, `oldest` or `first_unread`. */
export function parsedAnchor(text: string | undefined): GetMessages['page']['anchor'] {
  if (text === undefined) return refuse('REQUEST_VARIABLE_MISSING', { var_name: 'anchor' });
  if (text === 'newest') return NEWEST;
  if (text === 'oldest') return OLDEST;
  if (text === 'first_unread') return text;
  if (!/^[+-]?\d+$/.test(text)) return refuse('INVALID_PARAMETER', { description: 'Invalid anchor' });
  return Math.min(Math.max(Number(text), OLDEST), NEWEST);
}

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
    @Connection() connection: ClientConnection,
    @Parameters() parameters: GetMessagesParameters,
  ) {
    const narrow = parseNarrow(parameters.narrow);
    const options = optionsOf(parameters);
    const ids = messageIdsOf(parameters);
    if (ids) {
      const found = await this.dispatch.ask(new GetMessagesById({ reader: user, messageIds: ids, connection, narrow }));
      const unknown = { found_anchor: false, found_oldest: false, found_newest: false, history_limited: false };
      return { ...unknown, messages: found.map((message) => this.record(message, options)) };
    }
    const page = await this.dispatch.ask(
      new GetMessages({ reader: user, narrow, page: pageOf(parameters), connection }),
    );
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
    @Connection() connection: ClientConnection,
    @PathId('message_id') messageId: number,
    @Parameters() parameters: GetMessageParameters,
  ): Promise<{ message: FlaggedRecord; raw_content: string }> {
    const found = await this.dispatch.ask(
      new GetMessagesById({ reader: user, messageIds: [messageId], connection, narrow: [] }),
    );
    const [one] = found;
    if (!one) return refuse('INVALID_MESSAGE');
    return { message: this.record(one, optionsOf(parameters)), raw_content: one.message.text ?? '' };
  }

  @Get('matches_narrow')
  async matching(
    @Caller() { user }: Caller,
    @Connection() connection: ClientConnection,
    @Parameters() parameters: MatchesNarrowParameters,
  ): Promise<{ messages: Readonly<Record<number, MatchFields>> }> {
    const narrow = parseNarrow(parameters.narrow);
    const ids = fewEnough(parameters.msg_ids);
    const found = await this.dispatch.ask(
      new GetMatchingMessages({ reader: user, messageIds: ids, narrow, connection }),
    );
    const options = { allowEmptyTopicName: parameters.allow_empty_topic_name };
    const matches = found.messages.map(
      (message) => [message._id, matchFields(message, found.search, options)] as const,
    );
    return { messages: Object.fromEntries(matches) };
  }

  private record({ message, moveHistory, flags, search }: FoundMessage, options: MessageRecordOptions): FlaggedRecord {
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
