import { Controller, Post } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { BeginRebuild, type BegunRebuild } from '../commands/begin-rebuild.handler.js';

@Controller('projections')
export class RebuildsController {
  constructor(private readonly commands: CommandBus) {}

  @Post(':projection/rebuild')
  rebuild(@Caller() caller: Caller, @PathText('projection') name: string): Promise<BegunRebuild> {
    return this.commands.execute(new BeginRebuild({ name, caller: caller.user, by: commandContext(caller) }));
  }
}
