import { IsOptional, IsUUID } from 'class-validator';
import { OptionalId, RefusesUnknown } from '../../../platform/http/parameters/parameter-decorators.js';

/** `GET /audit/proof`: one of the two. */
@RefusesUnknown()
export class AuditProofParameters {
  @IsOptional() @IsUUID() readonly event_id?: string;
  @OptionalId() readonly message_id?: number;
}
