import { Controller, Delete, Get, Patch, Post, UseGuards } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { CreateDrafts } from '../domain/create-drafts.js';
import { DeleteDraft } from '../domain/delete-draft.js';
import { EditDraft } from '../domain/edit-draft.js';
import { type DraftForClients, GetDrafts } from '../queries/drafts.queries.js';
import { CreateDraftsParameters, EditDraftParameters, writtenDraft } from './draft.parameters.js';
import { SynchronizedDraftsGuard } from './synchronized-drafts.guard.js';

@Controller('drafts')
@UseGuards(SynchronizedDraftsGuard)
export class DraftsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get()
  async list(@Caller() { user }: Caller): Promise<{ count: number; drafts: readonly DraftForClients[] }> {
    const drafts = await this.queries.execute(new GetDrafts({ userId: user._id }));
    return { count: drafts.length, drafts };
  }

  @Post()
  async create(
    @Caller() caller: Caller,
    @Parameters(CreateDraftsParameters) { drafts }: CreateDraftsParameters,
  ): Promise<{ ids: readonly number[] }> {
    const command = new CreateDrafts({
      userId: caller.user._id,
      drafts: drafts.map(writtenDraft),
      by: commandContext(caller),
    });
    return { ids: await this.commands.execute(command) };
  }

  @Patch(':draft_id')
  async edit(
    @Caller() caller: Caller,
    @PathId('draft_id') draftId: number,
    @Parameters(EditDraftParameters) { draft }: EditDraftParameters,
  ): Promise<void> {
    await this.commands.execute(
      new EditDraft({ userId: caller.user._id, draftId, draft: writtenDraft(draft), by: commandContext(caller) }),
    );
  }

  @Delete(':draft_id')
  async remove(@Caller() caller: Caller, @PathId('draft_id') draftId: number): Promise<void> {
    await this.commands.execute(new DeleteDraft({ userId: caller.user._id, draftId, by: commandContext(caller) }));
  }
}
