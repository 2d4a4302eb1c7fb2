import { sha256Of } from '../../../platform/kernel/sha256.js';
import { problemOfUrl } from '../../../platform/outgoing/outgoing-requests.js';

/** A picture on another site. */
export interface RemoteSource {
  /** Without a fragment. */
  readonly url: string;
  readonly host: string;
  /** The name of its files in the cache. */
  readonly key: string;
}

/** null: the server can fetch nothing from there, whatever the settings. */
export function remoteSource(text: string): RemoteSource | null {
  if (problemOfUrl(text) !== null) return null;
  const url = new URL(text);
  url.hash = '';
  return { url: url.href, host: url.hostname, key: sha256Of(url.href) };
}
