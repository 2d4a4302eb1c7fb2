import { API_PREFIX } from '../api-prefix.js';

const API = `/${API_PREFIX}`;

/** The paths that pages of other origins may ask: the API, and what features add. */
export class CrossOriginPaths {
  private readonly further: readonly string[];

  /** @param further first parts of paths outside the API, such as `/user_uploads` */
  constructor(further: Iterable<string> = []) {
    this.further = [...further];
  }

  has(url: string): boolean {
    return isBelow(API, url) || this.hasOutsideApi(url);
  }

  hasOutsideApi(url: string): boolean {
    return this.further.some((prefix) => isBelow(prefix, url));
  }
}

function isBelow(prefix: string, url: string): boolean {
  if (!url.startsWith(prefix)) return false;
  const next = url[prefix.length];
  return next === undefined || next === '/' || next === '?';
}
