import { IsOptional, IsUUID } from 'class-validator';
import { IsId, JsonText, RefusesUnknown } from '../../../platform/http/parameters/parameter-decorators.js';

/** `GET /audit/proof`: one of the two. */
@RefusesUnknown()
export class AuditProofParameters {
  @IsOptional()
  @IsUUID()
  readonly event_id?: string;

  @JsonText()
  @IsOptional()
  @IsId()
  readonly message_id?: number;
}
