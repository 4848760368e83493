import { createParser } from 'eventsource-parser';

/** A dashboard's end of the event stream: reads it, and comes back with the id of the last event that it saw. */
export interface StreamClient {
  /** Names of the events, oldest first. */
  readonly received: string[];
  cut(): void;
  reconnect(): Promise<void>;
  close(): void;
}

export async function openStreamClient(origin: string): Promise<StreamClient> {
  const received: string[] = [];
  let lastId: string | undefined;
  let connection = new AbortController();

  const read = async (response: Response) => {
    const parser = createParser({
      onEvent({ event, id }) {
        received.push(event ?? 'message');
        lastId = id ?? lastId;
      },
    });
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body ?? []) parser.feed(decoder.decode(chunk, { stream: true }));
    } catch {
      // Cut: whoever wants to hear more reconnects.
    }
  };
  const connect = async () => {
    connection = new AbortController();
    const headers: Record<string, string> = lastId === undefined ? {} : { 'last-event-id': lastId };
    const response = await fetch(`${origin}/api/v1/events`, { headers, signal: connection.signal });
    void read(response);
  };
  await connect();
  return {
    received,
    cut() {
      connection.abort();
      received.length = 0;
    },
    reconnect: connect,
    close: () => connection.abort(),
  };
}
