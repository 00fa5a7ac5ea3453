import type { ItemResult, ServerRef } from '../../../../contract/bridge/values.ts'
import { NO_TRASH } from '../../../../contract/bridge/problem.ts'
import { asProblem, call } from '../../../core/bridge.ts'
import { chunks } from './name-conflicts.svelte.ts'
import { said, t, type Words } from '../../../messages/t.svelte.ts'
import { notify } from '../../../ui/feedback/notices.svelte.ts'

export interface DeletionQuestion {
  paths: readonly string[]
  answer: (agreed: boolean) => void
}

export interface DeletionResult {
  results: ItemResult[]
  /** Original paths of trashed entries, by ID. */
  trash: ReadonlyMap<string, string>
}

/** Deletes at one server: into its trash silently, or permanently after a confirmation. */
export class Deletions {
  readonly #server: ServerRef
  #question = $state.raw<DeletionQuestion | null>(null)

  constructor(server: ServerRef) {
    this.#server = server
  }

  get question(): DeletionQuestion | null {
    return this.#question
  }

  /** Stops, keeping what is left, if the confirmation is declined. */
  async remove(paths: readonly string[]): Promise<DeletionResult> {
    const results: ItemResult[] = []
    const trash = new Map<string, string>()
    let permanent = false
    let left = paths
    for (const some of chunks(paths)) {
      const send = () => call('files.remove', { ...this.#server, paths: some, permanent })
      const answer = await send().catch(async (thrown: unknown) => {
        if (asProblem(thrown).serviceCode !== NO_TRASH) throw thrown
        permanent = await this.#ask(left)
        return permanent ? await send() : null
      })
      if (!answer) break
      left = left.slice(some.length)
      results.push(...answer.results)
      for (const entry of answer.trash) trash.set(entry.id, entry.path)
    }
    return { results, trash }
  }

  #ask(paths: readonly string[]): Promise<boolean> {
    return new Promise((resolve) => {
      const answer = (agreed: boolean) => {
        this.#question = null
        resolve(agreed)
      }
      this.#question = { paths, answer }
    })
  }
}

/** For items whose outcome is unknown: neither success nor failure. */
export function tellUnconfirmed(count: number, name: Words): void {
  notify({
    tone: 'warning',
    text: () =>
      count === 1 ? t('files.unconfirmed-one', { name: name() }) : t('files.unconfirmed', { count }),
    more: () => t('files.unconfirmed-now'),
  })
}

export const reasonOf =
  ({ error }: ItemResult): Words =>
  () =>
    error ? said(error) : t('files.failed-unknown')
