import { api } from '../../../contract/areas/index.ts'
import type { FileJob, ServerRef } from '../../../contract/bridge/values.ts'
import { type Said, say } from '../../../contract/messages/say.ts'
import type { ApiClient } from '../../api/client.ts'
import { PanelProblem } from '../../base/problem.ts'

/** A job of which nothing was heard for so long, in ms, is asked for: the service may have no event stream. */
const SILENT_FOR = 2000
/** Ended jobs remembered. */
const ENDED_MOST = 100
/**
 * Running jobs of one connection that nobody here began and that are asked for all the same: more than people have. What is
 * told of further ones is passed on, and they are not asked for.
 */
const HEARD_MOST = 32

export interface FollowedJobPorts {
  client: (connectionId: string) => ApiClient
  /** Whether there still is such a connection. */
  isThere: (connectionId: string) => boolean
  /** Told of every news of a job. */
  onJob: (server: ServerRef, job: FileJob) => void
}

type OnEnd = (server: ServerRef, job: FileJob) => void

interface Followed {
  server: ServerRef
  job: FileJob
  timer: NodeJS.Timeout
  /** Only the event stream told of it: nobody here began it. */
  heardOf: boolean
}

/** Jobs that pack or unpack, as the event stream tells of them, and asked for where it does not. */
export class FollowedJobs {
  readonly #ports: FollowedJobPorts
  readonly #onEnd: OnEnd[] = []
  readonly #running = new Map<string, Followed>()
  /** Jobs that ended lately: their end can be heard before the answer that says they run. */
  readonly #ended = new Map<string, { server: ServerRef; job: FileJob }>()

  constructor(ports: FollowedJobPorts) {
    this.#ports = ports
  }

  /** `listener` is told once when a job is over, however it ended: folders and limits are old now. */
  onEnd(listener: OnEnd): void {
    this.#onEnd.push(listener)
  }

  /** News of a job from the event stream. */
  heard(server: ServerRef, job: FileJob): void {
    // One that somebody else started may be over before anything was heard of it.
    const followed = this.#running.get(keyOf(server, job))
    this.#ports.onJob(server, job)
    if (followed || this.#hasRoom(server)) this.#take(server, job, followed?.heardOf ?? true)
    if (!followed && job.state !== 'running') this.#end(server, job)
  }

  /** Follows a job to its end. Answers the job as it was given, or as it ended meanwhile. */
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

  /** Follows no job of a connection any longer, or none at all. */
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
    // An answer that was on its way when somebody signed out had it followed again.
    if (!this.#ports.isThere(server.connectionId)) return this.forget(server.connectionId)
    try {
      const client = this.#ports.client(server.connectionId)
      const { value } = await client.send(api.files.jobs, { params: { serverId: server.serverId } })
      // Heard of meanwhile, or forgotten: what the answer says is older.
      if (this.#running.get(key) !== followed) return
      const now = value.items.find(({ id }) => id === job.id)
      // What could not be read, or stands on a page that nobody knows how to ask for, could be this one.
      const all = value.complete && value.leftOut.length === 0
      this.heard(server, now ?? lost(job, say(all ? 'job.lost' : 'job.not-shown')))
    } catch (error) {
      if (this.#running.get(key) !== followed) return
      // Signing out is what ended the question, and says nothing of the job.
      if (!this.#ports.isThere(server.connectionId)) return this.forget(server.connectionId)
      const why = error instanceof PanelProblem ? error.problem : null
      if (why?.retryable) this.#take(server, job, followed.heardOf)
      else this.heard(server, lost(job, why ?? say('job.lost')))
    }
  }
}

/** Nobody can say what came of it: to go on showing it as running would be untrue. */
const lost = (job: FileJob, { message, text }: Said): FileJob => ({
  ...job,
  state: 'lost',
  error: { code: 'panel.lost', message, ...(text && { text }) },
})

const keyOf = ({ connectionId, serverId }: ServerRef, { id }: FileJob) =>
  [connectionId, serverId, id].join('\n')
