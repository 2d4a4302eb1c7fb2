import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { Caller } from '../../../directory/http/caller.decorator.js';
import type { LinkifierForClients } from '../../../directory/organization-for-clients.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
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
  constructor(private readonly dispatch: Dispatch) {}

  @Get('linkifiers')
  async list(): Promise<{ readonly linkifiers: readonly LinkifierForClients[] }> {
    return { linkifiers: await this.dispatch.ask(new GetLinkifiers()) };
  }

  @Patch('linkifiers')
  async reorder(
    @Caller() { by }: Caller,
    @Parameters() { ordered_linkifier_ids }: ReorderLinkifiersParameters,
  ): Promise<void> {
    await this.dispatch.do(new ReorderLinkifiers({ order: ordered_linkifier_ids, by }));
  }

  @Post('filters')
  async add(@Caller() { by }: Caller, @Parameters() parameters: LinkifierParameters): Promise<{ readonly id: number }> {
    const command = new AddLinkifier({ linkifier: linkifierDraft(parameters), by });
    return { id: await this.dispatch.do(command) };
  }

  @Patch('filters/:filter_id')
  async update(
    @Caller() { by }: Caller,
    @PathId('filter_id') linkifierId: number,
    @Parameters() parameters: LinkifierParameters,
  ): Promise<void> {
    const draft = linkifierDraft(parameters);
    await this.dispatch.do(new ChangeLinkifier({ linkifierId, linkifier: draft, by }));
  }

  @Delete('filters/:filter_id')
  async remove(@Caller() { by }: Caller, @PathId('filter_id') linkifierId: number): Promise<void> {
    await this.dispatch.do(new RemoveLinkifier({ linkifierId, by }));
  }
}
