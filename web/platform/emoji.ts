import { signal } from '@preact/signals';
import { allEmoji, type Emoji, type OwnByCode } from './state/emoji.js';
import { follow } from './store.js';

/** All that can be written by name; none until they are asked for. */
export const emoji = signal<readonly Emoji[]>([]);
/** The organization's own by their codes; those that may be used no longer are shown where they were. */
export const ownEmoji = signal<OwnByCode>({});

let source = '';
let isAsked = false;

/** Notes where the names are, and the organization's own. */
export function followEmoji(): void {
  follow({
    started({ server_emoji_data_url, realm_emoji }) {
      // The address is the server's own idea of its origin.
      source = new URL(server_emoji_data_url, location.href).pathname;
      takeOwn(realm_emoji);
    },
    happened(event) {
      if (event.type === 'realm_emoji') takeOwn(event.realm_emoji);
    },
  });
}

function takeOwn(own: OwnByCode): void {
  ownEmoji.value = own;
  if (isAsked) void load();
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
    emoji.value = allEmoji(ownEmoji.value, code_to_names);
  } catch {
    isAsked = false;
  }
}
