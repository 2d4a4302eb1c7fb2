import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { loadOrganization, organization, problem } from './organization.js';

/** Says which organization this is, and with which clients people and programs use it. */
export function Welcome({ children }: { readonly children: ComponentChildren }) {
  useEffect(() => void loadOrganization(), []);
  const { name = '', icon = '', description = '' } = organization.value ?? {};
  return (
    <>
      <header>
        {icon && <img src={icon} alt="" width="48" height="48" />}
        <h1>{name || 'Annals'}</h1>
      </header>
      <main>
        {problem.value && (
          <p class="problem" role="alert">
            {problem}{' '}
            <button type="button" onClick={loadOrganization}>
              Try again
            </button>
          </p>
        )}
        {description && <p class="description">{description}</p>}
        {children}
        <Clients />
      </main>
      <footer>
        <p>Annals, a messaging server whose log is the truth</p>
      </footer>
    </>
  );
}

const Clients = () => (
  <section aria-labelledby="clients">
    <h2 id="clients">Clients of this server</h2>
    <p>
      The address of this server is <code>{location.origin}</code>. With it you can use:
    </p>
    <ul>
      <li>
        <a href="https://github.com/zulip/zulip-terminal">Zulip Terminal</a>, to read and write in a terminal
      </li>
      <li>
        <a href="https://pypi.org/project/zulip/">zulip</a>, for programs and bots in Python
      </li>
      <li>
        <a href="https://www.npmjs.com/package/zulip-js">zulip-js</a>, for programs and bots in JavaScript
      </li>
      <li>
        <a href="/api/docs">the API itself</a>, for everything else
      </li>
    </ul>
  </section>
);
