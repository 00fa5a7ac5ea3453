import type { Duplex, Readable } from 'node:stream'
import { createSecureContext } from 'node:tls'
import { Pool, type Dispatcher } from 'undici'
import { z } from 'zod'
import { ContainerEnds } from './container-ends.ts'

export interface EngineSettings {
  /** `unix:///var/run/docker.sock`, `npipe:////./pipe/docker_engine`, or `tcp://10.0.0.5:2376`. */
  address: string
  /** PEM. Null: without TLS, for sockets of this computer only. */
  tls: { ca: string; cert: string; key: string } | null
  /** By its digest or id, so that it stays the same one. */
  image: string
  /** The engine is a manager of a Swarm, on whose nodes containers run; of these certificates. */
  swarm?: { tls: NonNullable<EngineSettings['tls']> }
}

/** What the engine answered to a request it didn't carry out, or why there was no answer (`status` 0). */
export class EngineFault extends Error {
  override name = 'EngineFault'
  readonly status: number
  /** Of the connection, such as `ECONNREFUSED`. */
  readonly code: string

  constructor(status: number, message: string, code = '') {
    super(message)
    this.status = status
    this.code = code
  }
}

/** What we were written for, and the oldest version that has it. */
const VERSION = '1.41'
const ANSWER_MS = 30_000
/** A Swarm tells some 4 kB of each of a thousand servers. */
const ANSWER_BYTES = 32 * 1024 * 1024
const CONNECTIONS = 64

const EngineVersion = z.object({
  Version: z.string().default(''),
  ApiVersion: z.string(),
  MinAPIVersion: z.string().default('1.12'),
})
const EngineInfo = z.object({
  MemoryLimit: z.boolean().default(true),
  CpuCfsQuota: z.boolean().default(true),
  NCPU: z.number().default(1),
  Plugins: z.object({ Log: z.array(z.string()).nullish() }).nullish(),
})
export type EngineInfo = z.output<typeof EngineInfo>

type Query = Record<string, string | number | boolean | undefined>

/** The Docker Engine API, as far as we need it. Everything rejects with EngineFault. */
export class Engine {
  readonly #pool: Pool
  /** Ends with the container or the service, and never shares a connection. */
  readonly #streams: Pool
  readonly ends = new ContainerEnds(this)
  #version: string | null = null

  constructor({ address, tls }: Pick<EngineSettings, 'address' | 'tls'>) {
    const url = new URL(address)
    const isSocket = url.protocol !== 'tcp:'
    const connect = isSocket
      ? { socketPath: socketOf(url) }
      : // One for all connections: each of its own would take some 200 kB.
        { ...(tls && { secureContext: createSecureContext(tls) }), rejectUnauthorized: true }
    const origin = isSocket ? 'http://engine' : `${tls ? 'https' : 'http'}://${url.host}`
    this.#pool = new Pool(origin, { connect, connections: CONNECTIONS })
    this.#streams = new Pool(origin, { connect, connections: null, headersTimeout: 0, bodyTimeout: 0 })
  }

  async get<T>(path: string, shape: z.ZodType<T>, query: Query = {}): Promise<T> {
    const answer = await this.#send('GET', path, query)
    const read = shape.safeParse(answer)
    if (!read.success) throw new EngineFault(0, `its answer to ${path} can't be read`)
    return read.data
  }

  async post(path: string, query: Query = {}, body?: unknown): Promise<unknown> {
    return this.#send('POST', path, query, body)
  }

  /** What is gone already is fine. */
  async delete(path: string, query: Query = {}): Promise<void> {
    await this.#send('DELETE', path, query).catch((error: unknown) => {
      if (!(error instanceof EngineFault && error.status === 404)) throw error
    })
  }

  info(): Promise<EngineInfo> {
    return this.get('/info', EngineInfo)
  }

  /** The body of an endless answer. */
  async stream(
    path: string,
    query: Query,
    signal: AbortSignal,
    method: 'GET' | 'POST' = 'GET',
  ): Promise<Readable> {
    const full = await this.#path(path, query)
    // An engine begins to answer at once, but for a stop, which takes as long as its program.
    const headersTimeout = method === 'GET' ? ANSWER_MS : 0
    const answer = await ofEngine(this.#streams.request({ method, path: full, signal, headersTimeout }))
    if (answer.statusCode >= 400) throw await faultOf(answer)
    // Whoever reads it is told; others need not be.
    return answer.body.on('error', () => undefined)
  }

  /** A connection to the program's input. */
  async attach(containerId: string, signal: AbortSignal): Promise<Duplex> {
    const path = await this.#path(`/containers/${containerId}/attach`, { stream: true, stdin: true })
    // Without a body: some engines hand it to the program.
    const { socket } = await ofEngine(
      this.#streams.upgrade({ path, method: 'POST', protocol: 'tcp', signal }),
    )
    // We only write. What the engine sends would fill the connection.
    socket.on('error', () => undefined).resume()
    return socket
  }

  async close(): Promise<void> {
    this.ends.close()
    await Promise.all([this.#pool.destroy(), this.#streams.destroy()])
  }

  async #path(path: string, query: Query): Promise<string> {
    this.#version ??= await this.#negotiated()
    return `/v${this.#version}${path}${queryOf(query)}`
  }

  async #negotiated(): Promise<string> {
    const { ApiVersion, MinAPIVersion } = EngineVersion.parse(await this.#answer('GET', '/version'))
    if (!isAtLeast(ApiVersion, VERSION))
      throw new EngineFault(0, `it is too old: its API is ${ApiVersion}, and ${VERSION} is needed`)
    return isAtLeast(VERSION, MinAPIVersion) ? VERSION : MinAPIVersion
  }

  async #send(method: Dispatcher.HttpMethod, path: string, query: Query, body?: unknown): Promise<unknown> {
    return this.#answer(method, await this.#path(path, query), body)
  }

  async #answer(method: Dispatcher.HttpMethod, path: string, body?: unknown): Promise<unknown> {
    const signal = AbortSignal.timeout(ANSWER_MS)
    const answer = await ofEngine(
      this.#pool.request({
        ...{ method, path, signal },
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      }),
    )
    if (answer.statusCode >= 400) throw await faultOf(answer)
    const text = await textOf(answer)
    try {
      // Podman says OK where Docker says nothing.
      return ['', 'OK'].includes(text.trim()) ? null : JSON.parse(text)
    } catch {
      throw new EngineFault(0, `its answer to ${path} is no JSON`)
    }
  }
}

const socketOf = (url: URL): string =>
  url.protocol === 'npipe:'
    ? decodeURIComponent(url.pathname).replaceAll('/', '\\')
    : decodeURIComponent(url.pathname)

function queryOf(query: Query): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined)
  if (entries.length === 0) return ''
  return `?${new URLSearchParams(entries.map(([key, value]) => [key, String(value)])).toString()}`
}

function isAtLeast(version: string, least: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [leastMajor = 0, leastMinor = 0] = least.split('.').map(Number)
  return major > leastMajor || (major === leastMajor && minor >= leastMinor)
}

async function ofEngine<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw new EngineFault(0, message, code)
  }
}

async function faultOf(answer: Dispatcher.ResponseData): Promise<EngineFault> {
  const text = await textOf(answer).catch(() => '')
  const said = /"message"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1]
  return new EngineFault(answer.statusCode, said ? String(JSON.parse(said)) : text.slice(0, 500).trim())
}

async function textOf({ body }: Dispatcher.ResponseData): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > ANSWER_BYTES) throw new EngineFault(0, 'its answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
