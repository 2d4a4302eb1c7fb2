import type { Concerned } from './concerned.js';
import type { DomainEvent, Recorded } from './event.js';
import type { JsonObject } from './json.js';

/** Turns the payload of version n into that of version n + 1; pure. */
export type Upcaster = (data: JsonObject) => JsonObject;

/**
 * An event's relation to a content key that its payload names. `seals`: the event's content is sealed under it; `ends`:
 * it is destroyed, and so is all content under it; `names`: neither.
 */
type KeyDuty = 'seals' | 'ends' | 'names';

/**
 * The accounts that the audit shows sealed words. `message`: every auditor, and one who is not part of the conversation
 * leaves a trace. `auditors`: every auditor. `only`: the account in the field. `nobody`: the words have secrets, or are of
 * somebody without an account.
 */
type ShownTo<Name extends string> = 'message' | 'auditors' | 'nobody' | { readonly only: Name };

/** The field that holds what people wrote. Stored only encrypted (D7); null once its key is destroyed. */
interface SealedField<Field extends string = string, Name extends string = string> {
  readonly field: Field;
  /** `own key`: the event makes the key, whose id is the event's id. `existing key`: an earlier event has made it. */
  readonly under: 'own key' | 'existing key';
  readonly shownTo: ShownTo<Name>;
  /** Members of the content that no tool prints: hashes of passwords, tokens. */
  readonly secrets?: readonly string[];
}

/** What an event records of a file's bytes. */
export interface FileMeasure {
  /** Bytes; null: not recorded. */
  readonly size: number | null;
  /** SHA-256, hexadecimal; null: not recorded, or erased with the file. */
  readonly sha256: string | null;
}

/** Of a file of which the event records nothing. */
export const UNMEASURED = { size: null, sha256: null } as const satisfies FileMeasure;

/** The stored form of an event (D6), and its duties to content (D7). */
export interface EventDefinition {
  /** A literal, like the version: written here and nowhere else. */
  readonly type: string;
  /** The version written today. */
  readonly version: number;
  /** The step from each retired version to the next, by the retired version. */
  readonly upcasters?: Readonly<Record<number, Upcaster>>;
  readonly sealed?: SealedField;
  /** Fields that are null or an object, as sealed content is, and are stored in the clear: the subject of each. */
  readonly unsealed?: Readonly<Record<string, string>>;
  /** The event's duty to each content key, by the field with the key's id. */
  readonly keys?: Readonly<Record<string, KeyDuty>>;
  /** The fields with ids of files that were stored before the event. */
  readonly files?: readonly string[];
  /** What the event records of its files' bytes, by the field with the file's id. Pure. */
  measures?(event: Recorded): Readonly<Partial<Record<string, FileMeasure>>>;
  /** The fields with ids of files that are deleted with the event; null: no file. */
  readonly endsFiles?: readonly string[];
  /** Fields with hashes of passwords or keys. No tool prints them. */
  readonly secrets?: readonly string[];
  /** What the event concerns: by this, the audit finds it. Pure, and never of sealed content, which may be gone. */
  concerns(event: Recorded): Concerned;
}

/**
 * Checks a definition against the event's type: a key's id or possible content without its duty is a type error. An event
 * without a version has version 1.
 */
export const defineEvent = <E extends DomainEvent>(definition: DefinitionOf<E>): EventDefinition => ({
  version: 1,
  ...definition,
});

type DefinitionOf<E extends DomainEvent> = Partial<Pick<EventDefinition, 'version' | 'upcasters'>> & {
  readonly type: E['type'];
  readonly secrets?: readonly FieldOf<E['data']>[];
  readonly files?: readonly FieldOf<E['data']>[];
  measures?(event: Recorded<E>): Readonly<Partial<Record<FieldOf<E['data']>, FileMeasure>>>;
  readonly endsFiles?: readonly FieldOf<E['data']>[];
  concerns(event: Recorded<E>): Concerned;
} & (WithContent<E['data'], MaybeContent<E['data']>> | WithoutContent<E['data'], MaybeContent<E['data']>>);

type WithContent<Data, Candidate extends string> = {
  [Field in Candidate]: { readonly sealed: SealedField<Field, FieldOf<Data>> } & Unsealed<Exclude<Candidate, Field>> &
    Keys<KeyIdField<Data>, KeyDuty>;
}[Candidate];

type WithoutContent<Data, Candidate extends string> = { readonly sealed?: never } & Unsealed<Candidate> &
  Keys<KeyIdField<Data>, Exclude<KeyDuty, 'seals'>>;

type Unsealed<Field extends string> = [Field] extends [never]
  ? { readonly unsealed?: never }
  : { readonly unsealed: Readonly<Record<Field, string>> };

type Keys<Field extends string, Duty extends KeyDuty> = [Field] extends [never]
  ? { readonly keys?: never }
  : { readonly keys: Readonly<Record<Field, Duty>> };

type FieldOf<Data> = Data extends unknown ? keyof Data & string : never;

/** API keys are no content keys. */
type KeyIdField<Data> = Exclude<Extract<FieldOf<Data>, 'keyId' | `${string}KeyId`>, 'apiKeyId'>;

/** Fields that are null or an object: sealed content is. */
type MaybeContent<Data> = Data extends unknown
  ? { [Field in keyof Data & string]-?: IsMaybeContent<Data[Field]> extends true ? Field : never }[keyof Data & string]
  : never;

type IsMaybeContent<Value> = null extends Value ? ([Extract<Value, object>] extends [never] ? false : true) : false;
