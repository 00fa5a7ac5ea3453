import { FLOOD } from '../doubles/flood-script.ts'
import { fork, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import packageJson from '../../package.json' with { type: 'json' }
import { programEnvironment, programFlags } from '../../build/scripts/project.js'
import type { CallInput, CallName, CallOutput } from '../../src/contract/bridge/calls.ts'
import type { Outcome } from '../../src/contract/bridge/problem.ts'
import type { ServerRef } from '../../src/contract/bridge/values.ts'
import type { Transfer, Transfers } from '../../src/contract/bridge/transfer-values.ts'
import { measuredTree, profiled } from './measured.ts'
import type { Asked } from './path-panel-run.ts'

const out = join(measuredTree, 'out/bench-panel')

/** The program, and what it finds beside itself: as in the real build, so that its memory is that of the real one. */
const programs = {
  'path-panel': 'tests/bench/path-panel-run.ts',
  service: 'src/service/cli/main.ts',
  databases: 'src/main/panel/database-worker.ts',
  'transfer-bytes': 'src/main/transfers/bytes/worker.ts',
  'hash-worker': 'src/service/files/uploads/hash-worker.ts',
}

/** A panel in a process of its own that takes files by their paths, as Electron's does, and the server they go to. */
export class PathPanel {
  readonly pid: number
  readonly server: ServerRef
  /** The server's folder. */
  readonly folder: string
  readonly #child: ChildProcess
  readonly #data: string

  private constructor(child: ChildProcess, data: string, server: ServerRef) {
    this.#child = child
    this.#data = data
    this.pid = child.pid ?? 0
    this.server = server
    this.folder = join(data, 'service/servers', server.serverId)
  }

  static async start(): Promise<PathPanel> {
    await buildPathPanel()
    const data = await mkdtemp(join(tmpdir(), 'wheelhouse-bench-'))
    const child = forkPathPanel(data, profiled('queue'))
    await eventOf(child, 'started', () => true)
    const { id: connectionId } = await ask(child, 'connections.this-computer', undefined)
    const server = { name: 'Bench', software: { id: 'flood', version: '1' }, memoryMb: 512 }
    const sent = { operation: 'servers.create', connectionId, body: server } as const
    const { id: serverId } = (await ask(child, 'operation.send', sent))!
    return new PathPanel(child, data, { connectionId, serverId })
  }

  /** Uploads files and folders of this computer; answers the transfer when it has ended, and ms from the drop on. */
  async upload(
    paths: { path: string; file: string }[],
    to = this.server,
  ): Promise<{ transfer: Transfer; took: number }> {
    const began = performance.now()
    const input = { to: { ...to, folder: '' }, files: paths, folders: [] }
    let transferId = ''
    let last: Transfers | null = null
    const found = () => last?.items.find(({ id, endedAt }) => id === transferId && endedAt !== null)
    const ended = eventOf(this.#child, 'transfers', (value) => {
      last = value as Transfers
      return found() !== undefined
    })
    const queued = await request<{ transferId: string }>(this.#child, { kind: 'upload', input })
    transferId = queued.transferId
    // It may have ended before it was known by its id.
    if (!found()) await ended
    const took = performance.now() - began
    const transfer = found()
    if (!transfer) throw new Error('The transfer is gone.')
    return { transfer, took }
  }

  /** Throws where it fails. */
  call<N extends CallName, const In extends CallInput<N>>(name: N, input: In): Promise<CallOutput<N, In>> {
    return ask(this.#child, name, input)
  }

  async close(): Promise<void> {
    await endPathPanel(this.#child)
    await rm(this.#data, { recursive: true, force: true })
  }
}

const outside = [...Object.keys(packageJson.dependencies), ...['keytar', 'flying-squid', 'mineflayer']]

/** Builds the panel that `forkPathPanel` runs. */
export async function buildPathPanel(): Promise<void> {
  await build({
    configFile: false,
    root: measuredTree,
    logLevel: 'warn',
    define: { __VERSION__: '"bench"' },
    ssr: { external: outside, noExternal: true },
    build: {
      ssr: true,
      outDir: out,
      emptyOutDir: true,
      rolldownOptions: {
        input: Object.fromEntries(
          Object.entries(programs).map(([name, file]) => [name, join(measuredTree, file)]),
        ),
        output: { entryFileNames: '[name].js', chunkFileNames: 'shared-[name]-[hash].js' },
      },
    },
  })
}

/** Starts the panel that was built, on a data folder. */
export const forkPathPanel = (data: string, env: Record<string, string> = {}): ChildProcess =>
  fork(join(out, 'path-panel.js'), [data], {
    env: { ...programEnvironment(), ...env, WHEELHOUSE_SCRIPT: FLOOD },
    execArgv: [...programFlags],
  })

/** Ends a panel of `forkPathPanel`: it saves what waits and stops its service. */
export async function endPathPanel(child: ChildProcess): Promise<void> {
  const exit = new Promise((resolve) => child.once('exit', resolve))
  child.disconnect()
  await exit
}

let nextId = 1

async function request<T>(
  child: ChildProcess,
  asked: { kind: 'upload'; input: unknown } | { kind: 'call'; name: string; input: unknown },
): Promise<T> {
  const id = nextId++
  const outcome = await new Promise<Outcome<T>>((resolve) => {
    const listen = (message: { id?: number; outcome?: Outcome<T> }) => {
      if (message.id !== id || !message.outcome) return
      child.off('message', listen)
      resolve(message.outcome)
    }
    child.on('message', listen)
    child.send({ id, ...asked } satisfies Asked)
  })
  if (!outcome.ok) throw new Error(`${outcome.problem.code}: ${outcome.problem.message}`)
  return outcome.value
}

/** Makes a call of the bridge in a panel of `forkPathPanel`. Throws where it fails. */
export const ask = <N extends CallName, const In extends CallInput<N>>(
  child: ChildProcess,
  name: N,
  input: In,
): Promise<CallOutput<N, In>> => request(child, { kind: 'call', name, input })

function eventOf(child: ChildProcess, event: string, look: (value: unknown) => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    const listen = (message: { event?: string; value?: unknown }) => {
      if (message.event !== event || !look(message.value)) return
      child.off('message', listen)
      child.off('exit', gone)
      resolve()
    }
    const gone = (code: number | null) =>
      reject(new Error(`The panel of the bench ended with exit code ${code}.`))
    child.on('message', listen)
    child.once('exit', gone)
  })
}
