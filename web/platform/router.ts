import { computed, signal } from '@preact/signals';

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

/** The parts of the place in the page, decoded: `#/channels/7` is `['channels', '7']`. No server sees it. */
export const route = computed((): readonly string[] =>
  hash.value
    .replace(/^#\/?/, '')
    .replace(/\?.*$/s, '')
    .split('/')
    .filter((part) => part !== '')
    .map(decoded),
);

/** What is asked at the place: `#/audit?actor=7` has an `actor`. */
export const question = computed(() => new URLSearchParams(hash.value.replace(/^[^?]*/, '')));

/** A person can type anything. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
