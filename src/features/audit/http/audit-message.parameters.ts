import { IsOptional } from 'class-validator';
import {
  Id,
  IsNamedTime,
  OptionalFlag,
  RefusesUnknown,
} from '../../../platform/http/parameters/parameter-decorators.js';
import type { NamedTime } from '../../../platform/kernel/named-time.js';

/** `GET /audit/message` */
@RefusesUnknown()
export class AuditMessageParameters {
  @Id() readonly message_id!: number;

  /** Its last millisecond counts; absent: now. */
  @IsOptional() @IsNamedTime() readonly as_of?: NamedTime;

  /** Whether the answer has the words of the message, if the log still has them. */
  @OptionalFlag() readonly words?: boolean;
}
