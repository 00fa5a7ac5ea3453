import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** What a program says once it is ready. */
const READY = '[00:00:00 INFO]: Done (0.1s)! For help, type "help"'
const KILLED = 137

interface LoggedLine {
  at: number
  text: string
}

/** Nothing runs: it says that it is ready, repeats what it hears, and ends at `stop`. */
class SimulatedContainer {
  readonly id = randomBytes(32).toString('hex')
  readonly startedAt = Date.now()
  exitCode: number | null = null
  readonly #lines: LoggedLine[] = []
  readonly #followers = new Set<ServerResponse>()
  readonly #inputs = new Set<Duplex>()
  readonly #ended: (exitCode: number) => void

  constructor(ended: (exitCode: number) => void) {
    this.#ended = ended
    this.#say(READY)
  }

  get state(): object {
    const isRunning = this.exitCode === null
    return {
      Id: this.id,
      State: {
        ...{ Status: isRunning ? 'running' : 'exited', Running: isRunning, OOMKilled: false },
        ...{ ExitCode: this.exitCode ?? 0, StartedAt: new Date(this.startedAt).toISOString() },
      },
    }
  }

  hear(input: Duplex): void {
    this.#inputs.add(input)
    input.on('close', () => this.#inputs.delete(input)).on('error', () => undefined)
    input.on('data', (chunk: Buffer) => {
      for (const line of String(chunk).split('\n').filter(Boolean))
        if (line === 'stop') this.end(0)
        else this.#say(`heard ${line}`)
    })
  }

  log(response: ServerResponse, since: number, isFollowed: boolean): void {
    for (const line of this.#lines) if (line.at >= since) response.write(frameOf(line))
    if (!isFollowed || this.exitCode !== null) return void response.end()
    response.flushHeaders()
    this.#followers.add(response)
    response.on('close', () => this.#followers.delete(response))
  }

  /** Ends its connections. Nobody hears of it. */
  close(): void {
    for (const input of this.#inputs) input.destroy()
  }

  end(exitCode: number): void {
    if (this.exitCode !== null) return
    this.exitCode = exitCode
    this.#over()
    this.#ended(exitCode)
  }

  #over(): void {
    for (const one of this.#followers) one.end()
    for (const one of this.#inputs) one.end()
  }

  #say(text: string): void {
    const line = { at: Date.now(), text }
    this.#lines.push(line)
    for (const follower of this.#followers) follower.write(frameOf(line))
  }
}

function frameOf({ at, text }: LoggedLine): Buffer {
  const message = Buffer.from(`${new Date(at).toISOString().replace('Z', '000000Z')} ${text}\n`)
  const head = Buffer.alloc(8)
  head[0] = 1
  head.writeUInt32BE(message.length, 4)
  return Buffer.concat([head, message])
}

const MIB = 1024 ** 2
let [cpu, system] = [0, 0]
const stats = (): object => ({
  cpu_stats: { cpu_usage: { total_usage: (cpu += 1e6) }, system_cpu_usage: (system += 1e9), online_cpus: 4 },
  memory_stats: { usage: 300 * MIB, stats: { inactive_file: 20 * MIB } },
})

/** Those of all nodes: whatever node is asked, it has them. */
export class SimulatedContainers {
  readonly #all = new Map<string, SimulatedContainer>()

  readonly #listeners = new Set<ServerResponse>()

  /** Answers its id. */
  begin(ended: (exitCode: number) => void): string {
    const container: SimulatedContainer = new SimulatedContainer((exitCode) => {
      const event = { Type: 'container', Action: 'die', Actor: { ID: container.id } }
      for (const listener of this.#listeners) listener.write(`${JSON.stringify(event)}\n`)
      ended(exitCode)
    })
    this.#all.set(container.id, container)
    return container.id
  }

  remove(id: string): void {
    this.#all.get(id)?.end(KILLED)
    this.#all.delete(id)
  }

  close(): void {
    for (const container of this.#all.values()) container.close()
  }

  /** Of each end. */
  tell(response: ServerResponse): void {
    response.flushHeaders()
    this.#listeners.add(response)
    response.on('close', () => this.#listeners.delete(response))
  }

  /** Whether it was a request for a container that is there. */
  answer(
    { method = '' }: IncomingMessage,
    response: ServerResponse,
    at: string,
    query: URLSearchParams,
  ): boolean {
    const [, id = '', verb = ''] = /^\/containers\/(\w+)\/(\w+)$/.exec(at) ?? []
    const container = this.#all.get(id)
    if (!container) return false
    const json = (value: object) => void response.end(JSON.stringify(value))
    const of: Record<string, () => void> = {
      'GET json': () => json(container.state),
      'GET stats': () => json(stats()),
      'GET logs': () =>
        container.log(response, Number(query.get('since')) * 1000, query.get('follow') === 'true'),
      'POST update': () => json({ Warnings: null }),
      'POST kill': () => {
        container.end(KILLED)
        response.writeHead(204).end()
      },
    }
    const act = of[`${method} ${verb}`]
    act?.()
    return act !== undefined
  }

  attach({ url = '' }: IncomingMessage, socket: Duplex): void {
    const container = this.#all.get(/\/containers\/(\w+)\/attach/.exec(url)?.[1] ?? '')
    if (!container) return void socket.end('HTTP/1.1 404 Not Found\r\n\r\n')
    socket.write('HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n')
    container.hear(socket)
  }
}
