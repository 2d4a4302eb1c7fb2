import type { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { DomainError, type RefusalCode } from '../../kernel/deciding.js';
import { type FileInfo, parseMultipart } from './multipart.js';
import type { ParameterBag } from './parameter-bag.js';

/** A file that is being received. */
export interface IncomingFile {
  readonly name: string;
  readonly contentType: string;
  /** Ends when the whole body has arrived and was one file; throws otherwise. Read once, to its end, or not at all. */
  readonly content: AsyncIterable<Uint8Array>;
  /** Waits for the whole body, so the content is to be read first. Gives its parts that are no file. */
  readonly fields: () => Promise<ParameterBag>;
}

/** The answers to bodies that are not one file. */
interface FileRefusals {
  /** To a body that is announced as too long for any file: it is not read. Default: REQUEST_TOO_LARGE. */
  readonly tooLarge?: DomainError;
  /** To a body of no file, or of several. Default: FILE_MISSING or TOO_MANY_FILES. */
  readonly notOne?: RefusalCode;
}

/** The most bytes of boundaries, headers, and parts that are not files. */
const OVERHEAD = 1024 * 1024;

/** The route reads its multipart body when its handler asks for it: callers without permission are refused first. */
export const StreamsBody = (): MethodDecorator => RouteConfig({ streamsBody: true });

export const streamsBody = ({ routeOptions }: FastifyRequest): boolean =>
  'streamsBody' in routeOptions.config && routeOptions.config.streamsBody === true;

/** A multipart body that has not been read yet. */
export class StreamedBody {
  private silence: NodeJS.Timeout | null = null;

  constructor(
    private readonly payload: Readable,
    /** `announced`: bytes of the body by its Content-Length; 0 if it has none. */
    private readonly headers: { readonly contentType: string; readonly announced: number },
    /** Milliseconds after which a client that sends nothing counts as gone, though its connection may be open. */
    private readonly longestSilence: number,
  ) {}

  /**
   * The body's one file, in a part of any name.
   * @param limit the most bytes of a file. Refuses a body that must hold a longer file; does not count the file itself
   * @throws DomainError MALFORMED_REQUEST, and the refusals
   */
  file(limit: number, { tooLarge, notOne }: FileRefusals = {}): Promise<IncomingFile> {
    const { payload, headers } = this;
    // A body too long for any file is read no further. A file that is a little too long gets its limit as answer.
    const bodyLimit = 2 * limit + OVERHEAD;
    if (headers.announced > bodyLimit) return Promise.reject(tooLarge ?? new DomainError('REQUEST_TOO_LARGE'));
    const silence = setTimeout(() => {
      // The client may not send more before its file is read, such as while a picture waits for its turn.
      if (payload.isPaused()) silence.refresh();
      else payload.destroy(new Error('nothing more has come'));
    }, this.longestSilence);
    this.silence = silence;
    payload.on('data', () => silence.refresh());
    return new Promise((resolve, reject) => {
      const whole = parseMultipart(payload, {
        contentType: headers.contentType,
        limit: bodyLimit,
        fieldLimit: OVERHEAD,
        fileLimit: 1,
        onTooManyFiles: () => new DomainError(notOne ?? 'TOO_MANY_FILES'),
        onFile: (_name, file, info) => resolve(incoming(file, info, whole)),
      });
      whole.then(() => reject(new DomainError(notOne ?? 'FILE_MISSING')), reject).finally(() => clearTimeout(silence));
    });
  }

  /** The request is answered: nobody waits for the rest of its body, which may never be read. */
  answered(): void {
    if (this.silence) clearTimeout(this.silence);
  }
}

function incoming(file: Readable, { fileName, contentType }: FileInfo, whole: Promise<ParameterBag>): IncomingFile {
  whole.catch((error: Error) => file.destroy(error));
  file.on('error', () => {});
  // Browsers encode a quotation mark this way, as HTML requires, and no other character.
  return { name: fileName.replaceAll('%22', '"'), contentType, content: contentOf(file, whole), fields: () => whole };
}

async function* contentOf(file: Readable, whole: Promise<unknown>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of file.iterator({ destroyOnReturn: false })) yield chunk;
    await whole;
  } catch (error) {
    // The body has failed, too, with the refusal that says so: the file's own error is the parser's.
    await whole;
    throw error;
  } finally {
    // Discards the rest if the reader stops early.
    file.resume();
  }
}

/**
 * `upload(@Streamed() body: StreamedBody)`, on a route with `@StreamsBody()`. Takes the code of the refusal of a request
 * without files, default FILE_MISSING.
 *
 * @throws DomainError
 */
export const Streamed = createParamDecorator(
  (missing: RefusalCode | undefined, context: ExecutionContext): StreamedBody => {
    const http = context.switchToHttp();
    const { body } = http.getRequest<FastifyRequest>();
    if (!(body instanceof StreamedBody)) throw new DomainError(missing ?? 'FILE_MISSING');
    http.getResponse<FastifyReply>().raw.once('close', () => body.answered());
    return body;
  },
);
