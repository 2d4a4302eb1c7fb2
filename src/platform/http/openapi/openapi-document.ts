import { type INestApplication, Injectable } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { OpenAPIObject } from '@nestjs/swagger';
import { API_PREFIX } from '../api-prefix.js';
import { planOf } from '../parameters/parameter-plan.js';
import { parametersClassNamed } from '../parameters/parameters.decorator.js';
import { PUBLIC } from '../route-marks.js';
import { SESSION_COOKIE } from '../session-cookie.js';
import { type DescribedApi, NOTHING_DESCRIBED, operationKey, schemaName } from './described-api.js';
import { answerSchema, errorSchema, HEADERS, responses } from './openapi-answers.js';
import {
  bodySchema,
  fileBody,
  headerParameter,
  pathParameters,
  payloadBody,
  queryParameter,
  requestBody,
} from './openapi-parameters.js';
import type { Schema } from './schema.js';

type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

const DESCRIPTION = `Every operation takes its parameters from the query string, from a form or from a JSON body. An answer is a JSON
object with \`result\` and \`msg\`; an error has a \`code\`, too. Credentials are HTTP Basic: the email address of the account and
its API key. Pages of this server may have the cookie of \`POST /session\` instead.

Pages of any origin may call the operations, with a key in \`Authorization\`. Answers of 1 KiB and more are compressed by
\`br\` or \`gzip\` for clients that send \`Accept-Encoding\`. Forms and JSON may be sent with \`Content-Encoding: gzip\`; another
encoding is answered 415 \`UNSUPPORTED_MEDIA_TYPE\`, and a body that inflates beyond the limit of bodies 413
\`REQUEST_TOO_LARGE\`.`;

const SESSION = 'Of `POST /session`. It counts for requests of pages of this server alone, without `Authorization`';

/** The API of this server as OpenAPI 3.1, made from the controllers and their parameters classes at the first request. */
@Injectable()
export class OpenApiDocument {
  private app: INestApplication | null = null;
  private load: () => Promise<DescribedApi> = async () => NOTHING_DESCRIBED;
  private document: Promise<object> | null = null;

  /** @param load loads what the application knows of its operations, when it is first asked for */
  describe(app: INestApplication, load?: () => Promise<DescribedApi>): void {
    this.app = app;
    if (load) this.load = load;
  }

  get(): Promise<object> {
    this.document ??= this.make();
    return this.document;
  }

  private async make(): Promise<object> {
    if (!this.app) throw new TypeError('configureHttp has not been called');
    const { DocumentBuilder, SwaggerModule } = await import('@nestjs/swagger');
    const info = new DocumentBuilder()
      .setTitle('Annals')
      .setDescription(DESCRIPTION)
      .setVersion('1')
      .setOpenAPIVersion('3.1.0')
      .addServer(`/${API_PREFIX}`, 'This server')
      .addBasicAuth({ type: 'http', scheme: 'basic', description: 'The email address of the account and its API key' })
      .addSecurityRequirements('basic')
      .addCookieAuth(SESSION_COOKIE, { type: 'apiKey', in: 'cookie', description: SESSION }, 'session')
      .addSecurityRequirements('session')
      .build();
    const made = SwaggerModule.createDocument(this.app, info, {
      operationIdFactory: (controller, method) => `${controller}.${method}`,
    });
    const described = await this.load();
    const operations = new Operations(described, publicRoutes(this.app));
    const paths: Record<string, Readonly<Record<string, object>>> = {};
    for (const [whole, methods] of Object.entries(made.paths)) {
      if (!whole.startsWith(`/${API_PREFIX}/`)) continue;
      const path = sameAs(whole.slice(API_PREFIX.length + 1), Object.keys(paths));
      for (const method of METHODS) {
        const operation = methods[method];
        if (operation) paths[path] = { ...paths[path], [method]: operations.shaped(operation, method, path) };
      }
    }
    const { schemas } = operations;
    return { ...made, paths, components: { ...made.components, schemas, headers: HEADERS } };
  }
}

/** Shapes operations, and gathers the schemas that they refer to. */
class Operations {
  readonly schemas: Record<string, Schema>;
  private readonly ids = new Set<string>();

  constructor(
    private readonly described: DescribedApi,
    private readonly publicRoutes: ReadonlySet<string>,
  ) {
    this.schemas = { Error: errorSchema(described.errorMembers), ...described.schemas };
  }

  shaped(operation: Operation, method: string, path: string): object {
    // A method with several paths has an operation for each, with its number.
    const route = (operation.operationId ?? '').replace(/\[\d+\]$/, '');
    const own = this.described.operation(method, path);
    const id = this.unique(own.id ?? idOf(route));
    const name = schemaName(id);
    const type = parametersClassNamed(route);
    const parameters = type ? planOf(type).parameters : [];
    const words = (parameter: string) => own.parameters?.[parameter] ?? this.described.parameters[parameter];
    const isQuery = method === 'get' || own.payload !== undefined;
    const isPublic = this.publicRoutes.has(route);
    const withoutLogin = isPublic || own.payload !== undefined;
    const isOther = own.otherForms !== undefined || own.redirects !== undefined;
    const isJson = own.answer !== undefined || own.published !== undefined || !isOther;
    if (isJson) this.schemas[`${name}Answer`] = answerSchema(own);
    return {
      operationId: id,
      ...(own.summary !== undefined && { summary: own.summary }),
      ...(own.text !== undefined && { description: own.text }),
      ...(own.tag !== undefined && { tags: [own.tag] }),
      ...(withoutLogin && { security: [] }),
      parameters: [
        ...pathParameters(path, words, own.example?.path),
        ...headersOf(operation).map((header) => headerParameter(header, words)),
        ...(isQuery ? parameters.map((one) => queryParameter(one, words, own.example?.sent[one.name])) : []),
      ],
      ...(own.file !== undefined && {
        requestBody: fileBody(own.file, bodySchema(parameters, words), own.example?.sent),
      }),
      ...(own.payload !== undefined && { requestBody: payloadBody(own.payload, own.example?.sent.payload) }),
      ...(own.file === undefined &&
        !isQuery &&
        parameters.length > 0 && {
          requestBody: requestBody(this.body(name, parameters, words), parameters, own.example?.sent),
        }),
      responses: responses(own, isJson ? `${name}Answer` : null, isPublic),
    };
  }

  private body(name: string, ...of: Parameters<typeof bodySchema>): Schema {
    this.schemas[`${name}Parameters`] = bodySchema(...of);
    return { $ref: `#/components/schemas/${name}Parameters` };
  }

  private unique(id: string): string {
    for (let n = 1; ; n++) {
      const candidate = n === 1 ? id : `${id}-${n}`;
      if (this.ids.has(candidate)) continue;
      this.ids.add(candidate);
      return candidate;
    }
  }
}

/** Paths that differ in nothing but the names of their parameters are one. */
const sameAs = (path: string, known: readonly string[]): string =>
  known.find((one) => operationKey('', one) === operationKey('', path)) ?? path;

/** Names an operation by its route: `BotsController.create` is `create-bots`. */
function idOf(route: string): string {
  const [controller = '', method = ''] = route.replace('Controller', '').split('.');
  return kebabCase(`${method}${controller}`);
}

const kebabCase = (name: string): string => name.replace(/(?<=[a-z])[A-Z]/g, '-$&').toLowerCase();

const HEADER_NAMES: Readonly<Record<string, string>> = { 'idempotency-key': 'Idempotency-Key' };

function headersOf({ parameters = [] }: Operation): string[] {
  return parameters.flatMap((one) => ('in' in one && one.in === 'header' ? (HEADER_NAMES[one.name] ?? []) : []));
}

/** The routes that need no credentials, as `Controller.method`. */
function publicRoutes(app: INestApplication): ReadonlySet<string> {
  const controllers = [...app.get(ModulesContainer).values()].flatMap(({ controllers }) => [...controllers.values()]);
  return new Set(
    controllers.flatMap(({ metatype }) => {
      if (typeof metatype !== 'function') return [];
      const { prototype, name } = metatype;
      const isMarked = (target: object) => Reflect.getMetadata(PUBLIC, target) === true;
      return Object.getOwnPropertyNames(prototype)
        .filter((method) => isMarked(metatype) || isMarked(Reflect.get(prototype, method)))
        .map((method) => `${name}.${method}`);
    }),
  );
}
