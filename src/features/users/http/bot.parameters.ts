import { IsIn, IsInt, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { ROLES, type Role } from '../../../events/shared/role.js';
import { BOT_TYPES, WEBHOOK_INTERFACES } from '../../../events/users/users.settings.js';
import { JsonText, OptionalId, OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';

/** Kinds of bots and of calls are small numbers. The decision refuses those that there are not. */
const MAX_KIND = 1000;
const MAX_URL = 100_000;

export class CreateBotParameters {
  @IsString() readonly full_name!: string;

  /** Becomes the address: `<short_name>-bot@…`. */
  @IsString() readonly short_name!: string;

  @JsonText() @IsOptional() @IsInt() @Min(-MAX_KIND) @Max(MAX_KIND) readonly bot_type: number = BOT_TYPES.generic;

  /** Where an outgoing webhook bot is called. */
  @JsonText() @IsOptional() @IsString() @MaxLength(MAX_URL) readonly payload_url: string = '';

  /** 1: in this API's own form; 2: in Slack's. */
  @JsonText()
  @IsOptional()
  @IsInt()
  @Min(-MAX_KIND)
  @Max(MAX_KIND)
  readonly interface_type: number = WEBHOOK_INTERFACES.native;
}

export class UpdateBotParameters {
  @OptionalText() readonly full_name?: string;
  @JsonText() @IsOptional() @IsInt() @IsIn(Object.values(ROLES)) readonly role?: Role;
  @OptionalId() readonly bot_owner_id?: number;
  @JsonText() @IsOptional() @IsString() @MaxLength(MAX_URL) readonly service_payload_url?: string;
  @JsonText() @IsOptional() @IsInt() @Min(-MAX_KIND) @Max(MAX_KIND) readonly service_interface?: number;
}
