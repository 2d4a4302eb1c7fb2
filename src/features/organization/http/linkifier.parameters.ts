import { IsArray, IsOptional, IsString } from 'class-validator';
import { AreIds, JsonText, OptionalText } from '../../../platform/http/parameters/parameter-decorators.js';
import type { LinkifierDraft } from '../domain/linkifier-rules.js';

/** `POST /realm/filters` and `PATCH /realm/filters/{filter_id}`. Newer servers of this API added the last three parameters. */
export class LinkifierParameters {
  @IsString() readonly pattern!: string;
  @IsString() readonly url_template!: string;
  @OptionalText() readonly example_input?: string;
  @OptionalText() readonly reverse_template?: string;
  @JsonText() @IsOptional() @IsArray() @IsString({ each: true }) readonly alternative_url_templates?: readonly string[];
}

/** `PATCH /realm/linkifiers` */
export class ReorderLinkifiersParameters {
  @JsonText() @AreIds() readonly ordered_linkifier_ids!: readonly number[];
}

export const linkifierDraft = (parameters: LinkifierParameters): LinkifierDraft => ({
  pattern: parameters.pattern,
  urlTemplate: parameters.url_template.trim(),
  exampleInput: orNull(parameters.example_input),
  reverseTemplate: orNull(parameters.reverse_template),
  alternativeUrlTemplates: (parameters.alternative_url_templates ?? []).map((template) => template.trim()),
});

/** Gives null for an absent or empty form field. */
const orNull = (text = ''): string | null => (text.trim() === '' ? null : text.trim());
