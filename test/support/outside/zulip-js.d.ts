declare module 'zulip-js' {
  type Answer = Record<string, unknown> & { result: string; msg: string };
  interface Client {
    callEndpoint(path: string, method?: string, parameters?: Record<string, unknown>): Promise<Answer>;
    callOnEachEvent(onEvent: (event: Record<string, unknown>) => void, eventTypes?: string[] | null): Promise<void>;
    messages: {
      send(parameters: Record<string, unknown>): Promise<Answer>;
      retrieve(parameters: Record<string, unknown>): Promise<Answer>;
    };
    queues: {
      register(parameters?: Record<string, unknown>): Promise<Answer>;
      deregister(parameters: Record<string, unknown>): Promise<Answer>;
    };
    events: { retrieve(parameters: Record<string, unknown>): Promise<Answer> };
    users: {
      retrieve(parameters?: Record<string, unknown>): Promise<Answer>;
      create(parameters: Record<string, unknown>): Promise<Answer>;
      me: {
        getProfile(): Promise<Answer>;
        subscriptions: { add(parameters: Record<string, unknown>): Promise<Answer> };
      };
    };
    streams: {
      retrieve(): Promise<Answer>;
      getStreamId(name: string): Promise<Answer>;
      subscriptions: { retrieve(): Promise<Answer> };
    };
    server: { settings(): Promise<Answer> };
  }
  export default function zulip(
    config:
      | { zuliprc: string }
      | { username: string; password: string; realm: string }
      | { username: string; apiKey: string; realm: string },
  ): Promise<Client>;
}
