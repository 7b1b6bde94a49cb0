// SPDX-License-Identifier: Apache-2.0
// The live connection: one WebSocket that is opened again whenever it closes, the topics that the page
// wants at the moment, services, parameters and published messages. Messages are handed over as bytes
// with a reader, so that only what is shown costs decoding.
import {
  FoxgloveClient,
  type Channel,
  type IWebSocket,
  type MessageData,
  type ParameterValue,
  type ServerInfo,
  type Service,
  type SubscriptionId,
} from "@foxglove/ws-protocol";
import { createReader, createWriter } from "./decode";
import type { ServiceAnswer } from "./messages";

const kFirstRetryMs = 250;
const kLongestRetryMs = 2000;
const kAnswerWithinMs = 10000;

// One message of a topic, not decoded yet.
export interface Incoming {
  topic: string;
  stamp_ns: bigint;
  read(): unknown;
}

export interface Topic {
  name: string;
  type: string; // "sensor_msgs/msg/Image"
}

export interface ConnectionEvents {
  onOpen(info: ServerInfo, is_new_session: boolean): void;
  onLost(): void;
  onTopics(topics: Topic[]): void;
  onMessage(message: Incoming): void;
  onParameter(name: string, value: ParameterValue): void;
  onNotice(text: string): void;
}

interface OpenChannel {
  channel: Channel;
  subscription?: SubscriptionId;
  reader?: (bytes: ArrayBufferView) => unknown;
}

interface Pending {
  resolve(answer: ServiceAnswer): void;
  reject(reason: Error): void;
  read(bytes: ArrayBufferView): unknown;
  timer: number;
}

export class Connection {
  private client: FoxgloveClient | undefined;
  private session: string | undefined;
  private retry_ms = kFirstRetryMs;
  private wanted = new Set<string>();
  private channels = new Map<string, OpenChannel>();
  private by_subscription = new Map<SubscriptionId, OpenChannel>();
  private services = new Map<string, Service>();
  private pending = new Map<number, Pending>();
  private next_call = 1;
  private published = new Map<string, { id: number; write: (message: unknown) => Uint8Array }>();

  constructor(
    private readonly url: string,
    private readonly parameters: string[],
    private readonly events: ConnectionEvents,
  ) {
    this.open();
  }

  // The topics to receive from now on; those that do not exist (yet) are ignored (until they do).
  want(topics: Iterable<string>): void {
    this.wanted = new Set(topics);
    this.subscribeAsWanted();
  }

  async call(name: string, request: object): Promise<ServiceAnswer> {
    const service = this.services.get(name);
    if (!this.client || !service) throw new Error(`${name} is not offered`);
    const write = createWriter(service.request?.schema ?? service.requestSchema ?? "");
    const read = createReader(service.response?.schema ?? service.responseSchema ?? "");
    const call_id = this.next_call++;
    const answer = new Promise<ServiceAnswer>((resolve, reject) => {
      const timer = window.setTimeout(
        () => this.fail(call_id, `${name} did not answer`),
        kAnswerWithinMs,
      );
      this.pending.set(call_id, { resolve, reject, read, timer });
    });
    this.client.sendServiceCallRequest({
      serviceId: service.id,
      callId: call_id,
      encoding: "cdr",
      data: write(request),
    });
    return answer;
  }

  setParameter(name: string, value: number): void {
    this.client?.setParameters([{ name, value, type: "float64" }], `set ${name}`);
  }

  publish(topic: string, schema_name: string, schema: string, message: object): void {
    if (!this.client) return;
    let channel = this.published.get(topic);
    if (!channel) {
      const id = this.client.advertise({
        topic,
        encoding: "cdr",
        schemaName: schema_name,
        schema,
        schemaEncoding: "ros2msg",
      });
      channel = { id, write: createWriter(schema) };
      this.published.set(topic, channel);
    }
    this.client.sendMessage(channel.id, channel.write(message));
  }

  private open(): void {
    const socket = new WebSocket(this.url, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]);
    // The same thing; the types differ about shared memory, which nobody sends.
    const client = new FoxgloveClient({ ws: socket as unknown as IWebSocket });
    client.on("serverInfo", (info) => this.greet(client, info));
    client.on("advertise", (channels) => this.addChannels(channels));
    client.on("unadvertise", (ids) => this.removeChannels(new Set(ids)));
    client.on("advertiseServices", (services) => {
      for (const service of services) this.services.set(service.name, service);
    });
    client.on("message", (message) => this.receive(message));
    client.on("parameterValues", ({ parameters }) => {
      for (const { name, value } of parameters) this.events.onParameter(name, value);
    });
    client.on("serviceCallResponse", ({ callId, data }) => this.answer(callId, data));
    client.on("serviceCallFailure", ({ callId, message }) => this.fail(callId, message));
    client.on("status", ({ level, message }) => {
      if (level > 0) this.events.onNotice(message);
    });
    client.on("error", () => undefined); // a close follows
    client.on("close", () => this.lose());
  }

  private greet(client: FoxgloveClient, info: ServerInfo): void {
    this.client = client;
    this.retry_ms = kFirstRetryMs;
    const is_new_session = info.sessionId === undefined || info.sessionId !== this.session;
    this.session = info.sessionId;
    if (info.capabilities.includes("parameters")) client.getParameters(this.parameters, "start");
    if (info.capabilities.includes("parametersSubscribe"))
      client.subscribeParameterUpdates(this.parameters);
    this.events.onOpen(info, is_new_session);
  }

  private lose(): void {
    const was_open = this.client !== undefined;
    this.client = undefined;
    this.channels.clear();
    this.by_subscription.clear();
    this.services.clear();
    this.published.clear();
    for (const call_id of [...this.pending.keys()]) this.fail(call_id, "connection lost");
    if (was_open) this.events.onLost();
    window.setTimeout(() => this.open(), this.retry_ms);
    this.retry_ms = Math.min(2 * this.retry_ms, kLongestRetryMs);
  }

  private addChannels(channels: Channel[]): void {
    for (const channel of channels) {
      if (channel.encoding === "cdr") this.channels.set(channel.topic, { channel });
    }
    this.tellTopics();
    this.subscribeAsWanted();
  }

  private removeChannels(ids: Set<number>): void {
    for (const [topic, { channel, subscription }] of this.channels) {
      if (!ids.has(channel.id)) continue;
      if (subscription !== undefined) this.by_subscription.delete(subscription);
      this.channels.delete(topic);
    }
    this.tellTopics();
  }

  private tellTopics(): void {
    this.events.onTopics(
      [...this.channels.values()].map(({ channel }) => ({ name: channel.topic, type: channel.schemaName })),
    );
  }

  private subscribeAsWanted(): void {
    if (!this.client) return;
    for (const [topic, open] of this.channels) {
      const is_wanted = this.wanted.has(topic);
      if (is_wanted && open.subscription === undefined) {
        open.subscription = this.client.subscribe(open.channel.id);
        this.by_subscription.set(open.subscription, open);
      } else if (!is_wanted && open.subscription !== undefined) {
        this.client.unsubscribe(open.subscription);
        this.by_subscription.delete(open.subscription);
        delete open.subscription;
      }
    }
  }

  private receive(message: MessageData): void {
    const open = this.by_subscription.get(message.subscriptionId);
    if (!open) return; // sent before our unsubscribe arrived
    open.reader ??= createReader(open.channel.schema);
    const read = open.reader;
    this.events.onMessage({
      topic: open.channel.topic,
      stamp_ns: message.timestamp,
      read: () => read(message.data),
    });
  }

  private answer(call_id: number, data: ArrayBufferView): void {
    const call = this.pending.get(call_id);
    if (!call) return;
    this.pending.delete(call_id);
    window.clearTimeout(call.timer);
    try {
      call.resolve(call.read(data) as ServiceAnswer);
    } catch (error) {
      call.reject(error as Error);
    }
  }

  private fail(call_id: number, why: string): void {
    const call = this.pending.get(call_id);
    if (!call) return;
    this.pending.delete(call_id);
    window.clearTimeout(call.timer);
    call.reject(new Error(why));
  }
}
