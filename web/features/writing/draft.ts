import { type Signal, signal } from '@preact/signals';
import type { Upload, Written } from '../../platform/message-form/uploads.js';

/** What was written at a place and not sent, while the page is open. A file goes on as one leaves the place. */
export interface Draft extends Written {
  /** The name of the topic, at a channel. */
  readonly topic: Signal<string>;
}

export const emptyDraft = (): Draft => ({
  content: signal(''),
  topic: signal(''),
  uploads: signal<readonly Upload[]>([]),
});
