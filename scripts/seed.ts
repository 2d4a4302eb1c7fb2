import type { Credentials } from '../src/app/config/owner-credentials.js';
import { type Ask, asking } from './api-client.js';

const PASSWORD = 'annals-dev-password';
const USERS = ['Iris', 'Tess', 'Hamlet'];
const CHANNELS = { general: 'For everybody', design: 'How it looks', engineering: 'How it works' };
const MESSAGES = [
  ['Iris', 'general', 'welcome', 'Hello, **everybody** :wave:'],
  ['Tess', 'general', 'welcome', 'Hello @**Iris**, see #**design**.'],
  ['Hamlet', 'design', 'colours', 'To be `#ffffff`, or not to be?'],
  ['Iris', 'design', 'colours', '> To be `#ffffff`, or not to be?\n\nNot.'],
  ['Tess', 'engineering', 'releases', '1. Build\n2. Test\n3. Release'],
] as const;

/** Fills an empty organization with a few users, channels and messages, over its API. */
export async function seed({ site, email, key }: Credentials): Promise<void> {
  const owner = asking(site, email, key);
  const people = await Promise.all(USERS.map((name) => account(site, owner, name)));
  const principals = [...USERS.map(addressOf), email];
  for (const [name, description] of Object.entries(CHANNELS))
    await owner('POST', '/users/me/subscriptions', {
      subscriptions: [{ name, description }],
      principals,
    });
  for (const [name, to, topic, content] of MESSAGES) {
    const ask = people.find((person) => person.name === name)?.ask ?? owner;
    await ask('POST', '/messages', { type: 'channel', to, topic, content });
  }
  console.log(`Users, with the password ${PASSWORD}: ${USERS.map(addressOf).join(', ')}`);
}

const addressOf = (name: string): string => `${name.toLowerCase()}@example.com`;

async function account(site: string, owner: Ask, name: string) {
  const email = addressOf(name);
  await owner('POST', '/users', { email, full_name: name, password: PASSWORD });
  const { api_key } = await owner('POST', '/fetch_api_key', { username: email, password: PASSWORD });
  return { name, ask: asking(site, email, String(api_key)) };
}
