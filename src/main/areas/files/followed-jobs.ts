import { api } from '../../../contract/areas/index.ts'
import type { FileJob, ServerRef } from '../../../contract/bridge/values.ts'
import { type LocalizedText, localized } from '../../../contract/messages/localized-text.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem } from '../../base/problem.ts'

const SILENT_FOR = 2000
const ENDED_MOST = 100
/** Foreign jobs polled per connection; events of others are only passed on. */
const HEARD_MOST = 32

export interface FollowedJobPorts {
  client: (connectionId: string) => ApiClient
  isThere: (connectionId: string) => boolean
  onJob: (server: ServerRef, job: FileJob) => void
}

type JobEndListener = (server: ServerRef, job: FileJob) => void

interface FollowedJob {
  server: ServerRef
  job: FileJob
  timer: NodeJS.Timeout
  /** Known only from the event stream, not started here. */
  heardOf: boolean
}

export class FollowedJobs {
  readonly #ports: FollowedJobPorts
  readonly #onEnd: JobEndListener[] = []
  readonly #running = new Map<string, FollowedJob>()
  /** The end may arrive before the answer that starts the job. */
  readonly #ended = new Map<string, { server: ServerRef; job: FileJob }>()

  constructor(ports: FollowedJobPorts) {
    this.#ports = ports
  }

  /** Called once per finished job: folders and limits are stale then. */
  onEnd(listener: JobEndListener): void {
    this.#onEnd.push(listener)
  }

  heard(server: ServerRef, job: FileJob): void {
    // A foreign job may end before we hear of it.
    const followed = this.#running.get(keyOf(server, job))
    this.#ports.onJob(server, job)
    if (followed || this.#hasRoom(server)) this.#take(server, job, followed?.heardOf ?? true)
    if (!followed && job.state !== 'running') this.#end(server, job)
  }

  /** Returns the job as given, or its end if that has already arrived. */
  follow(server: ServerRef, job: FileJob): FileJob {
    return this.#take(server, job, false)
  }

  #take(server: ServerRef, job: FileJob, heardOf: boolean): FileJob {
    const key = keyOf(server, job)
    const ended = this.#ended.get(key)
    if (ended && job.state === 'running') return ended.job
    const known = this.#running.get(key)
    clearTimeout(known?.timer)
    if (job.state === 'running') {
      const timer = setTimeout(() => void this.#ask(key), SILENT_FOR)
      timer.unref()
      this.#running.set(key, { server, job, timer, heardOf })
    } else if (known) {
      this.#running.delete(key)
      this.#end(server, job)
    }
    return job
  }

  #hasRoom({ connectionId }: ServerRef): boolean {
    let heard = 0
    for (const one of this.#running.values())
      if (one.heardOf && one.server.connectionId === connectionId) heard++
    return heard < HEARD_MOST
  }

  #end(server: ServerRef, job: FileJob): void {
    const key = keyOf(server, job)
    this.#ended.delete(key)
    this.#ended.set(key, { server, job })
    for (const oldest of this.#ended.keys()) {
      if (this.#ended.size <= ENDED_MOST) break
      this.#ended.delete(oldest)
    }
    for (const listener of this.#onEnd) listener(server, job)
  }

  forget(connectionId?: string): void {
    for (const [key, { server, timer }] of this.#running) {
      if (connectionId !== undefined && server.connectionId !== connectionId) continue
      clearTimeout(timer)
      this.#running.delete(key)
    }
    for (const [key, { server }] of this.#ended)
      if (connectionId === undefined || server.connectionId === connectionId) this.#ended.delete(key)
  }

  async #ask(key: string): Promise<void> {
    const followed = this.#running.get(key)
    if (!followed) return
    const { server, job } = followed
    // An answer after sign-out must not restart following.
    if (!this.#ports.isThere(server.connectionId)) return this.forget(server.connectionId)
    try {
      const client = this.#ports.client(server.connectionId)
      const { value } = await client.send(api.files.jobs, { params: { serverId: server.serverId } })
      if (this.#running.get(key) !== followed) return
      const now = value.items.find(({ id }) => id === job.id)
      // An unreadable item or a missing page could be this job.
      const all = value.complete && value.leftOut.length === 0
      this.heard(server, now ?? lost(job, localized(all ? 'job.lost' : 'job.not-shown')))
    } catch (error) {
      if (this.#running.get(key) !== followed) return
      // The failure comes from signing out, not from the job.
      if (!this.#ports.isThere(server.connectionId)) return this.forget(server.connectionId)
      const why = error instanceof PanelProblem ? error.problem : null
      if (why?.retryable) this.#take(server, job, followed.heardOf)
      else this.heard(server, lost(job, why ?? localized('job.lost')))
    }
  }
}

/** The outcome is unknown; don't keep showing it as running. */
const lost = (job: FileJob, { message, text }: LocalizedText): FileJob => ({
  ...job,
  state: 'lost',
  error: { code: 'panel.lost', message, ...(text && { text }) },
})

const keyOf = ({ connectionId, serverId }: ServerRef, { id }: FileJob) =>
  [connectionId, serverId, id].join('\n')
