import type { Signal } from '@preact/signals';
import { wordsOf } from '../deed.js';
import { upload } from '../upload.js';

export interface Upload {
  readonly name: string;
  /** A part of 1. */
  readonly done: number;
  /** Why the server does not take it; empty: it is under way. */
  readonly problem: string;
  /** Ends it, or forgets that it was refused. */
  stop(): void;
}

/** What is being written, and its files that are on their way. */
export interface Written {
  readonly content: Signal<string>;
  readonly uploads: Signal<readonly Upload[]>;
}

/** A link to a file that comes later would be in another message. */
export const isUploading = ({ uploads }: Written): boolean => uploads.value.some(({ problem }) => problem === '');

/** Attaches a file: its link is added to the message once it is stored. */
export async function attach({ content, uploads }: Written, file: File): Promise<void> {
  const stopped = new AbortController();
  let mine: Upload = {
    ...{ name: file.name, done: 0, problem: '' },
    stop() {
      stopped.abort();
      put(null);
    },
  };
  const put = (next: Upload | null) => {
    uploads.value = uploads.value.flatMap((one) => (one !== mine ? [one] : next ? [next] : []));
    mine = next ?? mine;
  };
  uploads.value = [...uploads.value, mine];
  try {
    const { url, filename } = await upload(file, (done) => put({ ...mine, done }), stopped.signal);
    put(null);
    const separator = content.value === '' || /\s$/.test(content.value) ? '' : ' ';
    content.value = `${content.value}${separator}[${filename.replace(/[[\]]/g, '')}](${url}) `;
  } catch (error) {
    if (!stopped.signal.aborted) put({ ...mine, problem: wordsOf(error) });
  }
}
