import { randomUUID } from 'node:crypto'
import path from 'node:path'
import type { z } from 'zod'
import type { BodyOf } from '../../contract/declarations/operation.ts'
import type { files as declared } from '../../contract/areas/files.ts'
import type { FileJob } from '../../contract/areas/values/file-values.ts'
import { refusalText } from '../../contract/messages/refusals/index.ts'
import { joined, parentOf } from '../../contract/rules/paths.ts'
import { type HostOperations, HostRefusal, hostRefusal } from '../base/adapter.ts'
import type { Caller } from '../base/body.ts'
import { fileExists } from '../base/file-results.ts'
import { FileObject } from './answers.ts'
import type { PanelFiles } from './files.ts'
import type { PanelApi } from './panel-api.ts'
import { pathOf } from './servers.ts'

/** A panel waits five minutes for its machine, ms. */
const WAIT_MS = 330_000
const RUNNING_MOST = 3
const KEPT_MOST = 100

type Job = z.input<typeof FileJob>
interface ServerJob {
  serverId: string
  job: Job
}

/** Archives that a panel's machines make and extract, as jobs of ours: the panel answers when they are done. */
export class PanelArchives {
  readonly #api: PanelApi
  readonly #files: PanelFiles
  readonly #jobs = new Map<string, ServerJob>()
  readonly #ended = new AbortController()

  constructor(api: PanelApi, files: PanelFiles) {
    this.#api = api
    this.#files = files
  }

  /** Beside each other in one folder, the host names it, so it is renamed afterwards. */
  async archive(id: string, wanted: BodyOf<typeof declared.archive>, caller: Caller): Promise<Job> {
    const { paths, to, format } = wanted
    if (format !== 'tar.gz') throw hostRefusal(422, 'host.archive-format')
    if (await this.#files.entry(id, to, caller)) throw fileExists(to)
    const [first = ''] = paths
    const root = paths.every((one) => parentOf(one) === parentOf(first)) ? parentOf(first) : ''
    const names = paths.map((one) => path.posix.relative(root, one))
    return this.#begin(id, { kind: 'archive', path: to }, caller, async (background) => {
      const request = { method: 'POST', json: { root: `/${root}`, files: names }, headMs: WAIT_MS } as const
      const answer = await this.#api.json(`${pathOf(id)}/files/compress`, background, request)
      const { name } = FileObject.parse((answer as { attributes?: unknown } | null)?.attributes)
      const made = joined(root, name)
      const { outcome } = await this.#files.move(id, { from: made, to }, 'refuse', background)
      if (made !== to && outcome !== 'done') throw hostRefusal(409, 'host.archive-name', { path: made })
    })
  }

  async extract(id: string, wanted: BodyOf<typeof declared.extract>, caller: Caller): Promise<Job> {
    const { path: archive, to, conflict, names } = wanted
    if (!/\.(zip|tar|tar\.gz|tgz)$/i.test(archive)) throw hostRefusal(422, 'files.archive-unknown')
    if (names) throw hostRefusal(422, 'host.archive-encoding')
    // A machine replaces whatever has the same name.
    if (conflict !== 'replace' && !(await this.#isFree(id, to, caller)))
      throw hostRefusal(409, 'host.extract-replaces')
    if (to !== '') await this.#files.makeFolder(id, to, false, caller)
    const json = { root: `/${to}`, file: path.posix.relative(`/${to}`, `/${archive}`) }
    return this.#begin(id, { kind: 'extract', path: archive }, caller, (background) =>
      this.#api.send(`${pathOf(id)}/files/decompress`, background, { method: 'POST', json, headMs: WAIT_MS }),
    )
  }

  of(id: string): Job[] {
    return [...this.#jobs.values()].flatMap(({ serverId, job }) => (serverId === id ? [job] : []))
  }

  close(): void {
    this.#ended.abort(new Error('closed'))
  }

  async #isFree(id: string, folder: string, caller: Caller): Promise<boolean> {
    if (folder === '') return false
    const there = await this.#files.entry(id, folder, caller)
    return !there || (there.kind === 'folder' && (await this.#files.list(id, folder, caller)).length === 0)
  }

  #begin(
    serverId: string,
    about: Pick<Job, 'kind' | 'path'>,
    { key }: Caller,
    work: (background: Caller) => Promise<void>,
  ): Job {
    if (this.of(serverId).filter(({ state }) => state === 'running').length >= RUNNING_MOST)
      throw hostRefusal(409, 'host.archives-busy')
    const job: Job = { ...about, id: randomUUID(), state: 'running', startedAt: new Date().toISOString() }
    const end = (more: Pick<Job, 'state' | 'error'>) => this.#keep(serverId, { ...job, ...more })
    this.#keep(serverId, job)
    work({ key, signal: this.#ended.signal }).then(
      () => end({ state: 'done' }),
      (error: unknown) => end({ state: 'failed', error: reasonOf(error) }),
    )
    return job
  }

  #keep(serverId: string, job: Job): void {
    const ended = job.state === 'running' ? {} : { endedAt: new Date().toISOString() }
    this.#jobs.delete(job.id)
    this.#jobs.set(job.id, { serverId, job: { ...job, ...ended } })
    for (const [id, { job: oldest }] of this.#jobs) {
      if (this.#jobs.size <= KEPT_MOST) break
      if (oldest.state !== 'running') this.#jobs.delete(id)
    }
  }
}

/** A panel that gave up waiting doesn't tell whether its machine goes on. */
function reasonOf(error: unknown): Job['error'] {
  const refused = error instanceof HostRefusal && error.status < 500 ? error.told : null
  const told = refused ?? refusalText('host.archive-late')
  return { code: told.sentence, message: told.message, sentence: told.sentence, values: told.values }
}

export const archivesOf = (archives: PanelArchives): HostOperations => ({
  'files.archive': (caller) => archives.archive(caller.params.serverId, caller.body, caller),
  'files.extract': (caller) => archives.extract(caller.params.serverId, caller.body, caller),
  'files.jobs': (caller) => ({ items: archives.of(caller.params.serverId), nextCursor: null }),
  'files.cancel': () => {
    throw hostRefusal(409, 'host.no-cancel')
  },
})
