import { createSubscriber } from 'svelte/reactivity'
import type { FileJob, ServerRef } from '../../../../contract/bridge/values.ts'
import { ReadRetry } from '../../../core/ask-again.ts'
import { asProblem, on, onReach, readOnce, send } from '../../../core/bridge.ts'
import { said, t } from '../../../messages/t.svelte.ts'
import { leftOutWords, namesWords } from '../../../ui/feedback/archive-words.ts'
import { notify, notifyProblem } from '../../../ui/feedback/notices.svelte.ts'
import { sameServer } from '../operations/clipboard.svelte.ts'
import { nameOf } from '../../../../contract/rules/paths.ts'

/** Current archive jobs. Jobs that end while shown are reported once. */
export class ShownJobs {
  #jobs = $state.raw<readonly FileJob[]>([])
  #canceling = $state.raw<ReadonlySet<string>>(new Set())
  #server: ServerRef
  #ended: () => void
  #again: (job: FileJob) => void
  #subscribe: () => void

  /** @param again extract again with another encoding */
  constructor(server: ServerRef, ended: () => void, again: (job: FileJob) => void) {
    this.#server = server
    this.#ended = ended
    this.#again = again
    this.#subscribe = createSubscriber(() => {
      const stop = on('job', (event) => {
        if (sameServer(event, this.#server)) this.#take(event.job)
      })
      const askAgain = new ReadRetry(server.connectionId, () => this.#read(askAgain))
      const stopAsking = askAgain.start()
      let lost = false
      const stopReach = onReach((reached) => {
        // Anything that ended while offline was not reported.
        if (reached && lost) this.#read(askAgain)
        lost = !reached
      })
      this.#read(askAgain)
      return () => {
        stop()
        stopAsking()
        stopReach()
      }
    })
  }

  #read(askAgain: ReadRetry): void {
    readOnce('files.jobs', this.#asked).then(
      ({ items }) => {
        askAgain.succeeded()
        this.#jobs = items.filter(isRunning)
      },
      // A service without archives has no jobs; the action itself reports that.
      (thrown: unknown) => askAgain.failed(asProblem(thrown)),
    )
  }

  get #asked() {
    const { connectionId, serverId } = this.#server
    return { connectionId, params: { serverId } }
  }

  get running(): readonly FileJob[] {
    this.#subscribe()
    return this.#jobs
  }

  isCanceling(job: FileJob): boolean {
    return this.#canceling.has(job.id)
  }

  async cancel(job: FileJob): Promise<void> {
    this.#canceling = new Set([...this.#canceling, job.id])
    try {
      await send('files.cancel', { ...this.#asked, body: { id: job.id } })
    } catch (thrown) {
      this.#canceling = new Set([...this.#canceling].filter((id) => id !== job.id))
      notifyProblem(thrown, () => nameOf(job.path))
    }
  }

  #take(job: FileJob): void {
    const others = this.#jobs.filter((one) => one.id !== job.id)
    const known = others.length < this.#jobs.length
    if (isRunning(job)) {
      this.#jobs = known ? this.#jobs.map((one) => (one.id === job.id ? job : one)) : [...others, job]
      return
    }
    this.#jobs = others
    const name = nameOf(job.path)
    const packed = job.kind === 'archive'
    const { error } = job
    if (job.state === 'done') {
      const isWhole = leftOutWords(job) === null && namesWords(job) === null
      notify({
        // A partial result stays until dismissed.
        tone: isWhole ? 'done' : 'warning',
        text: () => t(packed ? 'files.packed' : 'files.unpacked', { name }),
        more: isWhole ? undefined : () => [leftOutWords(job), namesWords(job)].filter(Boolean).join(' '),
        action: job.names?.guessed
          ? { label: () => t('archives.extract-again'), run: () => this.#again(job) }
          : undefined,
      })
    } else if (job.state === 'failed' || job.state === 'lost')
      notify({
        tone: job.state === 'failed' ? 'error' : 'warning',
        text: () =>
          job.state === 'lost'
            ? t('files.job-lost', { name })
            : t(packed ? 'files.pack-failed' : 'files.unpack-failed', { name }),
        more: () => (error ? said(error) : ''),
      })
    this.#ended()
  }
}

function isRunning(job: FileJob): boolean {
  return job.state === 'running'
}

/** From 0 to 1; null if unknown. */
export function progressOf(job: FileJob): number | null {
  if (job.totalBytes) return Math.min(1, (job.doneBytes ?? 0) / job.totalBytes)
  if (job.totalFiles) return Math.min(1, (job.doneFiles ?? 0) / job.totalFiles)
  return null
}
