import { z } from 'zod'
import { refusal } from '../../../host/refusal.ts'
import type { Node, Nodes } from '../programs/driver.ts'
import { type Engine, EngineFault } from './engine.ts'
import { LABELS } from './recipe.ts'

const Amounts = z.object({ NanoCPUs: z.number().default(0), MemoryBytes: z.number().default(0) })

const SwarmNode = z.object({
  ID: z.string(),
  Version: z.object({ Index: z.number() }),
  // Kept whole: it is sent back.
  Spec: z.looseObject({ Availability: z.string().default('active') }),
  Description: z.object({ Hostname: z.string().default(''), Resources: Amounts.nullish() }).nullish(),
  Status: z.object({ State: z.string().default('') }).nullish(),
})
type SwarmNode = z.output<typeof SwarmNode>

const SwarmTask = z.object({
  ServiceID: z.string().default(''),
  /** Absent until it has a place. */
  NodeID: z.string().default(''),
  Spec: z.object({ Resources: z.object({ Reservations: Amounts.nullish() }).nullish() }),
})
type SwarmTask = z.output<typeof SwarmTask>

const SwarmService = z.object({
  ID: z.string(),
  Spec: z.object({ Labels: z.record(z.string(), z.string()).nullish() }),
})

/** Others change nodes too, such as the swarm itself. */
const ATTEMPTS = 3

/** The nodes of a swarm, asked of one of its managers. `service`: the folder by which its services are known. */
export class SwarmNodes implements Nodes {
  readonly #engine: Engine
  readonly #service: string
  readonly #goneSince: (nodeId: string) => number | null

  constructor(engine: Engine, service: string, goneSince: (nodeId: string) => number | null = () => null) {
    this.#engine = engine
    this.#service = service
    this.#goneSince = goneSince
  }

  async list(): Promise<Node[]> {
    const running = JSON.stringify({ 'desired-state': ['running'] })
    const own = JSON.stringify({ label: [`${LABELS.service}=${this.#service}`] })
    const [nodes, tasks, services] = await ofSwarm(
      Promise.all([
        this.#engine.get('/nodes', z.array(SwarmNode)),
        this.#engine.get('/tasks', z.array(SwarmTask), { filters: running }),
        this.#engine.get('/services', z.array(SwarmService), { filters: own }),
      ]),
    )
    const servers = new Map(services.map(({ ID, Spec }) => [ID, Spec.Labels?.[LABELS.server]]))
    const byNode = Map.groupBy(tasks, ({ NodeID }) => NodeID)
    return nodes.map((node) => ({
      ...nodeOf(node, byNode.get(node.ID) ?? [], servers),
      goneSince: this.#goneSince(node.ID),
    }))
  }

  async names(): Promise<string[]> {
    const nodes = await ofSwarm(this.#engine.get('/nodes', z.array(SwarmNode)))
    return nodes.map(nameOf)
  }

  /** Throws 404 `node.not-found`. */
  async drain(nodeId: string, isDraining: boolean): Promise<void> {
    const path = `/nodes/${encodeURIComponent(nodeId)}`
    const Availability = isDraining ? 'pause' : 'active'
    for (let left = ATTEMPTS - 1; ; left--) {
      const { Version, Spec } = await ofSwarm(this.#engine.get(path, SwarmNode))
      if (Spec.Availability === Availability) return
      try {
        await this.#engine.post(`${path}/update`, { version: Version.Index }, { ...Spec, Availability })
        return
      } catch (error) {
        if (left === 0 || !isOutdated(error)) throw refusalOf(error)
      }
    }
  }
}

const nameOf = ({ ID, Description }: SwarmNode): string => Description?.Hostname || ID

function nodeOf(
  node: SwarmNode,
  tasks: readonly SwarmTask[],
  servers: ReadonlyMap<string, string | undefined>,
): Omit<Node, 'goneSince'> {
  const { ID, Spec, Description, Status } = node
  const taken = tasks.map(({ Spec: { Resources } }) => Resources?.Reservations)
  return {
    id: ID,
    name: nameOf(node),
    isReady: Status?.State === 'ready',
    isDraining: Spec.Availability !== 'active',
    cpus: (Description?.Resources?.NanoCPUs ?? 0) / 1e9,
    memoryBytes: Description?.Resources?.MemoryBytes ?? 0,
    takenCpus: sum(taken.map((one) => one?.NanoCPUs ?? 0)) / 1e9,
    takenMemoryBytes: sum(taken.map((one) => one?.MemoryBytes ?? 0)),
    serverIds: tasks.flatMap(({ ServiceID }) => servers.get(ServiceID) ?? []),
  }
}

const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0)

/** The node was changed since it was read. */
const isOutdated = (error: unknown): boolean =>
  error instanceof EngineFault && /out of sequence/i.test(error.message)

const ofSwarm = <T>(answer: Promise<T>): Promise<T> =>
  answer.catch((error: unknown) => {
    throw refusalOf(error)
  })

function refusalOf(error: unknown): unknown {
  if (!(error instanceof EngineFault)) return error
  const { status, code, message } = error
  if (status === 404) return refusal(404, 'node.not-found')
  return refusal(503, 'node.not-told', { why: code || message })
}
