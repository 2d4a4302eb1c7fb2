import type { Schema } from '../../../src/platform/http/openapi/schema.js';
import type { Client, Method } from './http.js';

/** An operation of the server's own OpenAPI document. */
export interface Operation {
  readonly method: Method;
  /** Below `/api/v1`, with names in braces. */
  readonly path: string;
  /** In the query or the body. */
  readonly parameters: readonly OperationParameter[];
}

interface OperationParameter {
  readonly name: string;
  readonly isRequired: boolean;
}

interface Described {
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The operations of the server. */
export async function operationsOf(api: Client): Promise<readonly Operation[]> {
  const { paths, components } = (await api.get('/openapi.json')).body as Document;
  const inBody = ({ requestBody }: Described): OperationParameter[] => {
    const [schema = {}] = Object.values(requestBody?.content ?? {}).map((form) => form.schema);
    const named = components.schemas[schema.$ref?.replace('#/components/schemas/', '') ?? ''];
    const { properties = {}, required = [] } = named ?? schema;
    return Object.entries(properties).flatMap(([name, { format }]) =>
      format === 'binary' ? [] : [{ name, isRequired: required.includes(name) }],
    );
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      method: method.toUpperCase() as Method,
      path,
      parameters: [
        ...described.parameters
          .filter((one) => one.in === 'query')
          .map(({ name, required }) => ({ name, isRequired: required })),
        ...inBody(described),
      ],
    })),
  );
}
