import { effect } from '@preact/signals';
import { settings } from './store.js';

/** By the number of the setting; the first is the device's. */
const SCHEMES = ['', 'dark', 'light'];

/** Light or dark, as one has chosen. */
export function followAppearance(): void {
  effect(() => {
    document.documentElement.dataset.scheme = SCHEMES[(settings.value?.color_scheme ?? 1) - 1] ?? '';
  });
}
