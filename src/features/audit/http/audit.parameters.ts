import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
} from 'class-validator';
import { eventRegistry } from '../../../events/event-registry.js';
import {
  IsId,
  IsNamedTime,
  JsonText,
  OptionalFlag,
  RefusesUnknown,
} from '../../../platform/http/parameters/parameter-decorators.js';
import type { NamedTime } from '../../../platform/kernel/named-time.js';
import { MAX_POSITION } from '../../../platform/kernel/position.js';
import type { AuditOrder } from '../queries/audit-question.js';

const KINDS = [...eventRegistry.keys()];
const MOST_EVENTS = 1000;
/** Above the length of every name, address and client. */
const LONGEST_TEXT = 1000;

/** `GET /audit/events`: only what all parameters together describe. */
@RefusesUnknown()
export class AuditEventsParameters {
  @JsonText()
  @IsOptional()
  @IsId()
  readonly message_id?: number;

  @JsonText()
  @IsOptional()
  @IsId()
  readonly channel_id?: number;

  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_TEXT)
  readonly topic?: string;

  @JsonText()
  @IsOptional()
  @IsId()
  readonly subject_user_id?: number;

  /** A user's id, or a name or an address that an account has or had. */
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_TEXT)
  readonly actor?: string;

  @JsonText()
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(KINDS.length)
  @IsIn(KINDS, { each: true })
  readonly kind?: readonly string[];

  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_TEXT)
  readonly client?: string;

  /** An IP address, in any spelling. */
  @IsOptional()
  @IsString()
  @MaxLength(LONGEST_TEXT)
  readonly address?: string;

  @IsOptional()
  @IsNamedTime()
  readonly since?: NamedTime;

  @IsOptional()
  @IsNamedTime()
  readonly until?: NamedTime;

  @IsOptional()
  @IsIn(['newest', 'oldest'])
  readonly order: AuditOrder = 'newest';

  @JsonText()
  @IsOptional()
  @IsInt()
  @Min(1)
  @Max(MOST_EVENTS)
  readonly limit?: number;

  /** Whether each event has a proof that the log has it. */
  @OptionalFlag()
  readonly proofs?: boolean;

  /** Whether the answer has the words that the events still have. */
  @OptionalFlag()
  readonly words?: boolean;

  /** The cursor of the answer before. */
  @JsonText()
  @IsOptional()
  @IsInt()
  @Min(0)
  @Max(MAX_POSITION)
  readonly after?: number;
}
