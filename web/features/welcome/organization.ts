import { signal } from '@preact/signals';
import { get } from '../../platform/api.js';
import { wordsOf } from '../../platform/deed.js';

export interface Organization {
  readonly name: string;
  /** A URL of this server; empty: it has none. */
  readonly icon: string;
  readonly description: string;
}

/** null: it is being asked for. */
export const organization = signal<Organization | null>(null);
export const problem = signal('');

export async function loadOrganization(): Promise<void> {
  problem.value = '';
  try {
    const {
      realm_name: name = '',
      realm_icon: icon = '',
      realm_description: html = '',
    } = await get('/server_settings');
    organization.value = { name, icon: isOwn(icon) ? icon : '', description: textOf(html) };
    document.title = name;
  } catch (error) {
    problem.value = wordsOf(error);
  }
}

/** The words of HTML. A parsed document loads and runs nothing. */
const textOf = (html: string): string => new DOMParser().parseFromString(html, 'text/html').body.textContent.trim();

/** Without an icon of its own, the organization has one of another site, which the policy of the page does not load. */
const isOwn = (url: string): boolean => new URL(url, location.href).origin === location.origin;
