import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

/** Where a control stands in a list. */
interface Spot {
  readonly row: Element;
  readonly list: Element | null;
  readonly index: number;
  readonly section: Element | null;
}

const CONTROLS = 'a[href], button, input, select, textarea';

/** Nobody is thrown to the top of the page when a control goes that has the focus: it goes on in the row, the list or its section. */
export function useKeptFocus(place: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    let had: HTMLElement | null = null;
    let spots: readonly Spot[] = [];
    const note = (one: HTMLElement | null): void => {
      had = one;
      spots = one ? spotsAround(one, current) : [];
    };
    const onFocus = ({ target }: FocusEvent): void => note(target instanceof HTMLElement ? target : null);
    const changed = new MutationObserver(() => {
      if (had?.isConnected) return note(had);
      const next = had && document.activeElement === document.body ? nextAfter(had, spots, current) : null;
      note(null);
      next?.focus();
    });
    current.addEventListener('focusin', onFocus);
    changed.observe(current, { childList: true, subtree: true });
    return () => {
      current.removeEventListener('focusin', onFocus);
      changed.disconnect();
    };
  }, []);
}

/** Lists can be in rows of lists: the inmost is first. */
function spotsAround(one: Element, place: Element): readonly Spot[] {
  const row = one.closest('li');
  if (!row || !place.contains(row)) return [];
  const { parentElement: list } = row;
  const spot = { row, list, index: [...(list?.children ?? [])].indexOf(row), section: row.closest('section') };
  return list ? [spot, ...spotsAround(list, place)] : [spot];
}

function nextAfter(had: HTMLElement, spots: readonly Spot[], place: Element): HTMLElement | null {
  for (const { row, list, index, section } of spots) {
    const next = row.isConnected ? inRow(row, had) : (inList(list, index) ?? inSection(section));
    if (next) return next;
  }
  return spots.length === 0 ? null : inSection(place);
}

/** Something else is in its stead: the same button anew, or what had led to it. */
function inRow(row: Element, had: HTMLElement): HTMLElement | null {
  const buttons = [...row.querySelectorAll('button')];
  return buttons.find(({ textContent }) => textContent === had.textContent) ?? buttons[0] ?? null;
}

function inList(list: Element | null, index: number): HTMLElement | null {
  const rows = list?.isConnected ? [...list.children] : [];
  return rows[Math.min(index, rows.length - 1)]?.querySelector<HTMLElement>(CONTROLS) ?? null;
}

/** The list is empty: its heading says so, or a field fills it. */
function inSection(section: Element | null): HTMLElement | null {
  if (!section?.isConnected) return null;
  const next = section.querySelector<HTMLElement>('h2') ?? section.querySelector('input');
  if (next?.matches('h2')) next.tabIndex = -1;
  return next;
}
