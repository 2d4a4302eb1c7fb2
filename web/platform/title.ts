import { useEffect } from 'preact/hooks';

/** Names the page while something is shown. */
export function useTitle(name: string): void {
  useEffect(() => {
    document.title = name;
  }, [name]);
}
