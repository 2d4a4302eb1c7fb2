import type { JsonObject } from '../../kernel/json.js';

/** What the OpenAPI document says about an operation that the published API does not have. */
export interface Description {
  readonly summary: string;
  /** What a parameter asks for, by its name. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Schemas of the members of a successful answer, besides `result` and `msg`. */
  readonly answer: Readonly<Record<string, JsonObject>>;
  /** Other forms of the answer, by their media type. */
  readonly otherForms?: Readonly<Record<string, string>>;
}

/** By `Controller.method`. */
const described = new Map<string, Description>();

/** Describes a controller's method in the OpenAPI document. */
export const Described =
  (description: Description): MethodDecorator =>
  (prototype, method) => {
    described.set(`${prototype.constructor.name}.${String(method)}`, description);
  };

export const descriptionOf = (operation: string): Description | undefined => described.get(operation);
