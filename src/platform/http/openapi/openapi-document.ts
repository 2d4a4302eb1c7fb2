import { type INestApplication, Injectable } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { API_PREFIX } from '../api-prefix.js';
import { type PlannedParameter, planOf } from '../parameters/parameter-plan.js';
import type { ParameterSchema } from '../parameters/parameter-rule.js';
import { parametersClassNamed } from '../parameters/parameters.decorator.js';
import { type Description, descriptionOf } from './described.decorator.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;
type Parameter = NonNullable<Operation['parameters']>[number];
type RequestBody = Operation['requestBody'];
type Responses = Operation['responses'];

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const DESCRIPTION = `Pages of any origin may call the operations, with a key in \`Authorization\`. Answers of 1 KiB and more are
compressed by \`br\` or \`gzip\` for clients that send \`Accept-Encoding\`. Forms and JSON may be sent with \`Content-Encoding: gzip\`;
another encoding is answered 415 \`UNSUPPORTED_MEDIA_TYPE\`, and a body that inflates beyond the limit of bodies 413
\`REQUEST_TOO_LARGE\`.`;

const ENVELOPE = {
  success: {
    type: 'object',
    required: ['result', 'msg'],
    properties: {
      result: { type: 'string', enum: ['success'] },
      msg: { type: 'string' },
      ignored_parameters_unsupported: { type: 'array', items: { type: 'string' } },
    },
  },
  error: {
    type: 'object',
    required: ['result', 'msg', 'code'],
    properties: { result: { type: 'string', enum: ['error'] }, msg: { type: 'string' }, code: { type: 'string' } },
  },
};

/** The API of this server as OpenAPI, made from the controllers and their parameters classes at the first request. */
@Injectable()
export class OpenApiDocument {
  private app: INestApplication | null = null;
  private document: Promise<OpenAPIObject> | null = null;

  describe(app: INestApplication): void {
    this.app = app;
  }

  get(): Promise<OpenAPIObject> {
    this.document ??= this.make();
    return this.document;
  }

  private async make(): Promise<OpenAPIObject> {
    if (!this.app) throw new TypeError('configureHttp has not been called');
    const { DocumentBuilder, SwaggerModule } = await import('@nestjs/swagger');
    const info = new DocumentBuilder()
      .setTitle('Annals')
      .setDescription(DESCRIPTION)
      .setVersion('1')
      .addBasicAuth()
      .build();
    const document = SwaggerModule.createDocument(this.app, info, {
      operationIdFactory: (controller, method) => `${controller}.${method}`,
    });
    for (const [path, methods] of Object.entries(document.paths)) {
      if (!path.startsWith(`/${API_PREFIX}/`)) delete document.paths[path];
      for (const method of METHODS) {
        const operation = methods[method];
        if (operation) methods[method] = { ...operation, ...shapeOf(operation.operationId ?? '', method, path) };
      }
    }
    return document;
  }
}

function shapeOf(operationId: string, method: string, path: string): Partial<Operation> & { responses: Responses } {
  // A method with several paths has an operation for each, with its number.
  const name = operationId.replace(/\[\d+\]$/, '');
  const type = parametersClassNamed(name);
  const description = descriptionOf(name);
  const parameters = type ? planOf(type).parameters : [];
  const inQuery = method === 'get' ? parameters.map((one) => queryParameter(one, description)) : [];
  return {
    ...(description && { summary: description.summary }),
    parameters: [...pathParameters(path), ...inQuery],
    ...(method !== 'get' && parameters.length > 0 && { requestBody: form(parameters) }),
    responses: {
      200: { description: 'Success', content: contentOf(description) },
      default: {
        description: 'Error: `code` and `msg` give the reason',
        content: { 'application/json': { schema: ENVELOPE.error } },
      },
    },
  };
}

function contentOf(description: Description | undefined) {
  if (!description) return { 'application/json': { schema: ENVELOPE.success } };
  const { answer, otherForms = {} } = description;
  const { required, properties } = ENVELOPE.success;
  const schema = {
    type: 'object',
    required: [...required, ...Object.keys(answer)],
    properties: { ...properties, ...answer },
  };
  const others = Object.entries(otherForms).map(([media, about]) => [
    media,
    { schema: { type: 'string', description: about } },
  ]);
  return { 'application/json': { schema }, ...Object.fromEntries(others) };
}

function pathParameters(path: string): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: name.endsWith('_id') ? 'integer' : 'string' },
  }));
}

/** Describes a parameter of the query string. Values other than strings are sent as JSON text. */
function queryParameter({ name, required, form: text, schema }: PlannedParameter, described?: Description): Parameter {
  const about = described?.parameters?.[name];
  const parameter = { name, in: 'query' as const, required, ...(about !== undefined && { description: about }) };
  return text.startsWith('text')
    ? { ...parameter, schema }
    : { ...parameter, content: { 'application/json': { schema } } };
}

function form(parameters: readonly PlannedParameter[]): RequestBody {
  const json = parameters.filter((parameter) => !parameter.form.startsWith('text'));
  const media = {
    schema: {
      type: 'object',
      required: parameters.filter(({ required }) => required).map(({ name }) => name),
      properties: Object.fromEntries(parameters.map(({ name, schema }): [string, ParameterSchema] => [name, schema])),
    },
    encoding: Object.fromEntries(json.map(({ name }) => [name, { contentType: 'application/json' }])),
  };
  return { content: { 'application/x-www-form-urlencoded': media, 'multipart/form-data': media } };
}
