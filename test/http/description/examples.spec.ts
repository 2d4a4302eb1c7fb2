import { writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { examples } from '../../../src/app/description/described-api.js';
import { Annals } from '../../support/servers/annals.js';

const FILE = new URL('../../../published/examples.json', import.meta.url);

/** The bytes of a picture are no text that JSON could have. */
const PICTURES = ['POST /realm/emoji/{emoji_name}', 'POST /realm/icon', 'POST /realm/logo', 'POST /users/me/avatar'];

it('every request, answer and header has an example, which is as it is described', async () => {
  if (process.env.UPDATE_DOCS) {
    const { recordedExamples } = await import('./record-examples.js');
    const lines = Object.entries(await recordedExamples()).map((one) =>
      one.map((part) => JSON.stringify(part)).join(':'),
    );
    writeFileSync(FILE, `{\n${lines.join(',\n')}\n}\n`);
  }
  const annals = await Annals.start();
  const document = (await annals.api.get('/openapi.json')).body;
  await annals.stop();
  const ajv = addFormats.default(new Ajv2020({ strict: false, formats: { 'json-text': true, binary: true } }));
  ajv.addSchema({ $id: 'annals', ...document });
  const known = examples();
  const lacking: string[] = [];
  const faults: object[] = [];
  const look = (name: string, place: readonly string[], example: unknown) => {
    if (example === undefined) return void lacking.push(name);
    const isRight = ajv.compile({ $ref: `annals#/${[...place, 'schema'].map(escaped).join('/')}` });
    if (!isRight(example)) faults.push({ name, errors: isRight.errors });
  };
  for (const [path, methods] of Object.entries<Record<string, Described>>(document.paths))
    for (const [method, { parameters, requestBody, responses }] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const place = ['paths', path, method];
      for (const [at, one] of parameters.entries())
        if (one.required) look(`${name} ${one.name}`, [...place, 'parameters', String(at)], one.example);
      for (const [media, { example }] of Object.entries(requestBody?.content ?? {}))
        look(`${name} request`, [...place, 'requestBody', 'content', media], example);
      const { answer, otherForms } = known[name] ?? {};
      for (const [media, { schema, example }] of Object.entries(responses['200']?.content ?? {})) {
        look(`${name} ${media}`, [...place, 'responses', '200', 'content', media], example);
        expect({ name, example }).toEqual({ name, example: schema.$ref ? answer : otherForms?.[media] });
      }
    }
  const { headers, schemas } = document.components;
  for (const [name, { example }] of Object.entries<{ example?: unknown }>(headers))
    look(name, ['components', 'headers', name], example);
  for (const name of ['msg', 'code'])
    expect(schemas.Error.properties[name]).toMatchObject({ examples: [expect.any(String)] });
  expect({ lacking: lacking.sort(), faults }).toEqual({
    lacking: PICTURES.map((name) => `${name} request`),
    faults: [],
  });
});

type Content = Readonly<Record<string, { readonly schema: { readonly $ref?: string }; readonly example?: unknown }>>;

interface Described {
  readonly parameters: readonly { readonly name: string; readonly required: boolean; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** As a JSON pointer in a URL. */
const escaped = (name: string): string => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
