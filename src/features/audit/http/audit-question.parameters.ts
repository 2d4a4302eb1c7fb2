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
import { IsNamedTime, JsonText, OptionalId } from '../../../platform/http/parameters/parameter-decorators.js';
import type { NamedTime } from '../../../platform/kernel/named-time.js';
import { MAX_POSITION } from '../../../platform/kernel/position.js';
import type { AuditQuestion } from '../queries/audit-question.js';

const KINDS = [...eventRegistry.keys()];
/** Above the length of every name, address and client. */
const LONGEST_TEXT = 1000;

/** What events are asked for by: only what all parameters together describe, beginning where an answer before ended. */
export class AuditQuestionParameters {
  @OptionalId() readonly message_id?: number;
  @OptionalId() readonly channel_id?: number;
  @IsOptional() @IsString() @MaxLength(LONGEST_TEXT) readonly topic?: string;
  @OptionalId() readonly subject_user_id?: number;

  /** A user's id, or a name or an address that an account has or had. */
  @IsOptional() @IsString() @MaxLength(LONGEST_TEXT) readonly actor?: string;

  @JsonText()
  @IsOptional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(KINDS.length)
  @IsIn(KINDS, { each: true })
  readonly kind?: readonly string[];

  @IsOptional() @IsString() @MaxLength(LONGEST_TEXT) readonly client?: string;

  /** An IP address, in any spelling. */
  @IsOptional() @IsString() @MaxLength(LONGEST_TEXT) readonly address?: string;

  @IsOptional() @IsNamedTime() readonly since?: NamedTime;
  @IsOptional() @IsNamedTime() readonly until?: NamedTime;

  /** The cursor of the answer before. */
  @JsonText() @IsOptional() @IsInt() @Min(0) @Max(MAX_POSITION) readonly after?: number;
}

export const questionOf = (asked: AuditQuestionParameters): AuditQuestion => ({
  messageId: asked.message_id ?? null,
  channelId: asked.channel_id ?? null,
  topic: asked.topic ?? null,
  subjectId: asked.subject_user_id ?? null,
  actor: asked.actor ?? null,
  kinds: asked.kind ?? null,
  client: asked.client ?? null,
  address: asked.address ?? null,
  from: asked.since?.from ?? null,
  to: asked.until?.to ?? null,
});
