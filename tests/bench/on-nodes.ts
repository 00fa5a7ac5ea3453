import { SERVICE_FLAGS } from '../../src/main/local/service-launcher.ts'
import { execFile, fork } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { EngineSettings } from '../../src/service/runtime/containers/engine.ts'
import { SwarmEngineDouble } from '../doubles/swarm-engine.ts'
import { documentedCommands } from '../fixtures/docker-swarm.ts'
import type { ControllerOnNodes } from './controller-on-nodes.ts'
import { residentBytes } from './memory.ts'
import { inTurns, ratioOf } from './pairs.ts'
import { median, type Figure } from './table.ts'

const run = promisify(execFile)

const [FEW, MANY, NODES] = [100, 1000, 10]
const AT_ONCE = 8
const STARTS = 15
/** How long they are left alone before memory is looked at, in ms. */
const SETTLE = 30_000
const MIB = 1024 ** 2

/** A service whose servers run on nodes that are simulated: what it takes, and what of it grows with their number. */
export async function benchOnNodes(): Promise<Figure[]> {
  const certificates = await certificatesOfNodes()
  const few = await Controller.open(FEW, certificates)
  const many = await Controller.open(MANY, certificates)
  try {
    const lists = await inTurns(
      `a page of ${FEW} servers`,
      { few: () => few.list(), many: () => many.list() },
      ['few'],
    )
    await new Promise((resolve) => setTimeout(resolve, SETTLE))
    const [bytes, fewBytes] = [await residentBytes(many.pid), await residentBytes(few.pid)]
    const starts: number[] = []
    for (let at = 0; at < STARTS; at++) starts.push(await many.restart(at))
    return [
      ratioOf(lists, 'many', 'few', {
        name: `${FEW} of ${MANY} servers on nodes listed ÷ all of ${FEW}`,
        target: 1.5,
        limitIs: `this service with ${FEW} servers`,
      }),
      {
        ...{ name: `${MANY} servers on ${NODES} simulated nodes: the service`, unit: 'MB', target: 300 },
        value: bytes / MIB,
        note: `with ${FEW}: ${(fewBytes / MIB).toFixed(0)} MB`,
      },
      {
        ...{ name: 'one start among them, without the engine', unit: 'ms', target: 200 },
        value: median(starts),
        range: [Math.min(...starts), Math.max(...starts)],
      },
    ]
  } finally {
    await few.close()
    await many.close()
  }
}

/** The engines of their nodes listen there. */
const networkOf = (count: number): string => `127.9.${count === FEW ? 1 : 2}`

interface Certificates {
  nodes: NonNullable<EngineSettings['tls']>
  service: NonNullable<EngineSettings['tls']>
}

async function certificatesOfNodes(): Promise<Certificates> {
  const cwd = mkdtempSync(path.join(tmpdir(), 'bench-certificates-'))
  const all = [FEW, MANY].flatMap((count) =>
    Array.from({ length: NODES }, (_, at) => `${networkOf(count)}.${at + 1}`),
  )
  const addresses = all.join(',IP:')
  await run('sh', ['-ec', `${documentedCommands('openssl req -x509')}\nissue nodes ${addresses}`], { cwd })
  const text = (name: string) => readFileSync(path.join(cwd, `${name}.pem`), 'utf8')
  const of = (name: string) => ({ ca: text('ca'), cert: text(`${name}-cert`), key: text(`${name}-key`) })
  return { nodes: of('nodes'), service: of('service') }
}

type Ask = (method: string, route: string, body?: unknown) => Promise<unknown>

class Controller {
  readonly pid: number
  readonly #engine: SwarmEngineDouble
  readonly #end: () => Promise<unknown>
  readonly #ask: Ask
  #ids: string[] = []

  private constructor(pid: number, engine: SwarmEngineDouble, end: () => Promise<unknown>, ask: Ask) {
    this.pid = pid
    this.#engine = engine
    this.#end = end
    this.#ask = ask
  }

  static async open(count: number, { nodes, service }: Certificates): Promise<Controller> {
    const names = Array.from({ length: NODES }, (_, at) => `node-${at + 1}`)
    const engine = await SwarmEngineDouble.start({
      ...{ nodes: names, cpus: 64, memoryBytes: 512 * 1024 * MIB, tls: nodes },
      network: networkOf(count),
    })
    const asked: ControllerOnNodes = {
      ...{ folder: mkdtempSync(path.join(tmpdir(), 'bench-nodes-')), count },
      engine: {
        address: engine.address,
        tls: null,
        image: `sha256:${'0'.repeat(64)}`,
        swarm: { tls: service },
      },
    }
    const child = fork(path.join(import.meta.dirname, 'controller-on-nodes.ts'), [JSON.stringify(asked)], {
      execArgv: [...SERVICE_FLAGS],
    })
    const ended = new Promise((resolve) => child.once('exit', resolve))
    const { baseUrl, token } = await new Promise<{ baseUrl: string; token: string }>((resolve, reject) => {
      child.once('message', resolve as (message: unknown) => void)
      child.once('exit', (code) => reject(new Error(`It ended with ${code} before it was ready.`)))
    })
    const ask: Ask = async (method, route, body) => {
      const answer = await fetch(baseUrl + route, {
        method,
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${route}: ${answer.status} ${text}`)
      return text === '' ? null : JSON.parse(text)
    }
    const end = () => (child.send('end'), ended)
    const controller = new Controller(child.pid ?? 0, engine, end, ask)
    await controller.#fill(count)
    return controller
  }

  async close(): Promise<void> {
    await this.#end()
    await this.#engine.stop()
  }

  /** ms. */
  async list(): Promise<number> {
    const began = performance.now()
    await this.#ask('GET', `/servers?limit=${FEW}`)
    return performance.now() - began
  }

  /** ms of its start. */
  async restart(at: number): Promise<number> {
    const id = this.#ids[at * 7]!
    await this.#power(id, 'stop', 'offline')
    const began = performance.now()
    await this.#power(id, 'start', 'online')
    return performance.now() - began
  }

  async #fill(count: number): Promise<void> {
    let left = count
    const one = async () => {
      while (left-- > 0) {
        const { id } = (await this.#ask('POST', '/servers', {
          ...{
            name: `Server ${left}`,
            software: { id: 'idle', version: '1' },
            memoryMb: 512,
            openTo: 'network',
          },
        })) as { id: string }
        await this.#power(id, 'start', 'online')
        this.#ids.push(id)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, one))
  }

  async #power(id: string, action: string, wanted: string): Promise<void> {
    await this.#ask('POST', `/servers/power/${id}`, { action })
    for (;;) {
      const { status } = (await this.#ask('GET', `/servers/status/${id}`)) as { status: string }
      if (status === wanted) return
      if (status === 'crashed')
        throw new Error(JSON.stringify(await this.#ask('GET', `/servers/console/${id}`)))
    }
  }
}
