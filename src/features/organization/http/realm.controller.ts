import { Controller, Patch } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { changeRealmSettings } from './update-realm.mapping.js';
import { UpdateRealmParameters } from './update-realm.parameters.js';

@Controller('realm')
export class RealmController {
  constructor(private readonly commands: CommandBus) {}

  @Patch()
  async update(
    @Caller() caller: Caller,
    @Parameters(UpdateRealmParameters) parameters: UpdateRealmParameters,
  ): Promise<void> {
    await this.commands.execute(changeRealmSettings(parameters, commandContext(caller)));
  }
}
