import { Controller, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../http/caller.decorator.js';
import { LimitPasswordAttempts } from '../../http/login-attempts.interceptor.js';
import { Parameters } from '../../http/parameters/parameters.decorator.js';
import { changeUserSettings } from './settings.mapping.js';
import { SettingsParameters } from './settings.parameters.js';

@Controller('settings')
export class SettingsController {
  constructor(private readonly commands: CommandBus) {}

  /** Older clients know settings of two kinds, each with a path of its own. */
  @LimitPasswordAttempts()
  @Patch(['', 'display', 'notifications'])
  async update(
    @Caller() caller: Caller,
    @Parameters(SettingsParameters) parameters: SettingsParameters,
  ): Promise<void> {
    await this.commands.execute(changeUserSettings(caller.user._id, parameters, commandContext(caller)));
  }
}
