import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useKeptFocus } from './kept-focus.js';
import { useMayAudit } from './may-audit.js';
import { isAdministrator } from './roles.js';
import { me } from './session.js';
import { useTitle } from './title.js';
import './office.css';

/** Places of those who keep the organization and its server, by their part of the address. */
const OFFICES: Readonly<Record<string, string>> = {
  audit: 'History',
  people: 'People',
  channels: 'Channels',
  groups: 'Groups',
  organization: 'Organization',
  why: 'Permissions',
  operate: 'Server',
};

/** Leads to the offices that do not refuse who is signed in. @param at the one that is open */
export function OfficeLinks({ at }: { readonly at?: string }) {
  const audits = useMayAudit();
  const isAdministrating = me.value !== null && isAdministrator(me.value);
  const isOffered = (place: string): boolean => {
    if (place === 'audit') return audits;
    if (place === 'operate') return audits || isAdministrating;
    return place !== 'why' || isAdministrating;
  };
  const offered = Object.entries(OFFICES).filter(([place]) => isOffered(place));
  return (
    <nav class="offices" aria-label="Organization and server">
      <ul>
        {offered.map(([place, name]) => (
          <li key={place}>
            <a href={`#/${place}`} aria-current={place === at ? 'page' : undefined}>
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface OfficeProps {
  readonly at: string;
  /** Of a place that is not among the offices; their links do not stand there. */
  readonly name?: string;
  readonly children: ComponentChildren;
}

/** The frame of an office. */
export function Office({ at, name = OFFICES[at] ?? at, children }: OfficeProps) {
  const main = useRef<HTMLElement>(null);
  useKeptFocus(main);
  useTitle(name);
  return (
    <div class="office">
      <header>
        <h1>{name}</h1>
        <a href="#/">To the beginning</a>
      </header>
      {at in OFFICES && <OfficeLinks at={at} />}
      <main ref={main}>{children}</main>
    </div>
  );
}

/** What went wrong. It is there from the beginning, so that a screen reader tells what comes into it. */
export const Problem = ({ children }: { readonly children: ComponentChildren }) => (
  <p class="problem" role="alert">
    {children}
  </p>
);
