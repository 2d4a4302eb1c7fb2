import { Controller, Get, Post } from '@nestjs/common';
import { IsArray, IsIn, IsOptional, IsString } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Connection } from '../../../platform/http/connection.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { AreIds, IsCount, JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import type { ClientConnection } from '../../../platform/kernel/client-connection.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { parsedAnchor } from '../../messages/http/get-messages.controller.js';
import { parseNarrow } from '../../narrow/domain/narrow.js';
import { ChangeFlags, ChangeFlagsInNarrow, type FlagChanges } from '../domain/change-flags.js';
import { GetReadReceipts } from '../queries/get-read-receipts.handler.js';

class FlagParameters {
  @IsIn(['add', 'remove']) readonly op!: 'add' | 'remove';
  @IsString() readonly flag!: string;
}

/** Parameters of `POST /messages/flags`. */
class MessageFlagsParameters extends FlagParameters {
  @JsonText() @AreIds() readonly messages!: readonly number[];
}

/** Parameters of `POST /messages/flags/narrow`. */
class NarrowFlagsParameters extends FlagParameters {
  /** A message id, `newest`, `oldest` or `first_unread`. */
  @IsString() readonly anchor!: string;

  @OptionalFlag() readonly include_anchor: boolean = true;
  @JsonText() @IsCount() readonly num_before!: number;
  @JsonText() @IsCount() readonly num_after!: number;

  /** The terms are checked by `parseNarrow`. */
  @JsonText() @IsOptional() @IsArray() readonly narrow: readonly unknown[] = [];
}

/** Greatest number of messages that one request changes on each side of its anchor. */
const MOST_ON_A_SIDE = 25_000;

@Controller('messages/flags')
export class MessageFlagsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post()
  async change(
    @Caller() { user, by }: Caller,
    @Parameters() { messages, op, flag }: MessageFlagsParameters,
  ): Promise<object> {
    const command = new ChangeFlags({ userId: user._id, messageIds: messages, operation: op, flag, by });
    const changes = await this.dispatch.do(command);
    return { messages: changes.changed, ...ignoredIn(changes, op, flag) };
  }

  @Post('narrow')
  async changeInNarrow(
    @Caller() { user, by }: Caller,
    @Connection() connection: ClientConnection,
    @Parameters() parameters: NarrowFlagsParameters,
  ): Promise<object> {
    const { op, flag } = parameters;
    const changes = await this.dispatch.do(
      new ChangeFlagsInNarrow({
        userId: user._id,
        narrow: parseNarrow(parameters.narrow),
        range: rangeOf(parameters),
        operation: op,
        flag,
        by,
        connection,
      }),
    );
    const { messages, foundOldest, foundNewest } = changes.page;
    return {
      processed_count: messages.length,
      updated_count: changes.changed.length,
      first_processed_id: messages[0]?._id ?? null,
      last_processed_id: messages.at(-1)?._id ?? null,
      found_oldest: foundOldest,
      found_newest: foundNewest,
      ...ignoredIn(changes, op, flag),
    };
  }
}

function rangeOf(parameters: NarrowFlagsParameters) {
  const { include_anchor: includeAnchor, num_before, num_after } = parameters;
  if (!includeAnchor && num_before > 0 && num_after > 0) refuse('ANCHOR_IN_THE_MIDDLE');
  return {
    anchor: parsedAnchor(parameters.anchor),
    numBefore: Math.min(num_before, MOST_ON_A_SIDE),
    numAfter: Math.min(num_after, MOST_ON_A_SIDE),
    includeAnchor,
  };
}

/** Part of the answer only when messages are marked as unread. */
const ignoredIn = ({ ignoredChannelIds }: Pick<FlagChanges, 'ignoredChannelIds'>, op: string, flag: string): object =>
  op === 'remove' && flag === 'read' ? { ignored_because_not_subscribed_channels: ignoredChannelIds } : {};

@Controller('messages/:message_id/read_receipts')
export class ReadReceiptsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async readers(
    @Caller() { user }: Caller,
    @PathId('message_id') messageId: number,
  ): Promise<{ user_ids: readonly number[] }> {
    return { user_ids: await this.dispatch.ask(new GetReadReceipts({ asker: user, messageId })) };
  }
}
