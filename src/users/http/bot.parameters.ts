import { IsIn, IsInt, IsOptional, IsString } from 'class-validator';
import { JsonText } from '../../http/parameters/parameter-decorators.js';
import { ROLES, type Role } from '../../kernel/role.js';
import { BOT_TYPES, type BotType } from '../domain/users.settings.js';

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
  @IsInt()
  readonly bot_owner_id?: number;
}
