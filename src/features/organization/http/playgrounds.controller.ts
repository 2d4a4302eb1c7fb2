import { Controller, Delete, Post } from '@nestjs/common';
import { IsString, MaxLength } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { AddPlayground, RemovePlayground } from '../domain/playgrounds.js';

/** `POST /realm/playgrounds` */
class AddPlaygroundParameters {
  @IsString() @MaxLength(100) readonly name!: string;
  @IsString() @MaxLength(40) readonly pygments_language!: string;
  @IsString() readonly url_template!: string;
}

@Controller('realm/playgrounds')
export class PlaygroundsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Post()
  async add(
    @Caller() { by }: Caller,
    @Parameters() { name, pygments_language, url_template }: AddPlaygroundParameters,
  ): Promise<{ readonly id: number }> {
    const playground = {
      name: name.trim(),
      pygmentsLanguage: pygments_language.trim(),
      urlTemplate: url_template.trim(),
    };
    const command = new AddPlayground({ playground, by });
    return { id: await this.dispatch.do(command) };
  }

  @Delete(':playground_id')
  async remove(@Caller() { by }: Caller, @PathId('playground_id') playgroundId: number): Promise<void> {
    await this.dispatch.do(new RemovePlayground({ playgroundId, by }));
  }
}
