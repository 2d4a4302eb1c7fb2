import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { CreateSavedSnippet, DeleteSavedSnippet, EditSavedSnippet } from '../domain/saved-snippets.js';
import { GetSavedSnippets, type SavedSnippetForClients } from '../queries/saved-snippets.queries.js';

/** `POST /saved_snippets` */
class CreateSavedSnippetParameters {
  @IsString() readonly title!: string;
  @IsString() readonly content!: string;
}

/** `PATCH /saved_snippets/{saved_snippet_id}` */
class EditSavedSnippetParameters {
  @OptionalText() readonly title?: string;
  @OptionalText() readonly content?: string;
}

@Controller('saved_snippets')
export class SavedSnippetsController {
  constructor(private readonly dispatch: Dispatch) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ saved_snippets: readonly SavedSnippetForClients[] }> {
    return { saved_snippets: await this.dispatch.ask(new GetSavedSnippets({ userId: user._id })) };
  }

  @Post()
  async create(
    @Caller() { user, by }: Caller,
    @Parameters() { title, content }: CreateSavedSnippetParameters,
  ): Promise<{ saved_snippet_id: number }> {
    const command = new CreateSavedSnippet({ userId: user._id, text: { title, content }, by });
    return { saved_snippet_id: await this.dispatch.do(command) };
  }

  @Patch(':saved_snippet_id')
  async edit(
    @Caller() { user, by }: Caller,
    @PathId('saved_snippet_id') snippetId: number,
    @Parameters() text: EditSavedSnippetParameters,
  ): Promise<void> {
    await this.dispatch.do(new EditSavedSnippet({ userId: user._id, snippetId, text, by }));
  }

  @Delete(':saved_snippet_id')
  async remove(@Caller() { user, by }: Caller, @PathId('saved_snippet_id') snippetId: number): Promise<void> {
    await this.dispatch.do(new DeleteSavedSnippet({ userId: user._id, snippetId, by }));
  }
}
