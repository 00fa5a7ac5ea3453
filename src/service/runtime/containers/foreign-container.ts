import path from 'node:path'
import { z } from 'zod'
import type { OpenToValue } from '../../../contract/areas/open-to.ts'
import type { Stop } from '../../base/change.ts'
import { EngineFault, type Engine } from './engine.ts'
import { LABELS, STOP_SECONDS } from './recipe.ts'

/** Set by people on containers of other images; its value is the server's folder within. */
export const ADOPT_LABEL = 'wheelhouse.adopt'

const REPOSITORY = /^(?:[^/\s]+\/)*itzg\/minecraft-server(?::[^/\s]+)?(?:@\S+)?$/
const ID = /^[\da-f]{12,64}$/
const NAME = /^[\w.-]{1,200}$/
const DATA = '/data'
const SWARM_TASK = 'com.docker.swarm.task.id'
const MIB = 1024 * 1024
/** Of itzg/minecraft-server. */
const USUAL = { memoryMb: 1024, port: 25_565, version: 'LATEST', type: 'VANILLA' }
/** Of a variable of its environment, in characters. */
const VALUE_MOST = 100
/** Of one engine. */
const CONTAINERS_MOST = 200

const Labels = z.record(z.string(), z.string()).nullish()
const Listed = z.array(z.object({ Id: z.string().regex(ID), Image: z.string().default(''), Labels }))

const Binding = z.object({ HostIp: z.string().default(''), HostPort: z.string().default('') })
const Inspection = z.object({
  Id: z.string().regex(ID),
  Name: z.string(),
  Config: z.object({
    Image: z.string().default(''),
    Env: z.array(z.string()).nullish(),
    Labels,
    OpenStdin: z.boolean().default(false),
    StdinOnce: z.boolean().default(false),
    Tty: z.boolean().default(false),
    StopTimeout: z.number().nullish(),
  }),
  HostConfig: z.object({
    NetworkMode: z.string().default(''),
    PortBindings: z.record(z.string(), z.array(Binding).nullish()).nullish(),
    Memory: z.number().default(0),
    LogConfig: z.object({ Type: z.string().default('') }).nullish(),
  }),
  Mounts: z
    .array(
      z.object({ Source: z.string().default(''), Destination: z.string(), RW: z.boolean().default(true) }),
    )
    .nullish(),
  State: z.object({
    Running: z.boolean(),
    Status: z.string().default(''),
    StartedAt: z.string().default(''),
    FinishedAt: z.string().default(''),
  }),
})
type Inspection = z.output<typeof Inspection>

/** A container that others made, as far as its server is concerned. */
export interface ForeignContainer {
  id: string
  name: string
  image: string
  /** Of its server, on the engine's computer; null: it is not on a disk of that computer, or can't be written. */
  folder: string | null
  isRunning: boolean
  /** By the engine. */
  startedAt: string
  finishedAt: string
  /** How long it may take to stop; null: as its engine has it. */
  stopSeconds: number | null
  hearsCommands: boolean
  isTerminal: boolean
  isLogged: boolean
  /** As its environment says, such as `PAPER` and `LATEST`; null: it isn't of that image. */
  type: string | null
  version: string | null
  memoryMb: number
  /** Where players reach it on the engine's computer; null: nowhere. */
  port: number | null
  openTo: OpenToValue
}

/** Those of an engine, and the ones among them that run servers of this service. */
export interface ForeignContainers {
  /** That look like somebody else's server. Rejects with a sentence. */
  list(): Promise<ForeignContainer[]>
  /** Of a server: called at once if it is known, and after it was made anew. */
  onFound(listener: (serverId: string, container: ForeignContainer) => void): Stop
}

/** Containers that look like somebody else's server. Rejects with EngineFault. */
export async function foreignContainers(engine: Engine): Promise<ForeignContainer[]> {
  const listed = await engine.get('/containers/json', Listed, { all: true })
  const likely = listed.filter(({ Image, Labels: labels }) => isForeign(Image, labels, true))
  const found = await Promise.all(
    likely.slice(0, CONTAINERS_MOST).map(({ Id }) => foreignContainer(engine, Id)),
  )
  return found.filter((one) => one !== null).sort((a, b) => (a.name < b.name ? -1 : 1))
}

/** `name` or id. Null: there is none, or it isn't somebody else's server. Rejects with EngineFault. */
export async function foreignContainer(engine: Engine, name: string): Promise<ForeignContainer | null> {
  if (!NAME.test(name)) return null
  const answer = await engine.get(`/containers/${name}/json`, z.unknown()).catch((error: unknown) => {
    if (error instanceof EngineFault && error.status === 404) return null
    throw error
  })
  const { data: inspected } = Inspection.safeParse(answer)
  if (!inspected || !isForeign(inspected.Config.Image, inspected.Config.Labels, false)) return null
  const own = inspected.Name.replace(/^\//, '')
  return NAME.test(own) ? ofInspection(own, inspected) : null
}

/** `isListed`: the list names an image by its id once its tag is another's. */
function isForeign(image: string, labels: Inspection['Config']['Labels'], isListed: boolean): boolean {
  const all = labels ?? {}
  if (LABELS.service in all || SWARM_TASK in all) return false
  return (
    ADOPT_LABEL in all || REPOSITORY.test(image) || (isListed && /^(?:sha256:)?[\da-f]{12,}$/.test(image))
  )
}

function ofInspection(name: string, { Id, Config, HostConfig, Mounts, State }: Inspection): ForeignContainer {
  const environment = environmentOf(Config.Env ?? [])
  const within = folderWithin(Config.Labels?.[ADOPT_LABEL])
  const mount = Mounts?.find(({ Destination }) => plainPath(Destination) === within)
  const isItzg = REPOSITORY.test(Config.Image)
  const logs = HostConfig.LogConfig?.Type ?? ''
  return {
    ...{ id: Id, name, image: Config.Image.slice(0, 300) },
    folder: mount?.RW && path.isAbsolute(mount.Source) ? mount.Source : null,
    isRunning: State.Running && State.Status !== 'restarting',
    ...{ startedAt: State.StartedAt, finishedAt: State.FinishedAt },
    // Podman says 0 where nobody chose, and would kill it at once.
    stopSeconds: Config.StopTimeout === 0 ? STOP_SECONDS : null,
    // Letting go of an input that is open once would close it.
    hearsCommands: Config.OpenStdin && !Config.StdinOnce,
    isTerminal: Config.Tty,
    isLogged: logs !== 'none' && logs !== 'passthrough',
    type: environment.get('TYPE')?.toUpperCase() ?? (isItzg ? USUAL.type : null),
    version: environment.get('VERSION') ?? (isItzg ? USUAL.version : null),
    memoryMb: memoryOf(environment, HostConfig.Memory),
    ...addressOf(portWithin(environment), HostConfig),
  }
}

const folderWithin = (label = ''): string => (label.startsWith('/') ? plainPath(label) : DATA)

const plainPath = (folder: string): string => path.posix.normalize(folder).replace(/\/+$/, '')

function environmentOf(all: readonly string[]): ReadonlyMap<string, string> {
  const known = /^(TYPE|VERSION|MEMORY|MAX_MEMORY|SERVER_PORT)=(.+)$/s
  return new Map(
    all.flatMap((one) => {
      const [, name = '', value = ''] = known.exec(one.slice(0, VALUE_MOST)) ?? []
      return /^[\w.+-]+$/.test(value) ? [[name, value]] : []
    }),
  )
}

/** MiB of its heap, such as of `4G`. */
function memoryOf(environment: ReadonlyMap<string, string>, limitBytes: number): number {
  const told = environment.get('MAX_MEMORY') ?? environment.get('MEMORY') ?? ''
  const [, digits, unit = ''] = /^(\d{1,12})([kmg]?)$/i.exec(told) ?? []
  const bytes = Number(digits) * ({ k: 1024, m: MIB, g: 1024 * MIB }[unit.toLowerCase()] ?? 1)
  const mebibytes = Math.round((digits ? bytes : limitBytes) / MIB)
  return mebibytes >= 1 && mebibytes <= 1024 * 1024 ? mebibytes : USUAL.memoryMb
}

const portWithin = (environment: ReadonlyMap<string, string>): number =>
  portOf(environment.get('SERVER_PORT') ?? '') ?? USUAL.port

function portOf(text: string): number | null {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return port >= 1 && port <= 65_535 ? port : null
}

function addressOf(
  within: number,
  { NetworkMode, PortBindings }: Inspection['HostConfig'],
): Pick<ForeignContainer, 'port' | 'openTo'> {
  if (NetworkMode === 'host') return { port: within, openTo: 'network' }
  const [binding] = PortBindings?.[`${within}/tcp`] ?? []
  const isLocal = binding?.HostIp === '::1' || (binding?.HostIp.startsWith('127.') ?? false)
  return { port: portOf(binding?.HostPort ?? ''), openTo: isLocal ? 'computer' : 'network' }
}
