import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { IsOptional, IsString } from 'class-validator';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { CreateSavedSnippet, DeleteSavedSnippet, EditSavedSnippet } from '../domain/saved-snippets.js';
import { GetSavedSnippets, type SavedSnippetForClients } from '../queries/saved-snippets.queries.js';

/** `POST /saved_snippets` */
class CreateSavedSnippetParameters {
  @IsString()
  readonly title!: string;

  @IsString()
  readonly content!: string;
}

/** `PATCH /saved_snippets/{saved_snippet_id}` */
class EditSavedSnippetParameters {
  @IsOptional()
  @IsString()
  readonly title?: string;

  @IsOptional()
  @IsString()
  readonly content?: string;
}

@Controller('saved_snippets')
export class SavedSnippetsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ saved_snippets: readonly SavedSnippetForClients[] }> {
    return { saved_snippets: await this.queries.execute(new GetSavedSnippets({ userId: user._id })) };
  }

  @Post()
  async create(
    @Caller() caller: Caller,
    @Parameters(CreateSavedSnippetParameters) { title, content }: CreateSavedSnippetParameters,
  ): Promise<{ saved_snippet_id: number }> {
    const command = new CreateSavedSnippet({
      userId: caller.user._id,
      text: { title, content },
      by: commandContext(caller),
    });
    return { saved_snippet_id: await this.commands.execute(command) };
  }

  @Patch(':saved_snippet_id')
  async edit(
    @Caller() caller: Caller,
    @PathId('saved_snippet_id') snippetId: number,
    @Parameters(EditSavedSnippetParameters) text: EditSavedSnippetParameters,
  ): Promise<void> {
    await this.commands.execute(
      new EditSavedSnippet({ userId: caller.user._id, snippetId, text, by: commandContext(caller) }),
    );
  }

  @Delete(':saved_snippet_id')
  async remove(@Caller() caller: Caller, @PathId('saved_snippet_id') snippetId: number): Promise<void> {
    await this.commands.execute(
      new DeleteSavedSnippet({ userId: caller.user._id, snippetId, by: commandContext(caller) }),
    );
  }
}
