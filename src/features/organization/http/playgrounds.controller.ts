import { Controller, Delete, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { AddPlayground } from '../domain/add-playground.js';
import { RemovePlayground } from '../domain/remove-playground.js';
import { AddPlaygroundParameters } from './playground.parameters.js';

@Controller('realm/playgrounds')
export class PlaygroundsController {
  constructor(private readonly commands: CommandBus) {}

  @Post()
  async add(
    @Caller() caller: Caller,
    @Parameters(AddPlaygroundParameters) { name, pygments_language, url_template }: AddPlaygroundParameters,
  ): Promise<{ readonly id: number }> {
    const playground = {
      name: name.trim(),
      pygmentsLanguage: pygments_language.trim(),
      urlTemplate: url_template.trim(),
    };
    const command = new AddPlayground({ playground, by: commandContext(caller) });
    return { id: await this.commands.execute(command) };
  }

  @Delete(':playground_id')
  async remove(@Caller() caller: Caller, @PathId('playground_id') playgroundId: number): Promise<void> {
    await this.commands.execute(new RemovePlayground({ playgroundId, by: commandContext(caller) }));
  }
}
