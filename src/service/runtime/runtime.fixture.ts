import { mountConsole } from '../areas/console/routes.ts'
import { mountPower } from '../areas/servers/power.ts'
import { mountCatalog } from '../areas/software/routes.ts'
import { BOUNDS } from '../http/limits/bounds.ts'
import { RequestLimiter } from '../http/limits/request-limiter.ts'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createAdaptorServer } from '@hono/node-server'
import { createParser } from 'eventsource-parser'
import pino from 'pino'
import { servedOperations } from '../../contract/areas/index.ts'
import { gamePorts } from '../../../tests/fixtures/game-ports.ts'
import { findFreePort } from '../base/host.ts'
import { createHono } from '../http/http.ts'
import { InFlight } from '../http/in-flight.ts'
import type { ServiceApp } from '../http/serve.ts'
import type { ServerRow } from '../store/servers.ts'
import { demoSoftware } from '../software/demo/demo.ts'
import { scriptSoftware } from '../software/script-software.ts'
import type { Software } from '../software/software.ts'
import { FLOOD } from '../../../tests/doubles/flood-script.ts'
import { createRuntime } from './runtime.ts'
import type { RuntimeTuning } from './runtime-tuning.ts'
import type { Runtime, ServerSpec } from './types.ts'

/** An event of the stream, parsed. */
export interface StreamEvent {
  event: string
  data: any // eslint-disable-line @typescript-eslint/no-explicit-any -- tests look into answers of any shape
}

/** For tests: a runtime behind a real HTTP listener, with one account that may see everything. */
export class RuntimeFixture {
  readonly runtime: Runtime
  readonly baseUrl: string
  readonly dataDir: string
  readonly #close: () => Promise<void>

  private constructor(runtime: Runtime, baseUrl: string, dataDir: string, close: () => Promise<void>) {
    this.runtime = runtime
    this.baseUrl = baseUrl
    this.dataDir = dataDir
    this.#close = close
  }

  static async open({
    software = [],
    ...options
  }: {
    dataDir: string
    epoch?: number
    software?: readonly Software[]
  } & RuntimeTuning): Promise<RuntimeFixture> {
    const runtime = await createRuntime({
      epoch: 1,
      log: pino({ level: 'silent' }),
      ...options,
      software: [
        ...software,
        ...[demoSoftware(process.execPath), scriptSoftware(process.execPath, FLOOD)].filter(
          (kind) => kind !== null,
        ),
      ],
    })
    const app: ServiceApp = {
      handlers: new Map(),
      log: pino({ level: 'silent' }),
      gates: new RequestLimiter(BOUNDS, () => performance.now()),
      phase: () => 'running',
      authenticate: () => ({ accountId: 'me', tokenHash: '' }),
      askSecondFactor: async () => {},
      below: new Map([
        ['files.upload', { answer: () => Promise.reject(new Error('not here')), options: {} }],
      ]),
      access: { byId: (id) => ({ id }) as ServerRow, held: () => 'owner', isGoing: () => false },
      inFlight: new InFlight(),
      wrote: ({ op, serverId, by }) => runtime.tellChanged(serverId, op.stale, by.tokenHash),
    }
    mountPower(app, runtime)
    mountConsole(app, runtime)
    mountCatalog(app, runtime, null)
    for (const op of servedOperations)
      if (!app.handlers.has(op.id)) app.handlers.set(op.id, () => Promise.reject(new Error('not here')))
    // As the service's own: a connection that is closed in the moment it is used again fails a test on a busy machine.
    const serverOptions = { keepAliveTimeout: 60_000 }
    const server = createAdaptorServer({ fetch: createHono(app).fetch, serverOptions })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return new RuntimeFixture(runtime, `http://127.0.0.1:${port}/api/v1`, options.dataDir, async () => {
      await runtime.close(true)
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
  }

  /** Adds a flood server, or another one. */
  async add(id: string, more: Partial<ServerSpec> = {}): Promise<ServerSpec> {
    const spec = {
      id,
      name: `Server ${id}`,
      folder: join(this.dataDir, 'servers', id),
      software: { id: 'flood', version: '1' },
      memoryMb: 512,
      port: await freePort(),
      host: '127.0.0.1',
      ...more,
    }
    this.runtime.add(spec)
    return spec
  }

  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- as above
  async call(method: string, path: string, body?: unknown): Promise<{ status: number; body: any }> {
    const answer = await fetch(this.baseUrl + path, {
      method,
      headers: { Authorization: 'Bearer x', ...(body ? { 'Content-Type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : undefined,
    })
    const text = await answer.text()
    return { status: answer.status, body: text ? JSON.parse(text) : undefined }
  }

  power = (id: string, action: string) => this.call('POST', `/servers/power/${id}`, { action })
  command = (id: string, command: string) => this.call('POST', `/servers/command/${id}`, { command })

  /** As `power`, for what has to be taken: after a refusal nobody needs to wait for what follows. */
  order = async (id: string, action: string): Promise<void> => taken(await this.power(id, action))
  /** As `command`, for what has to be taken. */
  type = async (id: string, command: string): Promise<void> => taken(await this.command(id, command))

  /** Opens the event stream. Leaving the loop closes it. */
  async *events(query: Record<string, string>): AsyncGenerator<StreamEvent> {
    const abort = new AbortController()
    const url = `${this.baseUrl}/servers/events?${new URLSearchParams(query)}`
    const answer = await fetch(url, { headers: { Authorization: 'Bearer x' }, signal: abort.signal })
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
    const waiting: StreamEvent[] = []
    const parser = createParser({
      onEvent: ({ event, data }) => waiting.push({ event: event ?? '', data: JSON.parse(data) }),
    })
    const decoder = new TextDecoder()
    try {
      for await (const chunk of answer.body!) {
        parser.feed(decoder.decode(chunk, { stream: true }))
        yield* waiting.splice(0)
      }
    } finally {
      abort.abort()
    }
  }

  /** Reads the stream of one server until a status arrives. */
  async until(id: string, status: string): Promise<void> {
    for await (const { event, data } of this.events({ servers: id }))
      if (event === 'status' && data.status.status === status) return
    throw new Error('The stream ended')
  }

  /** Reads the console, from its beginning on, until a line matches; answers it. */
  async line(
    id: string,
    pattern: RegExp,
    after = '1-0',
  ): Promise<{ id: string; text: string; source?: string }> {
    for await (const { event, data } of this.events({ servers: id, after: `${id}:${after}` }))
      if (event === 'lines') for (const line of data.lines) if (pattern.test(line.text)) return line
    throw new Error('The stream ended')
  }

  close(): Promise<void> {
    return this.#close()
  }
}

function taken({ status, body }: { status: number; body: unknown }): void {
  if (status !== 202) throw new Error(`It was not taken: ${status} ${JSON.stringify(body)}`)
}

/** Ports given out in this worker. */
const given = new Set<number>()

/** A port for a game server that no other test takes meanwhile. */
export async function freePort(): Promise<number> {
  const port = await findFreePort('127.0.0.1', given, gamePorts())
  if (port === null) throw new Error('No port is free')
  given.add(port)
  return port
}

/** A temporary folder, and how to remove it. */
export async function tempFolder(): Promise<{ path: string; remove: () => Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'wheelhouse-runtime-'))
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) }
}
