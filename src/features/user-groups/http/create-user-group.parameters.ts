import { IsString } from 'class-validator';
import { USER_GROUP_PERMISSIONS } from '../../../events/user-groups/user-groups.settings.js';
import { Ids, OptionalIds, settingsOf } from '../../../platform/http/parameters/parameter-decorators.js';

export class CreateUserGroupParameters extends settingsOf(USER_GROUP_PERMISSIONS) {
  @IsString()
  readonly name!: string;

  @IsString()
  readonly description!: string;

  @Ids()
  readonly members!: readonly number[];

  @OptionalIds()
  readonly subgroups: readonly number[] = [];
}
