import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { DomainError } from '../../kernel/deciding.js';
import { BagBuilder, MAX_PARAMETERS, type ParameterBag } from './parameter-bag.js';

interface MultipartOptions {
  /** The Content-Type with its boundary. */
  readonly contentType: string;
  /** The most bytes of the whole body. */
  readonly limit: number;
  /**
   * Called with each file part. Must read the stream to its end. Endpoints that take no files use `discardFile`.
   */
  readonly onFile: (name: string, file: Readable, info: FileInfo) => void;
  /** The most bytes of one part that is not a file; default: `limit`. */
  readonly fieldLimit?: number;
  /** The most parts that are files; default 20. */
  readonly fileLimit?: number;
  readonly onTooManyFiles?: () => Error;
}

/** The headers of a file part. */
export interface FileInfo {
  readonly fileName: string;
  readonly contentType: string;
}

/** Discards a file. Its name stays in the bag, so that the answer lists it among the ignored parameters. */
export const discardFile = (_name: string, file: Readable): void => {
  file.resume();
};

/**
 * Parses `multipart/form-data`. An empty body is an empty form, whatever its Content-Type.
 * @throws DomainError MALFORMED_REQUEST, REQUEST_TOO_LARGE
 */
export function parseMultipart(payload: Readable, options: MultipartOptions): Promise<ParameterBag> {
  return new Promise((resolve, reject) => {
    const builder = new BagBuilder();
    let received = 0;
    let parser: BusboyInstance;

    const fail = (error: unknown): void => {
      payload.unpipe(parser);
      payload.pause();
      reject(error);
    };
    const attempt = (step: () => void): void => {
      try {
        step();
      } catch (error) {
        fail(error);
      }
    };

    try {
      parser = new Busboy({
        headers: { 'content-type': options.contentType },
        // Text parts arrive as bytes, so that broken UTF-8 differs from U+FFFD.
        defCharset: 'latin1',
        limits: {
          fields: MAX_PARAMETERS,
          files: options.fileLimit ?? 20,
          headerPairs: 20,
          fieldSize: options.fieldLimit ?? options.limit,
        },
      });
    } catch {
      reject(malformed());
      return;
    }

    parser.on('field', (name, bytes) => attempt(() => builder.set(text(name, 'utf8'), text(bytes, 'latin1'))));
    parser.on('file', (name, file, fileName, _encoding, contentType) => {
      file.on('error', () => fail(malformed()));
      attempt(() => builder.set(text(name, 'utf8'), ''));
      options.onFile(name, file, { fileName: fileName ?? '', contentType });
    });
    for (const limit of ['fieldsLimit', 'partsLimit'] as const) {
      parser.on(limit, () => fail(malformed('Too many parts')));
    }
    parser.on('filesLimit', () => fail(options.onTooManyFiles?.() ?? malformed('Too many parts')));
    parser.on('error', () => (received === 0 ? resolve(builder.bag) : fail(malformed())));
    parser.on('finish', () => resolve(builder.bag));

    payload.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received > options.limit) fail(new DomainError('REQUEST_TOO_LARGE'));
    });
    payload.on('error', () => fail(malformed()));
    payload.pipe(parser);
  });
}

function text(value: unknown, encoding: 'latin1' | 'utf8'): string {
  if (typeof value !== 'string') throw malformed('A part has no name');
  const bytes = Buffer.from(value, encoding);
  if (!isUtf8(bytes)) throw malformed('A part is not UTF-8');
  return encoding === 'utf8' ? value : bytes.toString('utf8');
}

function malformed(description = 'Malformed multipart body'): DomainError {
  return new DomainError('MALFORMED_REQUEST', { description });
}
