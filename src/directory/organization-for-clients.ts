import type { Linkifier, Playground, ProfileField } from '../events/organization/organization.settings.js';
import type { OrganizationRecord } from './directory.records.js';

/** The published CustomProfileField. The optional fields are present only when true. */
export interface ProfileFieldForClients {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly hint: string;
  readonly field_data: string;
  /** From 1. */
  readonly order: number;
  readonly required: boolean;
  readonly editable_by_user: boolean;
  readonly display_in_profile_summary?: true;
  readonly use_for_user_matching?: true;
}

/** The optional fields, which clients of today's level do not know, are present only when set. */
export interface LinkifierForClients {
  readonly id: number;
  readonly pattern: string;
  readonly url_template: string;
  readonly example_input?: string;
  readonly reverse_template?: string;
  readonly alternative_url_templates?: readonly string[];
}

export interface PlaygroundForClients {
  readonly id: number;
  readonly name: string;
  readonly pygments_language: string;
  readonly url_template: string;
}

type Lists = Pick<OrganizationRecord, 'profileFields' | 'linkifiers' | 'playgrounds'>;

/** The list is in order of display. */
export const profileFieldsForClients = ({ profileFields }: Lists): ProfileFieldForClients[] =>
  profileFields.map((field, index) => profileField(field, index + 1));

/** The list is in order of application. */
export const linkifiersForClients = ({ linkifiers }: Lists): LinkifierForClients[] => linkifiers.map(linkifier);

export const playgroundsForClients = ({ playgrounds }: Lists): PlaygroundForClients[] => playgrounds.map(playground);

const profileField = (field: ProfileField, order: number): ProfileFieldForClients => ({
  id: field.id,
  name: field.name,
  type: field.type,
  hint: field.hint,
  field_data: field.fieldData,
  order,
  required: field.required,
  editable_by_user: field.editableByUser,
  ...(field.displayInProfileSummary && { display_in_profile_summary: true }),
  ...(field.useForUserMatching && { use_for_user_matching: true }),
});

const linkifier = ({
  id,
  pattern,
  urlTemplate,
  exampleInput,
  reverseTemplate,
  alternativeUrlTemplates,
}: Linkifier): LinkifierForClients => ({
  id,
  pattern,
  url_template: urlTemplate,
  ...(exampleInput !== null && { example_input: exampleInput }),
  ...(reverseTemplate !== null && { reverse_template: reverseTemplate }),
  ...(alternativeUrlTemplates.length > 0 && { alternative_url_templates: alternativeUrlTemplates }),
});

const playground = ({ id, name, pygmentsLanguage, urlTemplate }: Playground): PlaygroundForClients => ({
  id,
  name,
  pygments_language: pygmentsLanguage,
  url_template: urlTemplate,
});
