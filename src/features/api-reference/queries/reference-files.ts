import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { FOR_EVER, programFile, type ServedFile } from '../../../platform/http/answers/served-file.js';
import { sha256Of } from '../../../platform/kernel/sha256.js';

export const SCRIPT_TYPE = 'text/javascript; charset=utf-8';
const STYLE_TYPE = 'text/css; charset=utf-8';

/** Starts Swagger UI: `validatorUrl` is a service of others, and the list of schemas would be longer than the operations. */
const START = `SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: -1,
  filter: true,
  validatorUrl: null,
});
`;

/** Files by their names, which have the hash of the content, in the order in which the page loads them. */
export type ReferenceFiles = ReadonlyMap<string, ServedFile>;

let files: Promise<ReferenceFiles> | undefined;

/** Reads the files of the package, once. */
export function referenceFiles(): Promise<ReferenceFiles> {
  files ??= read();
  return files;
}

const packages = createRequire(import.meta.url);

const ofPackage = (name: string): Promise<string> => readFile(packages.resolve(`swagger-ui-dist/${name}`), 'utf8');

async function read(): Promise<ReferenceFiles> {
  return new Map([
    named('swagger-ui', 'css', await ofPackage('swagger-ui.css')),
    named('swagger-ui-bundle', 'js', await ofPackage('swagger-ui-bundle.js')),
    named('start', 'js', START),
  ]);
}

function named(name: string, ending: 'css' | 'js', text: string): [string, ServedFile] {
  const type = ending === 'js' ? SCRIPT_TYPE : STYLE_TYPE;
  const file = programFile({ type, bytes: Buffer.from(text), headers: FOR_EVER });
  return [`${name}.${sha256Of(text).slice(0, 12)}.${ending}`, file];
}
