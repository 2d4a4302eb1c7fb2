import { Controller, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, CallersKeyHash, commandContext } from '../../../directory/http/caller.decorator.js';
import { LimitPasswordAttempts } from '../../../platform/http/login-attempts.interceptor.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { changeUserSettings } from './settings.mapping.js';
import { SettingsParameters } from './settings.parameters.js';

@Controller('settings')
export class SettingsController {
  constructor(private readonly commands: CommandBus) {}

  /** Older clients use one path for display settings and one for notification settings. */
  @LimitPasswordAttempts()
  @Patch(['', 'display', 'notifications'])
  async update(
    @Caller() caller: Caller,
    @CallersKeyHash() keyHash: string,
    @Parameters(SettingsParameters) parameters: SettingsParameters,
  ): Promise<void> {
    await this.commands.execute(changeUserSettings(caller.user._id, parameters, keyHash, commandContext(caller)));
  }
}
