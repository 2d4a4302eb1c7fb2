interface Row<Name extends string> {
  /** Of the API's parameter. */
  readonly name: Name;
  readonly words: string;
}

export interface SwitchRow<Name extends string = string> extends Row<Name> {
  readonly kind: 'switch';
}

export interface ChoiceRow<Name extends string = string> extends Row<Name> {
  readonly kind: 'choice';
  /** Words by value. */
  readonly choices: readonly (readonly [number | string, string])[];
}

export interface NumberRow<Name extends string = string> extends Row<Name> {
  readonly kind: 'number';
  /** What people count in, and how many of the API's units one is. */
  readonly unit: readonly [string, number];
  /** Whether there may be none: the API's `unlimited`. */
  readonly mayBeUnlimited?: boolean;
}

export interface TextRow<Name extends string = string> extends Row<Name> {
  readonly kind: 'text';
  readonly hasLines?: boolean;
}

/** Names a channel, or none. */
export interface ChannelRow<Name extends string = string> extends Row<Name> {
  readonly kind: 'channel';
}

/** Names a group whose people may do something. */
export interface PermissionRow<Name extends string = string> extends Row<Name> {
  readonly kind: 'permission';
}

export type SettingRow<Name extends string = string> =
  | SwitchRow<Name>
  | ChoiceRow<Name>
  | NumberRow<Name>
  | TextRow<Name>
  | ChannelRow<Name>
  | PermissionRow<Name>;

/** What a place declares of the settings that it shows. */
export interface SettingGroup<Name extends string = string> {
  readonly id: string;
  readonly title: string;
  readonly hint?: string;
  readonly rows: readonly SettingRow<Name>[];
}

export const on = <Name extends string>(name: Name, words: string): SwitchRow<Name> => ({
  kind: 'switch',
  name,
  words,
});

export const whoMay = <Name extends string>(name: Name, words: string): PermissionRow<Name> => ({
  kind: 'permission',
  name,
  words,
});
