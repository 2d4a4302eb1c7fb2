/** The part of JSON Schema (2020-12, as OpenAPI 3.1 has it) by which answers and parameters are described. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly contentMediaType?: string;
  readonly contentSchema?: Schema;
}

/** Words for the schemas of answers. */
export const text: Schema = { type: 'string' };
export const textOrNull: Schema = { type: ['string', 'null'] };
export const whole: Schema = { type: 'integer' };
export const wholeOrNull: Schema = { type: ['integer', 'null'] };
export const yesOrNo: Schema = { type: 'boolean' };

export const listOf = (items: Schema): Schema => ({ type: 'array', items });

/** An object with these members and no others. @param optional members that may be left out */
export const objectOf = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
  additionalProperties: false,
});
