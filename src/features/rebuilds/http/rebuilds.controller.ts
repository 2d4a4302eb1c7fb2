import { Controller, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { PathText } from '../../../platform/http/parameters/path.decorators.js';
import { BeginRebuild, type BegunRebuild } from '../commands/begin-rebuild.handler.js';

@Controller('projections')
export class RebuildsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post(':projection/rebuild')
  rebuild(@Caller() { user, by }: Caller, @PathText('projection') name: string): Promise<BegunRebuild> {
    return this.dispatch.do(new BeginRebuild({ name, caller: user, by }));
  }
}
