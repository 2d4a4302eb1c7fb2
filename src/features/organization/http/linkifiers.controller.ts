import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Caller, commandContext } from '../../../directory/http/caller.decorator.js';
import type { LinkifierForClients } from '../../../directory/organization-for-clients.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import { AddLinkifier } from '../domain/add-linkifier.js';
import { ChangeLinkifier } from '../domain/change-linkifier.js';
import { RemoveLinkifier } from '../domain/remove-linkifier.js';
import { ReorderLinkifiers } from '../domain/reorder-linkifiers.js';
import { GetLinkifiers } from '../queries/organization.queries.js';
import { LinkifierParameters, linkifierDraft, ReorderLinkifiersParameters } from './linkifier.parameters.js';

/** Older paths call linkifiers filters. */
@Controller('realm')
export class LinkifiersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  @Get('linkifiers')
  async list(): Promise<{ readonly linkifiers: readonly LinkifierForClients[] }> {
    return { linkifiers: await this.queries.execute(new GetLinkifiers()) };
  }

  @Patch('linkifiers')
  async reorder(
    @Caller() caller: Caller,
    @Parameters(ReorderLinkifiersParameters) { ordered_linkifier_ids }: ReorderLinkifiersParameters,
  ): Promise<void> {
    await this.commands.execute(new ReorderLinkifiers({ order: ordered_linkifier_ids, by: commandContext(caller) }));
  }

  @Post('filters')
  async add(
    @Caller() caller: Caller,
    @Parameters(LinkifierParameters) parameters: LinkifierParameters,
  ): Promise<{ readonly id: number }> {
    const command = new AddLinkifier({ linkifier: linkifierDraft(parameters), by: commandContext(caller) });
    return { id: await this.commands.execute(command) };
  }

  @Patch('filters/:filter_id')
  async update(
    @Caller() caller: Caller,
    @PathId('filter_id') linkifierId: number,
    @Parameters(LinkifierParameters) parameters: LinkifierParameters,
  ): Promise<void> {
    const draft = linkifierDraft(parameters);
    await this.commands.execute(new ChangeLinkifier({ linkifierId, linkifier: draft, by: commandContext(caller) }));
  }

  @Delete('filters/:filter_id')
  async remove(@Caller() caller: Caller, @PathId('filter_id') linkifierId: number): Promise<void> {
    await this.commands.execute(new RemoveLinkifier({ linkifierId, by: commandContext(caller) }));
  }
}
