import { IsIn, IsInt, IsOptional, Max, Min } from 'class-validator';
import { JsonText, OptionalFlag, RefusesUnknown } from '../../../platform/http/parameters/parameter-decorators.js';
import type { AuditOrder } from '../queries/audit-question.js';
import { AuditQuestionParameters } from './audit-question.parameters.js';

const MOST_EVENTS = 1000;

/** `GET /audit/events`: only what all parameters together describe. */
@RefusesUnknown()
export class AuditEventsParameters extends AuditQuestionParameters {
  @IsOptional() @IsIn(['newest', 'oldest']) readonly order: AuditOrder = 'newest';
  @JsonText() @IsOptional() @IsInt() @Min(1) @Max(MOST_EVENTS) readonly limit?: number;

  /** Whether each event has a proof that the log has it. */
  @OptionalFlag() readonly proofs?: boolean;

  /** Whether the answer has the words that the events still have. */
  @OptionalFlag() readonly words?: boolean;
}
