/** The part of JSON Schema (2020-12, as OpenAPI 3.1 has it) by which answers and parameters are described. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly minItems?: number;
  readonly contentMediaType?: string;
  readonly contentSchema?: Schema;
}
