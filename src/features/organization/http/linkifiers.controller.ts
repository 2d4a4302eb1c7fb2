import { Controller, Delete, Get, Patch, Post } from '@nestjs/common';
import { IsArray, IsOptional, IsString } from 'class-validator';
import { Caller } from '../../../directory/http/caller.decorator.js';
import type { LinkifierForClients } from '../../../directory/organization-for-clients.js';
import { Dispatch } from '../../../platform/http/dispatch.js';
import { AreIds, JsonText, OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator.js';
import { PathId } from '../../../platform/http/parameters/path.decorators.js';
import {
  AddLinkifier,
  ChangeLinkifier,
  type LinkifierDraft,
  RemoveLinkifier,
  ReorderLinkifiers,
} from '../domain/linkifiers.js';
import { GetLinkifiers } from '../queries/organization.queries.js';

/** `POST /realm/filters` and `PATCH /realm/filters/{filter_id}`. Newer servers of this API added the last three parameters. */
class LinkifierParameters {
  @IsString() readonly pattern!: string;
  @IsString() readonly url_template!: string;
  @OptionalText() readonly example_input?: string;
  @OptionalText() readonly reverse_template?: string;
  @JsonText() @IsOptional() @IsArray() @IsString({ each: true }) readonly alternative_url_templates?: readonly string[];
}

/** `PATCH /realm/linkifiers` */
class ReorderLinkifiersParameters {
  @JsonText() @AreIds() readonly ordered_linkifier_ids!: readonly number[];
}

const linkifierDraft = (parameters: LinkifierParameters): LinkifierDraft => ({
  pattern: parameters.pattern,
  urlTemplate: parameters.url_template.trim(),
  exampleInput: orNull(parameters.example_input),
  reverseTemplate: orNull(parameters.reverse_template),
  alternativeUrlTemplates: (parameters.alternative_url_templates ?? []).map((template) => template.trim()),
});

/** Gives null for an absent or empty form field. */
const orNull = (text = ''): string | null => (text.trim() === '' ? null : text.trim());

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
