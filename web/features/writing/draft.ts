import { type Signal, signal } from '@preact/signals';
import { wordsOf } from '../../platform/deed.js';
import { upload } from '../../platform/upload.js';

export interface Upload {
  readonly name: string;
  /** A part of 1. */
  readonly done: number;
  /** Why the server does not take it; empty: it is under way. */
  readonly problem: string;
  /** Ends it, or forgets that it was refused. */
  stop(): void;
}

/** What was written at a place and not sent, while the page is open. A file goes on as one leaves the place. */
export interface Draft {
  readonly content: Signal<string>;
  /** The name of the topic, at a channel. */
  readonly topic: Signal<string>;
  readonly uploads: Signal<readonly Upload[]>;
}

export const emptyDraft = (): Draft => ({
  content: signal(''),
  topic: signal(''),
  uploads: signal<readonly Upload[]>([]),
});

/** Attaches a file: its link is added to the message once it is stored. */
export async function attach({ content, uploads }: Draft, file: File): Promise<void> {
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
