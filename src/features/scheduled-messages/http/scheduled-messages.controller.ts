import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { IsIn, IsOptional, IsString, ValidateBy } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import {
  IsSecond,
  JsonText,
  OptionalFlag,
  OptionalText,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { refuse } from '../../../platform/kernel/deciding.js';
import { type Addressee, startsRead } from '../../messages/domain/send-message.js';
import {
  addresseeWith,
  DeleteScheduledMessage,
  EditScheduledMessage,
  type ScheduleChanges,
  ScheduleMessage,
} from '../domain/scheduled-messages.js';
import { GetScheduledMessages, type ScheduledMessageForClients } from '../queries/scheduled-messages.queries.js';

const MOST_ADDRESSEES = 1000;
const TYPES = ['direct', 'channel', 'stream', 'private'] as const;

type ScheduledType = (typeof TYPES)[number];

/** A channel's id, or a list of ids. */
const IsTarget = (): PropertyDecorator =>
  ValidateBy({
    name: 'isTarget',
    validator: {
      validate: (value: unknown) =>
        Array.isArray(value)
          ? value.length > 0 && value.length <= MOST_ADDRESSEES && value.every(Number.isSafeInteger)
          : Number.isSafeInteger(value),
      defaultMessage: () => '$property is neither the id of a channel nor a list of ids of users',
    },
  });

/** `POST /scheduled_messages` */
class ScheduleMessageParameters {
  @IsIn(TYPES) readonly type!: ScheduledType;
  @JsonText() @IsTarget() readonly to!: number | readonly number[];
  @IsString() readonly content!: string;
  @OptionalText() readonly topic?: string;
  @JsonText() @IsSecond() readonly scheduled_delivery_timestamp!: number;
  @OptionalFlag() readonly read_by_sender?: boolean;
}

/** `PATCH /scheduled_messages/{scheduled_message_id}` */
class EditScheduledMessageParameters {
  @IsOptional() @IsIn(TYPES) readonly type?: ScheduledType;
  @JsonText() @IsOptional() @IsTarget() readonly to?: number | readonly number[];
  @OptionalText() readonly content?: string;
  @OptionalText() readonly topic?: string;
  @JsonText() @IsOptional() @IsSecond() readonly scheduled_delivery_timestamp?: number;
}

const kindOf = (type: ScheduledType): Addressee['type'] =>
  type === 'direct' || type === 'private' ? 'direct' : 'channel';

/** @throws DomainError ONE_CHANNEL_EXPECTED */
const addresseeOf = ({ type, to, topic }: ScheduleMessageParameters): Addressee =>
  addresseeWith(kindOf(type), [to].flat(), topic ?? null);

/** @throws DomainError SCHEDULE_UNCHANGED */
function changesOf(parameters: EditScheduledMessageParameters): ScheduleChanges {
  const { type, to, topic, content, scheduled_delivery_timestamp: seconds } = parameters;
  const changes = {
    ...(type !== undefined && { type: kindOf(type) }),
    ...(to !== undefined && { to: [to].flat() }),
    ...(topic !== undefined && { topic }),
    ...(content !== undefined && { content }),
    ...(seconds !== undefined && { sendAt: seconds * 1000 }),
  };
  if (Object.keys(changes).length === 0) refuse('SCHEDULE_UNCHANGED');
  return changes;
}

@Controller('scheduled_messages')
export class ScheduledMessagesController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ scheduled_messages: readonly ScheduledMessageForClients[] }> {
    return { scheduled_messages: await this.dispatch.ask(new GetScheduledMessages({ userId: user._id })) };
  }

  @Post()
  async schedule(
    @Caller() { user, by }: Caller,
    @Parameters() parameters: ScheduleMessageParameters,
  ): Promise<{ scheduled_message_id: number }> {
    const command = new ScheduleMessage({
      userId: user._id,
      message: { to: addresseeOf(parameters), content: parameters.content },
      sendAt: parameters.scheduled_delivery_timestamp * 1000,
      readBySender: parameters.read_by_sender ?? startsRead(by.client),
      by,
    });
    return { scheduled_message_id: await this.dispatch.do(command) };
  }

  @Patch(':scheduled_message_id')
  async edit(
    @Caller() { user, by }: Caller,
    @PathId('scheduled_message_id') scheduleId: number,
    @Parameters() parameters: EditScheduledMessageParameters,
  ): Promise<void> {
    const changes = changesOf(parameters);
    await this.dispatch.do(new EditScheduledMessage({ userId: user._id, scheduleId, changes, by }));
  }

  @Delete(':scheduled_message_id')
  async remove(@Caller() { user, by }: Caller, @PathId('scheduled_message_id') scheduleId: number): Promise<void> {
    await this.dispatch.do(new DeleteScheduledMessage({ userId: user._id, scheduleId, by }));
  }
}
