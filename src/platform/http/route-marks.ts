import type { ExecutionContext } from '@nestjs/common';
import { SetMetadata } from '@nestjs/common';
import { Reflector } from '@nestjs/core';

type Marked = ReturnType<ExecutionContext['getHandler']> | ReturnType<ExecutionContext['getClass']>;

/** A mark that decorators set on routes, or on all routes of a controller. Looked up once a route: a look-up is slow. */
export class RouteMark<T> {
  private readonly reflector = new Reflector();
  /** By controller, then by its method. undefined: the route has no mark. */
  private readonly known = new WeakMap<Marked, Map<Marked, T | undefined>>();

  /** @param key that of Nest's `SetMetadata` */
  constructor(private readonly key: string) {}

  of(context: ExecutionContext): T | undefined {
    const [method, controller] = [context.getHandler(), context.getClass()];
    const marks = this.known.get(controller) ?? new Map<Marked, T | undefined>();
    if (marks.has(method)) return marks.get(method);
    const mark = this.reflector.getAllAndOverride<T | undefined>(this.key, [method, controller]);
    this.known.set(controller, marks.set(method, mark));
    return mark;
  }
}

export const PUBLIC = 'http:public';

/** Marks a route that needs no credentials, and ignores wrong ones. */
export const Public = (): MethodDecorator & ClassDecorator => SetMetadata(PUBLIC, true);

export const isPublic = new RouteMark<boolean>(PUBLIC);

/** `too`: besides all others. `alone`: nobody else, and the API key is the parameter `api_key` in the query. */
export type WebhookBots = 'too' | 'alone';

const WEBHOOK_BOTS = 'http:webhook-bots';

/** Marks a route that bots which are incoming webhooks may call. Their keys are in URLs, so they open nothing else. */
export const ForWebhookBots = (who: WebhookBots): MethodDecorator => SetMetadata(WEBHOOK_BOTS, who);

export const webhookBots = new RouteMark<WebhookBots>(WEBHOOK_BOTS);
