import { Injectable } from '@nestjs/common';
import { Directory } from '../../../directory/directory.js';
import {
  type UserSetting,
  type UserSettingValues,
  userSetting,
  userSettingValues,
} from '../../../events/personal/user.settings.js';

/** The settings of all users, in memory: each sent message asks for some. */
@Injectable()
export class UserSettings {
  constructor(private readonly directory: Directory) {}

  /** All settings by name, with defaults for those that the user has not changed. */
  of(userId: number): UserSettingValues {
    return userSettingValues(this.directory.user(userId)?.settings);
  }

  /** One setting. */
  value<S extends UserSetting>(userId: number, setting: S): UserSettingValues[S] {
    return userSetting(this.directory.user(userId)?.settings, setting);
  }
}
