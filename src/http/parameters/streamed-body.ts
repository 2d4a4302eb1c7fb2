import type { Readable } from 'node:stream';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { DomainError, refuse } from '../../kernel/domain-error.js';
import { type FileAbout, parseMultipart } from './multipart.js';

/** A file as it comes in. */
export interface IncomingFile {
  readonly name: string;
  readonly contentType: string;
  /** Ends when the whole body has come and was one file; throws where it is not. Is read once, to its end or not at all. */
  readonly content: AsyncIterable<Uint8Array>;
}

/** Beside the file: boundaries, headers, and the parts that are none. */
const BESIDES = 1024 * 1024;

/** The route's multipart body is not read before its handler asks for it: whoever may not send it is told so first. */
export const StreamsBody = (): MethodDecorator => RouteConfig({ streamsBody: true });

export const streamsBody = ({ routeOptions }: FastifyRequest): boolean =>
  'streamsBody' in routeOptions.config && routeOptions.config.streamsBody === true;

/** A multipart body of which nothing has been read yet. */
export class StreamedBody {
  constructor(
    private readonly payload: Readable,
    private readonly contentType: string,
    /** A client that sends nothing for so many milliseconds has gone, though its connection may not have. */
    private readonly longestSilence: number,
  ) {}

  /**
   * Its one file, under whatever name.
   * @param limit bytes that a file may have: a body that cannot but be longer is refused; the file itself is not counted
   * @throws DomainError FILE_MISSING, MALFORMED_REQUEST
   */
  file(limit: number): Promise<IncomingFile> {
    const { payload, contentType } = this;
    const silence = setTimeout(() => payload.destroy(new Error('nothing more has come')), this.longestSilence);
    payload.on('data', () => silence.refresh());
    return new Promise((resolve, reject) => {
      const whole = parseMultipart(payload, {
        contentType,
        // What is too long for any file is read no further; a file that is a little too long is told its limit.
        limit: 2 * limit + BESIDES,
        fieldLimit: BESIDES,
        fileLimit: 1,
        onTooManyFiles: () => new DomainError('TOO_MANY_FILES'),
        onFile: (_name, file, about) => resolve(incoming(file, about, whole)),
      });
      whole.then(() => reject(new DomainError('FILE_MISSING')), reject).finally(() => clearTimeout(silence));
    });
  }
}

function incoming(file: Readable, { fileName, contentType }: FileAbout, whole: Promise<unknown>): IncomingFile {
  whole.catch((error: Error) => file.destroy(error));
  file.on('error', () => {});
  // HTML has browsers write a quotation mark so, and nothing else.
  return { name: fileName.replaceAll('%22', '"'), contentType, content: contentOf(file, whole) };
}

async function* contentOf(file: Readable, whole: Promise<unknown>): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of file.iterator({ destroyOnReturn: false })) yield chunk;
    await whole;
  } finally {
    // Whoever breaks off leaves the rest to be read by nobody.
    file.resume();
  }
}

/** `upload(@Streamed() body: StreamedBody)`, where the route is one that streams. @throws DomainError FILE_MISSING */
export const Streamed = createParamDecorator((_: unknown, context: ExecutionContext): StreamedBody => {
  const { body } = context.switchToHttp().getRequest<FastifyRequest>();
  return body instanceof StreamedBody ? body : refuse('FILE_MISSING');
});
