import { Injectable } from '@nestjs/common';
import { Directory } from '../../directory/directory.js';
import { type UserSetting, type UserSettingValues, userSetting, userSettings } from '../domain/user.settings.js';

/** Everybody's own settings, in memory: each message that is sent asks for some. */
@Injectable()
export class UserSettings {
  constructor(private readonly directory: Directory) {}

  /** Every setting by its name, those included that the user has never touched. */
  of(userId: number): UserSettingValues {
    return userSettings(this.directory.user(userId)?.settings);
  }

  /** One of them. */
  value<S extends UserSetting>(userId: number, setting: S): UserSettingValues[S] {
    return userSetting(this.directory.user(userId)?.settings, setting);
  }
}
