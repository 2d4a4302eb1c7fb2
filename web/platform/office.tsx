import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import './office.css';

/** Places of those who keep the organization and its server, by their part of the address. */
export const OFFICES: Readonly<Record<string, string>> = {
  audit: 'History',
  people: 'People',
  channels: 'Channels',
  groups: 'Groups',
  organization: 'Organization',
  why: 'Permissions',
  operate: 'Server',
};

/** Leads to the offices. @param at the one that is open */
export const OfficeLinks = ({ at }: { readonly at?: string }) => (
  <nav class="offices" aria-label="Organization and server">
    <ul>
      {Object.entries(OFFICES).map(([place, name]) => (
        <li key={place}>
          <a href={`#/${place}`} aria-current={place === at ? 'page' : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

interface OfficeProps {
  readonly at: string;
  /** Of a place that is not among the offices; their links do not stand there. */
  readonly name?: string;
  readonly children: ComponentChildren;
}

/** The frame of an office. */
export function Office({ at, name = OFFICES[at] ?? at, children }: OfficeProps) {
  useEffect(() => {
    document.title = name;
  }, [name]);
  return (
    <div class="office">
      <header>
        <h1>{name}</h1>
        <a href="#/">To the beginning</a>
      </header>
      {at in OFFICES && <OfficeLinks at={at} />}
      <main>{children}</main>
    </div>
  );
}

/** What went wrong. It is there from the beginning, so that a screen reader tells what comes into it. */
export const Problem = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="problem" role="alert">
    {children}
  </p>
);
