import { IsInt, Max, Min } from 'class-validator';
import { JsonText, RefusesUnknown } from '../../../platform/http/parameters/parameter-decorators.js';
import { AuditQuestionParameters } from './audit-question.parameters.js';

const MOST_SECONDS = 10 * 366 * 24 * 3600;

/** `GET /audit/activity`: how many events of a question there are, by time. */
@RefusesUnknown()
export class AuditActivityParameters extends AuditQuestionParameters {
  /** Of a part of time: seconds. */
  @JsonText() @IsInt() @Min(1) @Max(MOST_SECONDS) readonly width!: number;
}
