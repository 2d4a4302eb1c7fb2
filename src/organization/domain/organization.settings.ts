/** What the organisation's profiles ask, in order of display (`custom_profile_fields`). */
export interface ProfileField {
  readonly id: number;
  readonly name: string;
  readonly hint: string;
  /** 1 short text, 2 long text, 3 list of options, 4 date, 5 link, 6 person, 7 external account, 8 pronouns. */
  readonly type: number;
  /** JSON text; empty where the type asks for none. */
  readonly fieldData: string;
  readonly displayInProfileSummary: boolean;
  readonly required: boolean;
  readonly editableByUser: boolean;
  readonly useForUserMatching: boolean;
}

/** Text that becomes a link in messages (`realm_linkifiers`). */
export interface Linkifier {
  readonly id: number;
  readonly pattern: string;
  readonly urlTemplate: string;
  readonly exampleInput: string | null;
  readonly reverseTemplate: string | null;
  readonly alternativeUrlTemplates: readonly string[];
}

/** Where code of a language can be tried (`realm_playgrounds`). */
export interface Playground {
  readonly id: number;
  readonly name: string;
  readonly pygmentsLanguage: string;
  readonly urlTemplate: string;
}
