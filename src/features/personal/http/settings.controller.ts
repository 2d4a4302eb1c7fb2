import { Controller, Patch } from '@nestjs/common';
import { Caller, CallersKeyHash } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { LimitPasswordAttempts } from '../../../platform/http/login-attempts.interceptor.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { changeUserSettings } from './settings.mapping.js';
import { SettingsParameters } from './settings.parameters.js';

@Controller('settings')
export class SettingsController {
  constructor(private readonly dispatch: Dispatch) {}

  /** Older clients use one path for display settings and one for notification settings. */
  @LimitPasswordAttempts()
  @Patch(['', 'display', 'notifications'])
  async update(
    @Caller() { user, by }: Caller,
    @CallersKeyHash() keyHash: string,
    @Parameters() parameters: SettingsParameters,
  ): Promise<void> {
    await this.dispatch.do(changeUserSettings(user._id, parameters, keyHash, by));
  }
}
