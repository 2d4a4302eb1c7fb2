import { IsString } from 'class-validator';
import { GroupSetting } from '../../http/parameters/group-setting.decorators.js';
import type { GroupSettingValue } from '../../kernel/group-setting.js';
import type { UserGroupPermissions } from '../domain/user-groups.settings.js';
import { Ids, OptionalIds } from './id-list.decorator.js';

export class CreateUserGroupParameters implements Partial<UserGroupPermissions> {
  @IsString()
  readonly name!: string;

  @IsString()
  readonly description!: string;

  @Ids()
  readonly members!: readonly number[];

  @OptionalIds()
  readonly subgroups: readonly number[] = [];

  @GroupSetting()
  readonly can_add_members_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_join_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_leave_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_manage_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_mention_group?: GroupSettingValue;

  @GroupSetting()
  readonly can_remove_members_group?: GroupSettingValue;
}
