import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Encoding } from '../../../platform/http/compression/accepted-encoding.js';
import { encode } from '../../../platform/http/compression/encoders.js';
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

/** A file of the page. It is encoded once for all that ask. */
class ReferenceFile {
  readonly bytes: Buffer;
  private readonly encodings = new Map<Encoding, Promise<Buffer>>();

  constructor(
    readonly type: string,
    text: string,
  ) {
    this.bytes = Buffer.from(text);
  }

  encoded(encoding: Encoding): Promise<Buffer> {
    const known = this.encodings.get(encoding) ?? encode(this.bytes, encoding);
    this.encodings.set(encoding, known);
    return known;
  }
}

/** Files by their names, which have the hash of the content, in the order in which the page loads them. */
export type ReferenceFiles = ReadonlyMap<string, ReferenceFile>;

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

function named(name: string, ending: 'css' | 'js', text: string): [string, ReferenceFile] {
  const type = ending === 'js' ? SCRIPT_TYPE : STYLE_TYPE;
  return [`${name}.${sha256Of(text).slice(0, 12)}.${ending}`, new ReferenceFile(type, text)];
}
