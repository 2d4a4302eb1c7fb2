import { writeFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { examples } from '../../../src/app/description/examples.js';
import { Annals } from '../../support/servers/annals.js';

const FILE = new URL('../../../published/examples.json', import.meta.url);

/** They need a device that an app has registered, or a file of an older server. */
const WITHOUT = [
  'POST /mobile_push/e2ee/test_notification',
  'GET /user_uploads/{realm_id_str}/{folder}/{file_id}/{filename}',
  'GET /user_uploads/{realm_id_str}/{file_id}/{filename}',
  'GET /user_uploads/{realm_id_str}/{filename}',
];

it('every operation that answers JSON has an example, which is as it is described', async () => {
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
  for (const [path, methods] of Object.entries<Record<string, Described>>(document.paths))
    for (const [method, { requestBody, responses }] of Object.entries(methods)) {
      const name = `${method.toUpperCase()} ${path}`;
      const sent = requestBody?.content['application/json']?.example;
      if (sent) {
        const place = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'].map(escaped);
        const isRight = ajv.compile({ $ref: `annals#/${place.join('/')}` });
        expect({ name, faults: isRight(sent) ? [] : isRight.errors }).toEqual({ name, faults: [] });
      }
      const form = responses['200']?.content?.['application/json'];
      if (!form?.schema.$ref) continue;
      const example = known[name];
      if (!example) {
        lacking.push(name);
        continue;
      }
      expect({ name, example: form.example }).toEqual({ name, example: example.answer });
      const isRight = ajv.compile({ $ref: `annals${form.schema.$ref}` });
      expect({ name, faults: isRight(example.answer) ? [] : isRight.errors }).toEqual({ name, faults: [] });
    }
  expect(lacking.sort()).toEqual([...WITHOUT].sort());
});

type Content = Readonly<Record<string, { readonly schema: { readonly $ref?: string }; readonly example?: unknown }>>;

interface Described {
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** As a JSON pointer in a URL. */
const escaped = (name: string): string => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));
