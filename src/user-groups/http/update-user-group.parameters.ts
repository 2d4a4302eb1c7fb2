import { IsBoolean, IsOptional, IsString } from 'class-validator';
import { GroupSettingChange } from '../../http/parameters/group-setting.decorators.js';
import { JsonText } from '../../http/parameters/parameter-decorators.js';
import type { GroupSettingUpdate } from '../../kernel/group-setting-rules.js';
import type { UserGroupPermission } from '../domain/user-groups.settings.js';

type Updates = { readonly [Permission in UserGroupPermission]?: GroupSettingUpdate };

export class UpdateUserGroupParameters implements Updates {
  @IsOptional()
  @IsString()
  readonly name?: string;

  @IsOptional()
  @IsString()
  readonly description?: string;

  /** false reactivates; true says nothing. */
  @JsonText()
  @IsOptional()
  @IsBoolean()
  readonly deactivated?: boolean;

  @GroupSettingChange()
  readonly can_add_members_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_join_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_leave_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_manage_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_mention_group?: GroupSettingUpdate;

  @GroupSettingChange()
  readonly can_remove_members_group?: GroupSettingUpdate;
}
