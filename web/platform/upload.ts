import { Refused, refusalOf } from './api.js';

interface Stored {
  /** Its address at this server. */
  readonly url: string;
  readonly filename: string;
}

/** Stores a file. Unlike `fetch`, this tells how far it is, as a part of 1. @throws Refused */
export function upload(file: File, onProgress: (part: number) => void, stop: AbortSignal): Promise<Stored> {
  return new Promise((resolve, reject) => {
    const asked = new XMLHttpRequest();
    asked.open('POST', '/api/v1/user_uploads');
    asked.upload.addEventListener('progress', ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    asked.addEventListener('load', () =>
      asked.status === 200
        ? resolve(JSON.parse(asked.responseText))
        : reject(refusalOf(asked.status, asked.responseText)),
    );
    asked.addEventListener('error', () =>
      reject(new Refused('The server cannot be reached. Try again in a moment.', 0)),
    );
    asked.addEventListener('abort', () => reject(new Refused('It is not attached', 0)));
    stop.addEventListener('abort', () => asked.abort());
    const body = new FormData();
    body.append('file', file);
    asked.send(body);
  });
}
