/** The methods of each route, which tell a wrong method (405) from an unknown path (404). */
export class RouteMethods {
  private readonly routes = new Map<string, { readonly pattern: RegExp; readonly methods: Set<string> }>();

  add(url: string, methods: readonly string[]): void {
    const route = this.routes.get(url) ?? { pattern: patternOf(url), methods: new Set<string>() };
    for (const method of methods) route.methods.add(method);
    this.routes.set(url, route);
  }

  /**
   * The path's methods, sorted; empty for an unknown path. A route with this very path hides those with a parameter there.
   * @param path without its query string
   */
  allowed(path: string): string[] {
    const literal = this.ofLiteral(path);
    if (literal.length > 0) return literal;
    const methods = new Set<string>();
    for (const route of this.routes.values()) {
      if (route.pattern.test(path)) for (const method of route.methods) methods.add(method);
    }
    return [...methods].sort();
  }

  /** The methods of the route that has this very path, without parameters; empty if there is none. */
  ofLiteral(path: string): string[] {
    return [...(this.routes.get(path)?.methods ?? [])].sort();
  }
}

function patternOf(url: string): RegExp {
  const segments = url.split('/').map((segment) => {
    if (segment.startsWith(':')) return '[^/]+';
    return segment.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  });
  return new RegExp(`^${segments.join('/')}$`);
}
