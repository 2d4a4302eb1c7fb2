import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import type { Member } from '../servers/annals.js';
import { type Answer, ask, fileOf } from './uploads.js';

/** Sends pictures to an endpoint as clients do. @param path with its leading slash */
export function sendPictures(
  url: string,
  who: Pick<Member, 'email' | 'apiKey'>,
  path: string,
  ...pictures: readonly Buffer[]
): Promise<Answer> {
  const body = new FormData();
  for (const picture of pictures) body.append('filename', fileOf(picture, 'picture'));
  return ask(url, `/api/v1${path}`, who, { method: 'POST', body });
}

/** An upload whose client has sent all but the end of the picture. */
export class SlowPicture {
  private constructor(
    private readonly sending: ClientRequest,
    private readonly rest: Buffer,
  ) {}

  /** Resolves when the server has got the beginning. */
  static async begin(
    url: string,
    { email, apiKey }: Pick<Member, 'email' | 'apiKey'>,
    path: string,
    picture: Buffer,
  ): Promise<SlowPicture> {
    const boundary = 'the-boundary';
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.png"\r\n\r\n`;
    const body = Buffer.concat([Buffer.from(head), picture, Buffer.from(`\r\n--${boundary}--\r\n`)]);
    const sending = request(`${url}/api/v1${path}`, {
      method: 'POST',
      auth: `${email}:${apiKey}`,
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}`, 'Content-Length': body.length },
    });
    const sent = body.subarray(0, head.length + picture.length - 20);
    await new Promise<unknown>((resolve) => sending.write(sent, resolve));
    return new SlowPicture(sending, body.subarray(sent.length));
  }

  /** Sends the rest. @returns the status of the answer */
  async finish(): Promise<number> {
    this.sending.end(this.rest);
    const [response] = (await once(this.sending, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  }
}
