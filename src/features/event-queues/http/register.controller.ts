import { Controller, Post } from '@nestjs/common';
import { ArrayMaxSize, IsArray, IsDefined, IsIn, IsOptional, IsString, MaxLength, ValidateBy } from 'class-validator';
import type { UserRecord } from '../../../directory/directory.records.js';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Registers } from '../../../directory/http/read-turn.guard.js';
import { JsonInTurns } from '../../../platform/http/answers/json-in-turns.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { IsCount, JsonText, OptionalFlag } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import type { QueueNarrowing } from '../client-event-writer.js';
import { RegisterQueue } from '../domain/event-queues.js';
import { ClientEventTexts } from '../services/client-event-texts.js';

const MOST_TYPES = 500;
const LONGEST_TYPE = 100;
const MOST_CAPABILITIES = 100;

const IsCapabilities = (): PropertyDecorator =>
  ValidateBy({
    name: 'isCapabilities',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'object' &&
        value !== null &&
        !Array.isArray(value) &&
        Object.keys(value).length <= MOST_CAPABILITIES &&
        Object.entries(value).every(([name, is]) => name.length <= LONGEST_TYPE && typeof is === 'boolean'),
      defaultMessage: () => '$property is not a dictionary of booleans',
    },
  });

class RegisterParameters {
  @OptionalFlag() readonly apply_markdown: boolean = false;
  @OptionalFlag() readonly client_gravatar: boolean = true;

  /** `partial` lets the server choose how many subscribers it sends: it sends all. */
  @IsOptional()
  @IsIn(['true', 'false', 'partial'])
  readonly include_subscribers: 'true' | 'false' | 'partial' = 'false';

  @OptionalFlag() readonly slim_presence: boolean = false;
  @JsonText() @IsOptional() @IsCount() readonly presence_history_limit_days?: number;

  /** Types of events that the queue delivers; absent: all. Unknown names are ignored. */
  @JsonText()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MOST_TYPES)
  @IsString({ each: true })
  @MaxLength(LONGEST_TYPE, { each: true })
  readonly event_types?: readonly string[];

  /** Parts of the state in the response; absent: the same as `event_types`. */
  @JsonText()
  @IsOptional()
  @IsArray()
  @ArrayMaxSize(MOST_TYPES)
  @IsString({ each: true })
  @MaxLength(LONGEST_TYPE, { each: true })
  readonly fetch_event_types?: readonly string[];

  @OptionalFlag() readonly all_public_streams: boolean = false;
  @JsonText() @IsOptional() @IsCapabilities() readonly client_capabilities: Readonly<Record<string, boolean>> = {};
  @JsonText() @IsOptional() @IsDefined() readonly narrow?: unknown;
}

/** @throws DomainError BAD_NARROW, INVALID_PARAMETER */
function queueOf(
  parameters: RegisterParameters,
  reader: UserRecord,
  narrowing: QueueNarrowing,
): RegisterQueue['queue'] {
  return {
    eventTypes: parameters.event_types ?? null,
    narrow: narrowing.parse(parameters.narrow ?? [], reader),
    allPublicChannels: parameters.all_public_streams,
    applyMarkdown: parameters.apply_markdown,
    clientGravatar: parameters.client_gravatar,
    slimPresence: parameters.slim_presence,
    includeSubscribers: parameters.include_subscribers !== 'false',
    clientCapabilities: parameters.client_capabilities,
  };
}

@Controller('register')
export class RegisterController {
  constructor(
    private readonly dispatch: Dispatch,
    private readonly texts: ClientEventTexts,
  ) {}

  @Post()
  @Registers()
  async register(@Caller() { user, by }: Caller, @Parameters() parameters: RegisterParameters): Promise<JsonInTurns> {
    const queue = queueOf(parameters, user, this.texts.narrowing);
    const fetchTypes = parameters.fetch_event_types ?? queue.eventTypes;
    const { queueId, lastEventId, state } = await this.dispatch.do(
      new RegisterQueue({
        userId: user._id,
        queue,
        fetchTypes,
        presenceHistoryDays: parameters.presence_history_limit_days ?? null,
        by,
      }),
    );
    return JsonInTurns.of({ ...state, queue_id: queueId, last_event_id: lastEventId });
  }
}
