import { z } from 'zod'
import { Listeners, type Stop } from '../../base/change.ts'
import type { ProgramPlace } from '../programs/driver.ts'
import { Engine, type EngineSettings } from './engine.ts'

const LOOK_MS = 5_000
/** Where the engines of nodes listen, by Docker's convention for TLS. */
const ENGINE_PORT = 2376

const Node = z.object({
  ID: z.string(),
  Description: z.object({ Hostname: z.string().default('') }).default({ Hostname: '' }),
  Status: z.object({ State: z.string().default(''), Addr: z.string().default('') }),
  /** With its port. */
  ManagerStatus: z.object({ Addr: z.string().default('') }).nullish(),
})
type Node = z.output<typeof Node>
const Own = z.object({
  Swarm: z.object({ NodeID: z.string().default(''), ControlAvailable: z.boolean().default(false) }),
})

interface KnownNode {
  name: string
  address: string
  isGone: boolean
  /** Unix ms; null: it is there, or was gone before anybody looked. */
  goneSince: number | null
}

/** Of the manager that leads, `Status` has the address by which it knows itself, such as 0.0.0.0. */
const addressOf = ({ Status, ManagerStatus }: Node): string =>
  ManagerStatus?.Addr.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1') || Status.Addr

/** What the manager says of its nodes, asked now and then, and their engines. */
export class NodeWatch {
  readonly #manager: Engine
  readonly #tls: NonNullable<EngineSettings['tls']>
  readonly #known = new Map<string, KnownNode>()
  readonly #engines = new Map<string, Engine>()
  readonly #changes = new Listeners<void>()
  readonly #timer: NodeJS.Timeout

  constructor(manager: Engine, tls: NonNullable<EngineSettings['tls']>) {
    this.#manager = manager
    this.#tls = tls
    // While the manager is away, nothing is known to have changed.
    this.#timer = setInterval(() => void this.look().catch(() => undefined), LOOK_MS).unref()
  }

  /** Whether the engine is a manager of a Swarm. */
  async isManager(): Promise<boolean> {
    return (await this.#manager.get('/info', Own)).Swarm.ControlAvailable
  }

  async look(): Promise<void> {
    const nodes = await this.#manager.get('/nodes', z.array(Node))
    const seen = new Set(nodes.map(({ ID }) => ID))
    for (const [id, node] of this.#known)
      if (!seen.has(id)) this.#known.set(id, { ...node, ...this.#gone(id, true) })
    for (const node of nodes) {
      const { ID, Description, Status } = node
      const known = { name: Description.Hostname || ID, address: addressOf(node) }
      this.#known.set(ID, { ...known, ...this.#gone(ID, Status.State === 'down') })
    }
    this.#changes.tell()
  }

  onChange(listener: () => void): Stop {
    return this.#changes.on(listener)
  }

  placeOf(nodeId: string): ProgramPlace {
    const node = this.#known.get(nodeId)
    const { name = nodeId, address = '', isGone = false, goneSince = null } = node ?? {}
    return { node: name, address, isGone, goneSince }
  }

  #gone(nodeId: string, isGone: boolean): Pick<KnownNode, 'isGone' | 'goneSince'> {
    const before = this.#known.get(nodeId)
    const since = before?.isGone ? before.goneSince : before ? Date.now() : null
    return { isGone, goneSince: isGone ? since : null }
  }

  /** Rejects with EngineFault. */
  async engineOf(nodeId: string): Promise<Engine> {
    const { Swarm } = await this.#manager.get('/info', Own)
    if (Swarm.NodeID === nodeId) return this.#manager
    if (!this.#known.has(nodeId)) await this.look()
    const host = this.#known.get(nodeId)?.address ?? ''
    const address = `tcp://${host.includes(':') ? `[${host}]` : host}:${ENGINE_PORT}`
    const engine = this.#engines.get(address) ?? new Engine({ address, tls: this.#tls })
    this.#engines.set(address, engine)
    return engine
  }

  async close(): Promise<void> {
    clearInterval(this.#timer)
    await Promise.all([...this.#engines.values()].map((engine) => engine.close()))
  }
}
