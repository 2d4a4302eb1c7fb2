import { signal } from '@preact/signals';
import { characterOf } from '../../platform/content.js';
import { follow } from '../../platform/store.js';
import type { Emoji } from './suggestions.js';

/** All that can be written by name; none until they are asked for. */
export const emoji = signal<readonly Emoji[]>([]);

let source = '';
let own: readonly Emoji[] = [];
let isAsked = false;

/** Notes where the names are. */
export function followEmoji(): void {
  follow({
    started({ server_emoji_data_url, realm_emoji }) {
      // The address is the server's own idea of its origin.
      source = new URL(server_emoji_data_url, location.href).pathname;
      own = Object.values(realm_emoji)
        .filter(({ deactivated }) => !deactivated)
        .map(({ name }) => ({ name, character: '' }));
      if (isAsked) void load();
    },
    happened() {},
  });
}

/** Their names are many, and not everybody writes them. */
export function loadEmoji(): void {
  if (isAsked || source === '') return;
  isAsked = true;
  void load();
}

async function load(): Promise<void> {
  try {
    const { code_to_names } = await (await fetch(source)).json();
    const all = Object.entries<readonly string[]>(code_to_names).flatMap(([code, names]) =>
      names.map((name) => ({ name, character: characterOf(code) })),
    );
    emoji.value = [...own, ...all];
  } catch {
    isAsked = false;
  }
}
