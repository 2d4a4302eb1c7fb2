import { IsString } from 'class-validator';
import { updatesOf } from '../../../events/shared/group-setting.js';
import { USER_GROUP_PERMISSIONS } from '../../../events/user-groups/user-groups.settings.js';
import {
  Alias,
  Ids,
  OptionalFlag,
  OptionalIds,
  OptionalText,
  Sendable,
  settingsOf,
} from '../../../platform/http/parameters/parameter-decorators.js';
import { flag } from '../../../platform/kernel/value-type.js';

export class GetUserGroupsParameters {
  @Alias('allow_deactivated') @OptionalFlag() readonly include_deactivated_groups: boolean = false;
}

export class CreateUserGroupParameters extends settingsOf(USER_GROUP_PERMISSIONS) {
  @IsString() readonly name!: string;
  @IsString() readonly description!: string;
  @Ids() readonly members!: readonly number[];
  @OptionalIds() readonly subgroups: readonly number[] = [];
}

export class UpdateUserGroupParameters extends settingsOf(updatesOf(USER_GROUP_PERMISSIONS)) {
  @OptionalText() readonly name?: string;
  @OptionalText() readonly description?: string;

  /** false reactivates the group; true has no effect. */
  @Sendable(flag) readonly deactivated?: boolean;
}
