import { IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { ROLES, type Role } from '../../../events/shared/role.js';
import { BOT_TYPES, type BotType } from '../../../events/users/users.settings.js';
import { IsId, JsonText } from '../../../platform/http/parameters/parameter-decorators.js';

export class CreateBotParameters {
  @IsString()
  readonly full_name!: string;

  /** Becomes the address: `<short_name>-bot@…`. */
  @IsString()
  readonly short_name!: string;

  @JsonText()
  @IsOptional()
  @IsInt()
  @IsIn(Object.values(BOT_TYPES))
  readonly bot_type: BotType = BOT_TYPES.generic;
}

export class UpdateBotParameters {
  @IsOptional()
  @IsString()
  readonly full_name?: string;

  @JsonText()
  @IsOptional()
  @IsInt()
  @IsIn(Object.values(ROLES))
  readonly role?: Role;

  @JsonText()
  @IsOptional()
  @IsId()
  readonly bot_owner_id?: number;
}
