import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { EngineSettings } from '../../src/service/runtime/containers/engine.ts'
import { SimulatedContainers } from './swarm-containers.ts'
import type { Amounts, SwarmNode, SwarmService, SwarmServiceSpec, SwarmTask } from './swarm-objects.ts'

interface SwarmOptions {
  nodes: readonly string[]
  cpus?: number
  memoryBytes?: number
  /** From a task's making until it runs, in ms. */
  startMs?: number
  /** Of the nodes' engines, which listen at their addresses. Absent: only the manager does. */
  tls?: NonNullable<EngineSettings['tls']>
  /** The beginning of the nodes' addresses. */
  network?: string
}

const ENGINE_PORT = 2376

class Fault extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const idOf = (): string =>
  BigInt(`0x${randomBytes(16).toString('hex')}`)
    .toString(36)
    .padStart(25, '0')
    .slice(0, 25)

/**
 * Stands in for the manager of a swarm and the engines of its nodes: it answers as Docker 20.10 does to what is asked of
 * nodes, services, tasks and their containers. Nothing is run.
 */
export class SwarmEngineDouble {
  readonly address: string
  /** `METHOD path` of each request, without its version. */
  readonly asked: string[] = []
  /** Carried out before the next change of a node, as another manager might. */
  meanwhile: (() => void) | null = null
  readonly #folder: string
  readonly #servers: Server[]
  readonly #containers = new SimulatedContainers()
  readonly #startMs: number
  readonly #nodes: SwarmNode[]
  readonly #services = new Map<string, SwarmService>()
  readonly #tasks = new Map<string, SwarmTask>()
  #version = 9

  private constructor({
    nodes,
    cpus = 4,
    memoryBytes = 16 * 1024 ** 3,
    startMs = 0,
    tls,
    network = '10.9.0',
  }: SwarmOptions) {
    this.#folder = mkdtempSync(path.join(tmpdir(), 'swarm-'))
    this.address = `unix://${path.join(this.#folder, 'docker.sock')}`
    this.#startMs = startMs
    this.#nodes = nodes.map((Hostname, index) => ({
      ID: idOf(),
      Version: { Index: this.#next() },
      Spec: { Labels: {}, Role: index === 0 ? 'manager' : 'worker', Availability: 'active' },
      Description: { Hostname, Resources: { NanoCPUs: cpus * 1e9, MemoryBytes: memoryBytes } },
      Status: { State: 'ready', Addr: `${network}.${index + 1}` },
      ...(index === 0 && {
        ManagerStatus: { Leader: true, Reachability: 'reachable', Addr: '10.9.0.1:2377' },
      }),
    }))
    const answer = (request: IncomingMessage, response: ServerResponse) =>
      void this.#answer(request, response)
    const secure = tls && { ...tls, requestCert: true }
    this.#servers = [
      createServer(answer),
      ...(secure ? nodes.slice(1).map(() => createTlsServer(secure, answer)) : []),
    ]
    for (const server of this.#servers)
      server.on('upgrade', (request, socket) => this.#containers.attach(request, socket))
  }

  static async start(options: SwarmOptions): Promise<SwarmEngineDouble> {
    const double = new SwarmEngineDouble(options)
    const [own, ...others] = double.#servers
    const listening = [new Promise<void>((resolve) => own!.listen(new URL(double.address).pathname, resolve))]
    for (const [index, other] of others.entries()) {
      const { Addr } = double.#nodes[index + 1]!.Status
      listening.push(new Promise((resolve) => other.listen(ENGINE_PORT, Addr, resolve)))
    }
    await Promise.all(listening)
    return double
  }

  async stop(): Promise<void> {
    this.#containers.close()
    for (const server of this.#servers) server.closeAllConnections()
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => server.close(resolve))))
    rmSync(this.#folder, { recursive: true, force: true })
  }

  nodeId(name: string): string {
    return this.#node(name).ID
  }

  /** `down`: its tasks run on, for all anybody knows, and the swarm wants them no more. */
  setState(name: string, state: 'ready' | 'down'): void {
    const node = this.#node(name)
    node.Status = { ...node.Status, State: state, ...(state === 'down' && { Message: 'heartbeat failure' }) }
    node.Version.Index = this.#next()
    if (state === 'ready') return this.#placePending()
    for (const task of this.#tasks.values())
      if (task.NodeID === node.ID) this.#change(task, { DesiredState: 'shutdown' })
  }

  /** Makes a service as `POST /services/create` does; returns its id. */
  create(spec: SwarmServiceSpec): string {
    if (this.#serviceOf(spec.Name))
      throw new Fault(
        409,
        `rpc error: code = AlreadyExists desc = name conflicts with an existing object: service ${spec.Name} already exists`,
      )
    const service: SwarmService = { ID: idOf(), Version: { Index: this.#next() }, Spec: spec }
    this.#services.set(service.ID, service)
    for (let slot = 1; slot <= (spec.Mode?.Replicated?.Replicas ?? 1); slot++) this.#addTask(service, slot)
    return service.ID
  }

  remove(nameOrId: string): void {
    const { ID } = this.#service(nameOrId)
    this.#services.delete(ID)
    for (const task of this.#tasks.values())
      if (task.ServiceID === ID) {
        this.#tasks.delete(task.ID)
        this.#containers.remove(task.Status.ContainerStatus?.ContainerID ?? '')
      }
  }

  #addTask({ ID, Spec }: SwarmService, Slot: number): void {
    const task: SwarmTask = {
      ...{ ID: idOf(), Version: { Index: this.#next() }, Spec: Spec.TaskTemplate, ServiceID: ID, Slot },
      ...{ Status: { State: 'new', Message: 'created' }, DesiredState: 'running' },
    }
    this.#tasks.set(task.ID, task)
    this.#place(task)
  }

  #place(task: SwarmTask): void {
    const node = this.#nodes
      .filter((one) => this.#takes(one, task))
      .toSorted((a, b) => this.#tasksOf(a).length - this.#tasksOf(b).length)[0]
    if (!node) {
      const Err = `no suitable node (${this.#nodes.length} nodes not available for new tasks)`
      return this.#change(task, { Status: { State: 'pending', Message: 'pending task scheduling', Err } })
    }
    this.#change(task, {
      NodeID: node.ID,
      Status: { State: 'assigned', Message: 'scheduler assigned task to node' },
    })
    setTimeout(() => {
      const ContainerID = this.#containers.begin((exitCode) => {
        const [State, Message] = exitCode === 0 ? ['complete', 'finished'] : ['failed', 'started']
        const Err = exitCode === 0 ? {} : { Err: `task: non-zero exit (${exitCode})` }
        const Status = { State, Message, ...Err, ContainerStatus: { ContainerID } }
        this.#change(task, { Status, DesiredState: 'shutdown' })
      })
      this.#change(task, {
        Status: { State: 'running', Message: 'started', ContainerStatus: { ContainerID } },
      })
    }, this.#startMs).unref()
  }

  #placePending(): void {
    for (const task of this.#tasks.values()) if (task.Status.State === 'pending') this.#place(task)
  }

  #takes(node: SwarmNode, { Spec: { Resources, Placement } }: SwarmTask): boolean {
    const { Status, Spec, Description } = node
    if (Status.State !== 'ready' || Spec.Availability !== 'active') return false
    const isFit = (constraint: string) => {
      const [, name] = /^node\.hostname\s*==\s*(.+)$/.exec(constraint) ?? []
      return name === Description.Hostname
    }
    if (!(Placement?.Constraints ?? []).every(isFit)) return false
    const taken = this.#tasksOf(node).map((task) => task.Spec.Resources?.Reservations ?? {})
    const isFree = (what: keyof Amounts) =>
      [...taken, Resources?.Reservations ?? {}].reduce((sum, one) => sum + (one[what] ?? 0), 0) <=
      Description.Resources[what]
    return isFree('MemoryBytes') && isFree('NanoCPUs')
  }

  #tasksOf({ ID }: SwarmNode): SwarmTask[] {
    return [...this.#tasks.values()].filter(
      ({ NodeID, DesiredState }) => NodeID === ID && DesiredState === 'running',
    )
  }

  #change(task: SwarmTask, change: Partial<SwarmTask>): void {
    Object.assign(task, change, { Version: { Index: this.#next() } })
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', 'http://engine')
    const at = url.pathname.replace(/^\/v1\.\d+/, '')
    this.asked.push(`${request.method} ${at}`)
    try {
      if (at === '/events') return this.#containers.tell(response)
      if (this.#containers.answer(request, response, at, url.searchParams)) return
      const body = await text(request)
      const [status, value] = this.#route(
        `${request.method} ${at}`,
        url.searchParams,
        body && JSON.parse(body),
      )
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(value === undefined ? '' : JSON.stringify(value))
    } catch (error) {
      response.writeHead(error instanceof Fault ? error.status : 500, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ message: (error as Error).message }))
    }
  }

  #route(what: string, query: URLSearchParams, body: unknown): [status: number, value?: unknown] {
    const filters = JSON.parse(query.get('filters') ?? '{}') as Record<string, string[]>
    const [method, , kind, id, verb] = what.split(/[ /]/)
    switch ([method, kind, id && 'ID', verb].filter(Boolean).join(' ')) {
      case 'GET version':
        return [200, { Version: '20.10.24', ApiVersion: '1.41', MinAPIVersion: '1.12' }]
      case 'GET info':
        return [200, { Swarm: { NodeID: this.#nodes[0]?.ID ?? '', ControlAvailable: true } }]
      // Whatever network it is asked for, it has it.
      case 'POST networks ID':
        return [201, {}]
      case 'DELETE networks ID':
        return [204]
      // None without a service.
      case 'GET containers ID':
        return [200, []]
      case 'GET nodes':
        return [200, this.#nodes]
      case 'GET nodes ID':
        return [200, this.#node(id!)]
      case 'POST nodes ID update':
        return [200, this.#changeNode(id!, Number(query.get('version')), body as SwarmNode['Spec'])]
      case 'GET services':
        return [200, [...this.#services.values()].filter((one) => isLabeled(one, filters))]
      case 'GET services ID':
        return [200, this.#service(id!)]
      case 'POST services ID':
        return [201, { ID: this.create(body as SwarmServiceSpec) }]
      case 'DELETE services ID':
        return [200, this.remove(id!)]
      case 'GET tasks':
        return [200, this.#tasksLike(filters)]
      default:
        throw new Fault(404, 'page not found')
    }
  }

  #tasksLike({ service, node, 'desired-state': states }: Record<string, string[]>): SwarmTask[] {
    const services = service?.map((one) => this.#serviceOf(one)?.ID)
    return [...this.#tasks.values()].filter(
      ({ DesiredState, NodeID = '', ServiceID }) =>
        (states?.includes(DesiredState) ?? true) &&
        (node?.includes(NodeID) ?? true) &&
        (services?.includes(ServiceID) ?? true),
    )
  }

  #changeNode(id: string, version: number, spec: SwarmNode['Spec']): undefined {
    this.meanwhile?.()
    this.meanwhile = null
    const node = this.#node(id)
    if (node.Version.Index !== version)
      throw new Fault(500, 'rpc error: code = Unknown desc = update out of sequence')
    if (!['active', 'pause', 'drain'].includes(spec.Availability))
      throw new Fault(400, `invalid Availability: "${spec.Availability}"`)
    node.Spec = spec
    node.Version.Index = this.#next()
    this.#placePending()
  }

  #node(nameOrId: string): SwarmNode {
    const node = this.#nodes.find((one) => [one.ID, one.Description.Hostname].includes(nameOrId))
    if (!node) throw new Fault(404, `node ${nameOrId} not found`)
    return node
  }

  #serviceOf(nameOrId: string): SwarmService | undefined {
    return [...this.#services.values()].find(({ ID, Spec }) => [ID, Spec.Name].includes(nameOrId))
  }

  #service(nameOrId: string): SwarmService {
    const service = this.#serviceOf(nameOrId)
    if (!service) throw new Fault(404, `service ${nameOrId} not found`)
    return service
  }

  #next(): number {
    return ++this.#version
  }
}

const isLabeled = (
  { Spec: { Labels = {}, Name } }: SwarmService,
  { label = [], name }: Record<string, string[]>,
) =>
  label.every((one) => {
    const [key = '', value] = one.split('=')
    return value === undefined ? Object.hasOwn(Labels, key) : Labels[key] === value
  }) &&
  (name?.some((one) => Name.startsWith(one)) ?? true)
